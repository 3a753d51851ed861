/* The same with execution epochs of 1 020 000 GPU cycles instead of 102 000, which is ours. */
#define ETC_THROTTLE_POLICY  etc_throttle_execute_1m
#define ETC_EXECUTION_CYCLES 1020000
#include "etc_throttle_policy.h"
