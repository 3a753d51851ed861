/*
 * MASK, and a policy that does not come back from its third decision unless the mcu has been reset: the
 * watchdog bites. With recovery the second boot ends with PASS.
 */
#include "once.h"

static void hang_once_on_epoch(const struct gpu_caps *caps)
{
    if (!once(caps))
        return;
    for (;;)
        ;
}

const struct policy policy_hang_once = {.name = "hang_once", .init = once_init, .on_epoch = hang_once_on_epoch};

#define IMAGE_NAME "selftest/hang-once"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    POLICY(hang_once)
#include "../image/common/image.h"
