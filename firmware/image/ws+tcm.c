/* Warped-Slicer with ranks of kernels at DRAM (CCBP sec. 7.5). */
#define IMAGE_NAME "ws+tcm"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(warped_slicer)                                                                                              \
    POLICY(tcm_ranks)
#include "common/image.h"
