/* MASK-DRAM with the maxima of an epoch in equation 1. */
#define IMAGE_NAME "mask-dram-peak"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(mask_dram_peak)
#include "common/image.h"
