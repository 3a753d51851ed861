/* Warped-Slicer with limits of memory instructions in flight (CCBP sec. 7.5). */
#define IMAGE_NAME "ws+mil"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(warped_slicer)                                                                                              \
    POLICY(mil_limits)
#include "common/image.h"
