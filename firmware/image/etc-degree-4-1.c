/* ETC that throttles 4 and releases 1 SM at a time (figure 18). */
#define IMAGE_NAME "etc-degree-4-1"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_classify)                                                                                               \
    POLICY(etc_pe)                                                                                                     \
    POLICY(etc_cc)                                                                                                     \
    POLICY(etc_throttle_4_1)
#include "common/image.h"
