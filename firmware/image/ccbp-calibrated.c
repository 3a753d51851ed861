/* CCBP with sustainable bandwidths of its own: what the paper's constants cost is the difference. */
#define IMAGE_NAME "ccbp-calibrated"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp_calibrated)
#include "common/image.h"
