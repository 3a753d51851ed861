/* The same, but what a fault itself evicts until it is resolved counts as well: the other way to read sec. 4.3. */
#define ETC_THROTTLE_POLICY etc_throttle_own
#define ETC_OWN_EVICTION    1
#include "etc_throttle_policy.h"
