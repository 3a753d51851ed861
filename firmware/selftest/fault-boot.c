/* Traps in its init: ends as a fault with cause 3 (ebreak), with recovery as well, since GPU time has not begun. */
#include "../policy/policy.h"

static enum policy_status fault_boot_init(const struct gpu_caps *caps)
{
    (void)caps;
    __asm__ volatile("ebreak");
    return POLICY_OK;
}

const struct policy policy_fault_boot = {.name = "fault_boot", .init = fault_boot_init};

#define IMAGE_NAME             "selftest/fault-boot"
#define IMAGE_POLICIES(POLICY) POLICY(fault_boot)
#include "../image/common/image.h"
