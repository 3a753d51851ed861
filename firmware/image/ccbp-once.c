/* CCBP that detects once, and converts quotas by what a request cost then. Over ccbp, what learning again is worth. */
#define IMAGE_NAME "ccbp-once"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp_once)
#include "common/image.h"
