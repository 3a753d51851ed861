/* CCBP with issue rates for latency-sensitive kernels, too. Over ccbp, what these cost. */
#define IMAGE_NAME "ccbp-held"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp_held)
#include "common/image.h"
