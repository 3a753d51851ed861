/* DWS++ of the walk stealing paper, with the constants of its table IV. */
#define IMAGE_NAME "dwspp"
#include "common/groups.h"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_DWSPP(POLICY)
#include "common/image.h"
