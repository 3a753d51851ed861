/*
 * Does not come back from its first decision, but ends a COMMIT and kicks the watchdog all the time: none of them
 * answers an epoch after the first one, so the watchdog bites.
 */
#include "../policy/policy.h"

static void commit_loop_on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    for (;;) {
        reg_write(MH_REG_COMMIT, 1);
        machine_write(MH_MACHINE_WATCHDOG_KICK, 1);
    }
}

const struct policy policy_commit_loop = {.name = "commit_loop", .on_epoch = commit_loop_on_epoch};

#define IMAGE_NAME             "selftest/commit-loop"
#define IMAGE_POLICIES(POLICY) POLICY(commit_loop)
#include "../image/common/image.h"
