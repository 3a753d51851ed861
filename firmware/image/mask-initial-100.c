/* MASK with InitialTokens of 100 %, the high end of the sweep in sec. 6. */
#define IMAGE_NAME "mask-initial-100"
#include "common/groups.h"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(mask_tokens_initial_100)                                                                                    \
    POLICY(mask_cache)                                                                                                 \
    POLICY(mask_dram)
#include "common/image.h"
