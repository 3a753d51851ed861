/* Memory-aware throttling of ETC: one SM at a time. */
#define ETC_THROTTLE_POLICY etc_throttle
#include "etc_throttle_policy.h"
