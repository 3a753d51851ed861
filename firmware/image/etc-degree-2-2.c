/* ETC that throttles 2 and releases 2 SMs at a time (figure 18). */
#define IMAGE_NAME "etc-degree-2-2"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_classify)                                                                                               \
    POLICY(etc_pe)                                                                                                     \
    POLICY(etc_cc)                                                                                                     \
    POLICY(etc_throttle_2_2)
#include "common/image.h"
