/* Falls asleep in init, with no interrupt that could wake it: as hang-init, asleep. */
#include "../platform/mcu.h"
#include "../policy/policy.h"

static enum policy_status sleep_init_init(const struct gpu_caps *caps)
{
    (void)caps;
    while (mcu_resets() != UINT32_MAX)
        __asm__ volatile("csrw mie, zero; wfi");
    return POLICY_OK;
}

const struct policy policy_sleep_init = {.name = "sleep_init", .init = sleep_init_init};

#define IMAGE_NAME             "selftest/sleep-init"
#define IMAGE_POLICIES(POLICY) POLICY(sleep_init)
#include "../image/common/image.h"
