/* CCBP with an adjusted priority of latency-sensitive kernels (CCBP_DRF+adj), the paper's default. */
#define CORUN_POLICY ccbp
#include "ccbp_policy.h"
