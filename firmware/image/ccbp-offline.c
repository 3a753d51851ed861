/* CCBP with long windows: what short ones lose is the difference. */
#define IMAGE_NAME "ccbp-offline"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp_offline)
#include "common/image.h"
