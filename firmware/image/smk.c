/* SMK (Wang et al.): static resources shared fairly, and warp quotas. */
#define IMAGE_NAME "smk"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(smk)
#include "common/image.h"
