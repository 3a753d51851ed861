/*
 * Writes 0xffffffff to WATCHDOG in init and in its first decision, which never ends: both writes are refused and
 * counted, and the watchdog bites.
 */
#include "../policy/policy.h"

static enum policy_status watchdog_long_init(const struct gpu_caps *caps)
{
    (void)caps;
    machine_write(MH_MACHINE_WATCHDOG, 0xffffffffu);
    return POLICY_OK;
}

static void watchdog_long_on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    machine_write(MH_MACHINE_WATCHDOG, 0xffffffffu);
    for (;;)
        (void)reg_read(MH_REG_SNAP_COUNT);
}

const struct policy policy_watchdog_long = {
    .name = "watchdog_long", .init = watchdog_long_init, .on_epoch = watchdog_long_on_epoch};

#define IMAGE_NAME             "selftest/watchdog-long"
#define IMAGE_POLICIES(POLICY) POLICY(watchdog_long)
#include "../image/common/image.h"
