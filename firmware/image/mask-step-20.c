/* MASK whose tokens move by twice our step. */
#define IMAGE_NAME "mask-step-20"
#include "common/groups.h"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(mask_tokens_step_20)                                                                                        \
    POLICY(mask_cache)                                                                                                 \
    POLICY(mask_dram)
#include "common/image.h"
