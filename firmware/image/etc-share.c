/* ETC for several tenants: memory is divided, and only who does not fit its share is throttled (ours). */
#define IMAGE_NAME "etc-share"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_share)                                                                                                  \
    POLICY(etc_classify)                                                                                               \
    POLICY(etc_pe)                                                                                                     \
    POLICY(etc_cc)                                                                                                     \
    POLICY(etc_throttle)
#include "common/image.h"
