/* Compression of everything, always (ETC, figure 8). */
#define IMAGE_NAME "etc-lcp"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(etc_lcp)
#include "common/image.h"
