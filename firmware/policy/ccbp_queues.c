/* CCBP with sub-queues alone: kernels take turns, and nobody has an issue rate. */
#define CORUN_POLICY  ccbp_queues
#define CCBP_PRIORITY 0
#define CCBP_RATES    0
#include "ccbp_policy.h"
