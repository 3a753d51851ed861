/* SIMT-aware order of page walks while there is something to batch and to wait for, else order of arrival. */
#define IMAGE_NAME "simt-adaptive"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(walk_adaptive)
#include "common/image.h"
