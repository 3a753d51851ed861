/*
 * Does not come back from its first decision, but takes a SNAPSHOT, ends a COMMIT and kicks the watchdog all the time:
 * epochs are answered, and none is decided after the first. The watchdog bites.
 */
#include "../policy/policy.h"

static void snapshot_loop_on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    for (;;) {
        reg_write(MH_REG_SNAPSHOT, MH_SNAPSHOT_EPOCH);
        reg_write(MH_REG_COMMIT, 1);
        machine_write(MH_MACHINE_WATCHDOG_KICK, 1);
    }
}

const struct policy policy_snapshot_loop = {.name = "snapshot_loop", .on_epoch = snapshot_loop_on_epoch};

#define IMAGE_NAME             "selftest/snapshot-loop"
#define IMAGE_POLICIES(POLICY) POLICY(snapshot_loop)
#include "../image/common/image.h"
