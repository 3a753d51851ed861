/* Half of the SMs for ever, whatever the application (ETC, figures 13 and 14: NT). */
#define IMAGE_NAME "etc-mt-naive"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_always_mt)                                                                                              \
    POLICY(etc_naive_throttle)
#include "common/image.h"
