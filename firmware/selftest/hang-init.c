/* Never comes back from init: no COMMIT at all. The watchdog bites once GPU time has begun without one. */
#include "../platform/mcu.h"
#include "../policy/policy.h"

static enum policy_status hang_init_init(const struct gpu_caps *caps)
{
    (void)caps;
    while (mcu_resets() != UINT32_MAX)
        ;
    return POLICY_OK;
}

const struct policy policy_hang_init = {.name = "hang_init", .init = hang_init_init};

#define IMAGE_NAME             "selftest/hang-init"
#define IMAGE_POLICIES(POLICY) POLICY(hang_init)
#include "../image/common/image.h"
