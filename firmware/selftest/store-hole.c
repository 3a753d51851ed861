/* Stores where nothing is: ends as a fault with cause 7 (store access fault). */
#include "../policy/policy.h"

static void store_hole_on_epoch(const struct gpu_caps *caps)
{
    *(volatile uint32_t *)0x30000000 = caps->sms;
}

const struct policy policy_store_hole = {.name = "store_hole", .on_epoch = store_hole_on_epoch};

#define IMAGE_NAME             "selftest/store-hole"
#define IMAGE_POLICIES(POLICY) POLICY(store_hole)
#include "../image/common/image.h"
