/* MASK with the L2 bypass of its public simulator: all levels but the leaf, always. The rest is the paper's. */
#define IMAGE_NAME "mask-code"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(mask_tokens)                                                                                                \
    POLICY(mask_cache_static)                                                                                          \
    POLICY(mask_dram)
#include "common/image.h"
