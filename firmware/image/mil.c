/* Limits of memory instructions in flight alone (CCBP sec. 7.5): CTAs are as the GPU is configured. */
#define IMAGE_NAME "mil"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(mil_limits)
#include "common/image.h"
