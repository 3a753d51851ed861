/*
 * Writes 0 to WATCHDOG in init and in its first decision, which never ends: both writes are refused and counted, and
 * the watchdog bites.
 */
#include "../policy/policy.h"

static enum policy_status watchdog_off_init(const struct gpu_caps *caps)
{
    (void)caps;
    machine_write(MH_MACHINE_WATCHDOG, 0);
    return POLICY_OK;
}

static void watchdog_off_on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    machine_write(MH_MACHINE_WATCHDOG, 0);
    for (;;)
        (void)reg_read(MH_REG_SNAP_COUNT);
}

const struct policy policy_watchdog_off = {
    .name = "watchdog_off", .init = watchdog_off_init, .on_epoch = watchdog_off_on_epoch};

#define IMAGE_NAME             "selftest/watchdog-off"
#define IMAGE_POLICIES(POLICY) POLICY(watchdog_off)
#include "../image/common/image.h"
