/* MASK and ETC in one. */
#define IMAGE_NAME "mask+etc"
#include "common/groups.h"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    GROUP_ETC(POLICY)
#include "common/image.h"
