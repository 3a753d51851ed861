/* MASK-DRAM's golden queue alone: walks go before data, data are all alike. */
#define IMAGE_NAME "mask-golden"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(mask_golden)
#include "common/image.h"
