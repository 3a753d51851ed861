/* Page walks in random order: the naive comparison of the paper on walk scheduling. */
#define IMAGE_NAME "walk-random"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(walk_random)
#include "common/image.h"
