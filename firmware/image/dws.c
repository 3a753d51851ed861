/* Page walkers in equal parts, idle ones steal: DWS of the walk stealing paper. */
#define IMAGE_NAME "dws"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(walk_partition)                                                                                             \
    POLICY(walk_dws)
#include "common/image.h"
