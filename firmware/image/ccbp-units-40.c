/* CCBP with bandwidth in 40 units, not 20 (sec. 5.2). */
#define IMAGE_NAME "ccbp-units-40"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp_units_40)
#include "common/image.h"
