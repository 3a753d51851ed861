/* Kernels have SMs of their own (spatial multitasking). */
#define IMAGE_NAME "spatial"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(spatial)
#include "common/image.h"
