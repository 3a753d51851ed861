/* No policy, for comparison: defaults are set and epochs counted, so that the mcu costs what it costs elsewhere. */
#define IMAGE_NAME             "baseline"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "common/image.h"
