/*
 * Gives all SMs to tenant 0 in its second decision and does not come back from it, unless the mcu has been reset. With
 * recovery the SMs go back to the tenants of the start, and the second boot ends with PASS.
 */
#include "../platform/mcu.h"
#include "../policy/policy.h"

static void root_left_on_epoch(const struct gpu_caps *caps)
{
    if (mcu_resets() != 0 || reg_read(MH_REG_SNAP_COUNT) != 2)
        return;
    for (uint32_t sm = 0; sm < caps->sms; sm++)
        reg_write(MH_REG_SM_ROOT + MH_REG_SM_ROOT_STRIDE * sm, 0);
    for (;;)
        ;
}

const struct policy policy_root_left = {.name = "root_left", .on_epoch = root_left_on_epoch};

#define IMAGE_NAME             "selftest/root-left"
#define IMAGE_POLICIES(POLICY) POLICY(root_left)
#include "../image/common/image.h"
