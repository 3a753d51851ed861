/* MASK's L2 bypass alone: MASK-Cache of the paper. */
#define IMAGE_NAME "mask-cache"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(mask_cache)
#include "common/image.h"
