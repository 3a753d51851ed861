/*
 * Does not come back from its first decision, but kicks the watchdog all the time: no COMMIT has ended meanwhile, so it
 * bites. The run ends as a hang.
 */
#include "../policy/policy.h"

static void kick_only_on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    for (;;)
        machine_write(MH_MACHINE_WATCHDOG_KICK, 1);
}

const struct policy policy_kick_only = {.name = "kick_only", .on_epoch = kick_only_on_epoch};

#define IMAGE_NAME             "selftest/kick-only"
#define IMAGE_POLICIES(POLICY) POLICY(kick_only)
#include "../image/common/image.h"
