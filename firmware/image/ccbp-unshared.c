/* CCBP that shares no bandwidth which is left. Over ccbp, what that costs. */
#define IMAGE_NAME "ccbp-unshared"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp_unshared)
#include "common/image.h"
