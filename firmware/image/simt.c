/* SIMT-aware order of page walks, always on: the scheduler of the paper. */
#define IMAGE_NAME "simt"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(walk_simt)
#include "common/image.h"
