/* CCBP that climbs for weighted speedup. */
#define IMAGE_NAME "ccbp-weighted"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp_weighted)
#include "common/image.h"
