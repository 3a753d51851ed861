/* CCBP with equal priorities: what the climb brings is the difference. */
#define IMAGE_NAME "ccbp-drf"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp_drf)
#include "common/image.h"
