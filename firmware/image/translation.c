/* All three papers on translation, which none of them has: MASK, SIMT order in each queue of a walker, and DWS++. */
#define IMAGE_NAME "translation"
#include "common/groups.h"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    POLICY(walk_simt)                                                                                                  \
    GROUP_DWSPP(POLICY)
#include "common/image.h"
