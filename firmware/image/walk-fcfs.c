/* Page walks in order of arrival: the baseline of the paper on walk scheduling. */
#define IMAGE_NAME "walk-fcfs"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(walk_fcfs)
#include "common/image.h"
