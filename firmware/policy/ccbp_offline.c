/* CCBP whose windows are ten times as long (CCBP_offline, sec. 5.4). */
#define CORUN_POLICY ccbp_offline
#define CORUN_SCALE  10
#include "ccbp_policy.h"
