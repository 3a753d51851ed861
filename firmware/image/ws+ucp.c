/* Warped-Slicer with a partition of the L1Ds (CCBP sec. 7.5). */
#define IMAGE_NAME "ws+ucp"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(warped_slicer)                                                                                              \
    POLICY(ucp_ways)
#include "common/image.h"
