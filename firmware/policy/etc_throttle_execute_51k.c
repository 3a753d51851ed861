/* The same with execution epochs of 51 000 GPU cycles instead of 102 000, which is ours. */
#define ETC_THROTTLE_POLICY  etc_throttle_execute_51k
#define ETC_EXECUTION_CYCLES 51000
#include "etc_throttle_policy.h"
