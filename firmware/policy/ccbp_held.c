/* CCBP that holds latency-sensitive kernels to their quotas, too: one part of ccbp-letter. */
#define CORUN_POLICY ccbp_held
#define CCBP_HELD    1
#include "ccbp_policy.h"
