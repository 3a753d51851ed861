/* CCBP without adjustment: priorLSK stays 1.0 (CCBP_DRF). */
#define CORUN_POLICY ccbp_drf
#define CCBP_ADJUST  0
#include "ccbp_policy.h"
