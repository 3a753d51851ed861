/* CCBP whose climb is for weighted speedup (section 5.5 has both goals). */
#define CORUN_POLICY  ccbp_weighted
#define CCBP_WEIGHTED 1
#include "ccbp_policy.h"
