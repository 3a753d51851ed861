/*
 * Starts over after the first epoch as after a reset of the mcu alone: memory, CSRs and the GPU stay as they are, here
 * spoiled on purpose. Boots twice (two boot lines), then ends with PASS.
 */
#include "../policy/policy.h"

static volatile uint32_t in_data = 5, in_bss;

static enum policy_status init(const struct gpu_caps *caps)
{
    (void)caps;
    return in_data == 5 && in_bss == 0 ? POLICY_OK : POLICY_UNSUPPORTED;
}

static void on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    in_data = 7;
    in_bss = 7;
    if (reg_read(MH_REG_SNAP_COUNT) != 1)
        return;
    __asm__ volatile("csrw mtvec, zero\n\t"
                     "csrw mscratch, %0\n\t"
                     "mv gp, zero\n\t"
                     "csrsi mstatus, 8\n\t" /* interrupts on, and boot has no handler yet */
                     "jr %1"
                     :
                     : "r"(-1), "r"(MH_ITCM_BASE));
}

const struct policy policy_restart = {.name = "restart", .init = init, .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/restart"
#define IMAGE_POLICIES(POLICY) POLICY(restart)
#include "../image/common/image.h"
