/* CCBP with issue rates and no priority. Over ccbp-queues, what quotas alone bring. */
#define IMAGE_NAME "ccbp-quotas"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp_quotas)
#include "common/image.h"
