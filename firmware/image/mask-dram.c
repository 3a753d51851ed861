/* MASK's address-space-aware DRAM scheduler alone: MASK-DRAM of the paper. */
#define IMAGE_NAME "mask-dram"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(mask_dram)
#include "common/image.h"
