/* CCBP with sub-queues and issue rates: kernels take turns. */
#define CORUN_POLICY  ccbp_quotas
#define CCBP_PRIORITY 0
#include "ccbp_policy.h"
