/*
 * MASK, and a policy that does not come back from its third decision unless the core has been reset: the
 * watchdog bites. With recovery the second boot ends with PASS.
 */
#include "../policy/policy.h"
#include "once.h"

static uint32_t epochs;

static enum policy_status init(const struct gpu_caps *caps)
{
    (void)caps;
    epochs = 0;
    return POLICY_OK;
}

static void hang_once_on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    if (once(&epochs))
        for (;;)
            ;
}

const struct policy policy_hang_once = {.name = "hang_once", .init = init, .on_epoch = hang_once_on_epoch};

#define IMAGE_NAME "selftest/hang-once"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    POLICY(hang_once)
#include "../image/common/image.h"
