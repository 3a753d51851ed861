/* CCBP that takes IPCs alone from the host, where it has told them: what its own estimates cost. */
#define CORUN_POLICY ccbp_told
#define CCBP_TOLD    1
#include "ccbp_policy.h"
