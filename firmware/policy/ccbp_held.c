/* CCBP that holds latency-sensitive kernels to their quotas, too: one half of ccbp-letter. */
#define CORUN_POLICY ccbp_held
#define CCBP_HELD    1
#include "ccbp_policy.h"
