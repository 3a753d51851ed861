/* Demand paging as the hardware does it: the baseline of ETC (BL). No policy. */
#define IMAGE_NAME             "uvm"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "common/image.h"
