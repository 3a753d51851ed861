/* Memory-aware throttling for every application (ETC, figures 13 and 14: MT). */
#define IMAGE_NAME "etc-mt"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_always_mt)                                                                                              \
    POLICY(etc_throttle)
#include "common/image.h"
