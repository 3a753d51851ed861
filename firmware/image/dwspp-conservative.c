/* DWS++, conservative: table VII of the walk stealing paper. */
#define IMAGE_NAME "dwspp-conservative"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(walk_partition)                                                                                             \
    POLICY(walk_dwspp_conservative)
#include "common/image.h"
