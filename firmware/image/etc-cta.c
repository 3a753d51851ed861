/* Throttling of CTAs instead of SMs (ETC, sec. 4.3). */
#define IMAGE_NAME "etc-cta"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_always_mt)                                                                                              \
    POLICY(etc_cta_throttle)
#include "common/image.h"
