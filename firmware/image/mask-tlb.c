/* MASK's TLB-fill tokens alone: MASK-TLB of the paper. */
#define IMAGE_NAME "mask-tlb"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(mask_tokens)
#include "common/image.h"
