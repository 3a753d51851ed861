/* Firmware that does not come back, and what it tries meanwhile: the watchdog bites all the same. */
#include "faults.h"

POLICY_PARAM(watchdog_init, 0, 0, 1, "switch: does not come back from init, so that no COMMIT ends");
POLICY_PARAM(watchdog_sleep, 0, 0, 1, "switch: falls asleep in init, with no interrupt that could wake it");
POLICY_PARAM(watchdog_kick, 0, 0, 1, "switch: from its first decision on kicks, but no COMMIT has ended");
POLICY_PARAM(watchdog_commit, 0, 0, 1, "switch: COMMITs and kicks, which answers no epoch after the first");
POLICY_PARAM(watchdog_snapshot, 0, 0, 1, "switch: SNAPSHOTs, COMMITs, kicks: epochs answered, none decided");
POLICY_PARAM(watchdog_off, 0, 0, 1, "switch: writes 0 to WATCHDOG in init and in its first decision: refused");
POLICY_PARAM(watchdog_long, 0, 0, 1, "switch: writes 0xffffffff there: refused and counted, too");
POLICY_PARAM(watchdog_cycles, 0, 0, 1, "switch: stops mcycle in its second decision, unless reset");
POLICY_PARAM(watchdog_roots, 0, 0, 1, "switch: gives all SMs to tenant 0 in its second decision, unless reset");

FAULT hang(void)
{
    const bool snapshots = watchdog_snapshot, commits = snapshots || watchdog_commit, kicks = commits || watchdog_kick;

    for (;;) {
        if (snapshots)
            reg_write(MH_REG_SNAPSHOT, MH_SNAPSHOT_EPOCH);
        if (commits)
            reg_write(MH_REG_COMMIT, 1);
        if (kicks)
            machine_write(MH_MACHINE_WATCHDOG_KICK, 1);
        else
            (void)mcu_resets();
    }
}

FAULT sleep_for_ever(void)
{
    for (;;)
        __asm__ volatile("csrw mie, zero; wfi");
}

static void set_watchdog(void)
{
    if (watchdog_off)
        machine_write(MH_MACHINE_WATCHDOG, 0);
    if (watchdog_long)
        machine_write(MH_MACHINE_WATCHDOG, UINT32_MAX);
}

static enum policy_status watchdog_in_init(const struct gpu_caps *caps)
{
    (void)caps;
    set_watchdog();
    if (watchdog_init)
        hang();
    if (watchdog_sleep)
        sleep_for_ever();
    return POLICY_OK;
}

/* What acts without a COMMIT. Once: with recovery the second boot ends with PASS. */
static bool spoil_once(const struct gpu_caps *caps)
{
    if (mcu_resets() != 0 || reg_read(MH_REG_SNAP_COUNT) != 2)
        return false;
    if (watchdog_cycles)
        __asm__ volatile("csrw mcountinhibit, %0" : : "r"(UINT32_MAX));
    for (uint32_t sm = 0; watchdog_roots && sm < caps->sms; sm++)
        reg_write(MH_REG_SM_ROOT + MH_REG_SM_ROOT_STRIDE * sm, 0);
    return true;
}

static void watchdog_on_epoch(const struct gpu_caps *caps)
{
    set_watchdog();
    if (!(watchdog_cycles || watchdog_roots) || spoil_once(caps))
        hang();
}

const struct policy policy_watchdog = {.name = "watchdog", .init = watchdog_in_init, .on_epoch = watchdog_on_epoch};

#define IMAGE_NAME             "selftest/watchdog"
#define IMAGE_POLICIES(POLICY) POLICY(watchdog)
#include "../image/common/image.h"
