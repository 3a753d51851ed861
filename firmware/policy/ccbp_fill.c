/* CCBP whose latency-sensitive kernels get the CTAs that algorithm 1 leaves, with quotas held: what the paper prints.
 */
#define CORUN_POLICY ccbp_fill
#define CCBP_FILL    1
#include "ccbp_policy.h"
