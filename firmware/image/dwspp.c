/* DWS++ of the walk stealing paper, with the constants of its table IV. */
#define IMAGE_NAME "dwspp"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(walk_partition)                                                                                             \
    POLICY(walk_dwspp)
#include "common/image.h"
