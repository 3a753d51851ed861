/* Capacity compression for every application (ETC, figures 12 to 14: CC). */
#define IMAGE_NAME "etc-cc"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_always_cc)                                                                                              \
    POLICY(etc_cc)
#include "common/image.h"
