/* DWS++, aggressive: table VII of the walk stealing paper. */
#define IMAGE_NAME "dwspp-aggressive"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(walk_partition)                                                                                             \
    POLICY(walk_dwspp_aggressive)
#include "common/image.h"
