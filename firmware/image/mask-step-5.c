/* MASK whose tokens move by half of our step. */
#define IMAGE_NAME "mask-step-5"
#include "common/groups.h"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(mask_tokens_step_5)                                                                                         \
    POLICY(mask_cache)                                                                                                 \
    POLICY(mask_dram)
#include "common/image.h"
