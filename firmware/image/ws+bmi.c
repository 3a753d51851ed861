/* Warped-Slicer with balanced memory instructions (CCBP sec. 7.5). */
#define IMAGE_NAME "ws+bmi"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(warped_slicer)                                                                                              \
    POLICY(bmi_quotas)
#include "common/image.h"
