/* CCBP to the letter: what we do otherwise is the difference. */
#define IMAGE_NAME "ccbp-letter"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp_letter)
#include "common/image.h"
