/* The same, 2 throttled and 1 released at a time (sec. 6.4, figure 18). */
#define ETC_THROTTLE_POLICY etc_throttle_2_1
#define ETC_THROTTLE_DEGREE 2
#define ETC_RELEASE_DEGREE  1
#include "etc_throttle_policy.h"
