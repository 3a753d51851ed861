/* Throttling and compression for every application (ETC, figures 13 and 14: CC+MT). */
#define IMAGE_NAME "etc-mt-cc"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_always_mt_cc)                                                                                           \
    POLICY(etc_cc)                                                                                                     \
    POLICY(etc_throttle)
#include "common/image.h"
