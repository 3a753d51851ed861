/* CCBP with priority and no issue rates. Over ccbp-queues, what priority alone brings. */
#define IMAGE_NAME "ccbp-priority"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp_priority)
#include "common/image.h"
