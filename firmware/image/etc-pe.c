/* Proactive eviction for every application (ETC, figures 12 to 14: PE). */
#define IMAGE_NAME "etc-pe"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_always_pe)                                                                                              \
    POLICY(etc_pe)
#include "common/image.h"
