/* ETC with detection epochs of another length. */
#define IMAGE_NAME "etc-detect-204k"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_classify)                                                                                               \
    POLICY(etc_pe)                                                                                                     \
    POLICY(etc_cc)                                                                                                     \
    POLICY(etc_throttle_detect_204k)
#include "common/image.h"
