/* CCBP with CTA limits and sub-queues: what priority and issue rates bring is the difference. */
#define IMAGE_NAME "ccbp-queues"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp_queues)
#include "common/image.h"
