/* ETC with a threshold of 8 lines (sec. 6.3). */
#define IMAGE_NAME "etc-lines-8"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_classify_8)                                                                                             \
    POLICY(etc_pe)                                                                                                     \
    POLICY(etc_cc)                                                                                                     \
    POLICY(etc_throttle)
#include "common/image.h"
