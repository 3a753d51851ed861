/*
 * As fault-once, by a store where nothing is: cause 7.
 */
#include "once.h"

static void store_once_on_epoch(const struct gpu_caps *caps)
{
    if (!once(caps))
        return;
    *(volatile uint32_t *)0x30000000 = caps->sms;
}

const struct policy policy_store_once = {.name = "store_once", .init = once_init, .on_epoch = store_once_on_epoch};

#define IMAGE_NAME "selftest/store-once"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    POLICY(store_once)
#include "../image/common/image.h"
