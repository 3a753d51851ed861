/* DWS and CCBP: page walks and co-runs. */
#define IMAGE_NAME "dws+ccbp"
#include "common/groups.h"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_DWS(POLICY)                                                                                                  \
    POLICY(ccbp)
#include "common/image.h"
