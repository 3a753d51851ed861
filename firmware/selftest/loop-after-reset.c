/*
 * Sends its trap vector into a hole and traps, in its first decision and after each reset in init. With recovery the
 * mcu is reset at once the first time, and then only as often as the watchdog bites.
 */
#include "../platform/mcu.h"
#include "../policy/policy.h"

static void loop_after_reset_trap(void)
{
    __asm__ volatile("csrw mtvec, %0\n\tebreak" : : "r"(0x00f00000));
}

static enum policy_status loop_after_reset_init(const struct gpu_caps *caps)
{
    (void)caps;
    if (mcu_resets() != 0)
        loop_after_reset_trap();
    return POLICY_OK;
}

static void loop_after_reset_on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    loop_after_reset_trap();
}

const struct policy policy_loop_after_reset = {
    .name = "loop_after_reset", .init = loop_after_reset_init, .on_epoch = loop_after_reset_on_epoch};

#define IMAGE_NAME             "selftest/loop-after-reset"
#define IMAGE_POLICIES(POLICY) POLICY(loop_after_reset)
#include "../image/common/image.h"
