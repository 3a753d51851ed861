/* Proactive eviction and compression for every application (ETC, figure 12: PE+CC). */
#define IMAGE_NAME "etc-pe-cc"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_always_pe_cc)                                                                                           \
    POLICY(etc_pe)                                                                                                     \
    POLICY(etc_cc)
#include "common/image.h"
