/* Kernels that share SMs have even shares of CTAs, and nothing else. */
#define IMAGE_NAME "even"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(even)
#include "common/image.h"
