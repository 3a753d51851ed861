/* ETC that throttles 1 and releases 4 SMs at a time (figure 18). */
#define IMAGE_NAME "etc-degree-1-4"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_classify)                                                                                               \
    POLICY(etc_pe)                                                                                                     \
    POLICY(etc_cc)                                                                                                     \
    POLICY(etc_throttle_1_4)
#include "common/image.h"
