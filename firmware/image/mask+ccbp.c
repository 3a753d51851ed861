/* MASK and CCBP: translation and co-runs. Each has its own knobs. */
#define IMAGE_NAME "mask+ccbp"
#include "common/groups.h"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    POLICY(ccbp)
#include "common/image.h"
