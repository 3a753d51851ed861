/* ETC with detection epochs of another length. */
#define IMAGE_NAME "etc-detect-51k"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_classify)                                                                                               \
    POLICY(etc_pe)                                                                                                     \
    POLICY(etc_cc)                                                                                                     \
    POLICY(etc_throttle_detect_51k)
#include "common/image.h"
