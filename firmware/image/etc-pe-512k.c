/* Proactive eviction of less at a time. */
#define IMAGE_NAME "etc-pe-512k"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_always_pe)                                                                                              \
    POLICY(etc_pe_512k)
#include "common/image.h"
