/* MASK whose parts are switched off while they do not help. */
#define IMAGE_NAME "mask-adaptive"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(mask_adaptive)
#include "common/image.h"
