/* CCBP with what table 3 prints: latency-sensitive kernels get the CTAs that algorithm 1 leaves. */
#define IMAGE_NAME "ccbp-fill"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp_fill)
#include "common/image.h"
