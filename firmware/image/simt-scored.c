/* Page walks by scores of the firmware's own: what it costs to decide in firmware. */
#define IMAGE_NAME "simt-scored"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(walk_scored)
#include "common/image.h"
