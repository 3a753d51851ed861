/* MASK-Cache as the public simulator decides it: all levels but the root, always. */
#define IMAGE_NAME "mask-cache-static"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(mask_cache_static)
#include "common/image.h"
