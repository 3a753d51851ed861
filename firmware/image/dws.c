/* Page walkers in equal parts, idle ones steal: DWS of the walk stealing paper. */
#define IMAGE_NAME "dws"
#include "common/groups.h"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_DWS(POLICY)
#include "common/image.h"
