/* ETC and CCBP: demand paging and co-runs. */
#define IMAGE_NAME "etc+ccbp"
#include "common/groups.h"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_ETC(POLICY)                                                                                                  \
    POLICY(ccbp)
#include "common/image.h"
