/* CCBP with sub-queues and priority: nobody has an issue rate. */
#define CORUN_POLICY ccbp_priority
#define CCBP_RATES   0
#include "ccbp_policy.h"
