/* MASK whole: tokens, L2 bypass and DRAM queues. */
#define IMAGE_NAME "mask"
#include "common/groups.h"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)
#include "common/image.h"
