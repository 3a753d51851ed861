/* MASK with walk stealing in front of it, as in figure 11 of the walk stealing paper. */
#define IMAGE_NAME "mask+dws"
#include "common/groups.h"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    GROUP_DWS(POLICY)
#include "common/image.h"
