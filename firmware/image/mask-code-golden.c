/* mask-code with the golden queue alone: no turns at silver. */
#define IMAGE_NAME "mask-code-golden"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(mask_tokens)                                                                                                \
    POLICY(mask_cache_static)                                                                                          \
    POLICY(mask_golden)
#include "common/image.h"
