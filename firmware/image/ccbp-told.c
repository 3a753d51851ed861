/* CCBP that is told IPCs alone (memhelm run --tell-alone). Beside ccbp: what its own estimates cost. */
#define IMAGE_NAME "ccbp-told"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(ccbp_told)
#include "common/image.h"
