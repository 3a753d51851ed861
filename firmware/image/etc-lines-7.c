/* ETC with a threshold of 7 lines (sec. 6.3). */
#define IMAGE_NAME "etc-lines-7"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_classify_7)                                                                                             \
    POLICY(etc_pe)                                                                                                     \
    POLICY(etc_cc)                                                                                                     \
    POLICY(etc_throttle)
#include "common/image.h"
