/* Page walkers in equal parts, nobody steals: the static partition of the walk stealing paper, fig. 11. */
#define IMAGE_NAME "walk-static"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(walk_partition)
#include "common/image.h"
