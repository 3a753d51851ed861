/* The same with execution epochs of 204 000 GPU cycles instead of 102 000, which is ours. */
#define ETC_THROTTLE_POLICY  etc_throttle_execute_204k
#define ETC_EXECUTION_CYCLES 204000
#include "etc_throttle_policy.h"
