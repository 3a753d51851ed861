/* Writes EXIT with PASS at its second epoch: the run ends as FAIL, because it has not come to its end. */
#include "../platform/mcu.h"
#include "../policy/policy.h"

static void on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    if (reg_read(MH_REG_SNAP_COUNT) == 2)
        mcu_exit(0);
}

const struct policy policy_exit_early = {.name = "exit_early", .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/exit-early"
#define IMAGE_POLICIES(POLICY) POLICY(exit_early)
#include "../image/common/image.h"
