/* ETC that classifies by 2048 memory instructions. */
#define IMAGE_NAME "etc-least-2048"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_classify_least_2048)                                                                                    \
    POLICY(etc_pe)                                                                                                     \
    POLICY(etc_cc)                                                                                                     \
    POLICY(etc_throttle)
#include "common/image.h"
