/* Warped-Slicer (Xu et al.): CTAs by how kernels scale. */
#define IMAGE_NAME "warped-slicer"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(warped_slicer)
#include "common/image.h"
