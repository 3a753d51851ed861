/* MASK-Cache as the public simulator decides it: all levels but the leaf past the L2, always. */
#define IMAGE_NAME "mask-cache-static"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(mask_cache_static)
#include "common/image.h"
