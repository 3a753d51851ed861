/* CCBP whole (Lin et al.): CTA limits and issue rates, and the climb of priorLSK. */
#define IMAGE_NAME "ccbp"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp)
#include "common/image.h"
