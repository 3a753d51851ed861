/*
 * As fault-once, by a frame of 6 KiB, more than the guard below the stack has: nothing is stored to the guard, and data
 * is overwritten. In assembly: no function in C may have such a frame. Again in init after the first reset, where the
 * mcu waits for the watchdog; the third boot ends with PASS.
 */
#include "once.h"

void over_guard_frame(void);
__asm__(".text\n"
        ".balign 4\n"
        ".global over_guard_frame\n"
        ".type over_guard_frame, @function\n"
        "over_guard_frame:\n"
        "  li t0, 6144\n"
        "  sub sp, sp, t0\n"
        "  addi t1, sp, 128\n" /* its lowest words, in data */
        "1: addi t1, t1, -4\n"
        "  sw zero, 0(t1)\n"
        "  bne t1, sp, 1b\n"
        "  add sp, sp, t0\n"
        "  ret\n"
        ".size over_guard_frame, . - over_guard_frame\n");

static enum policy_status over_guard_init(const struct gpu_caps *caps)
{
    if (mcu_resets() == 1)
        over_guard_frame();
    return once_init(caps);
}

static void over_guard_on_epoch(const struct gpu_caps *caps)
{
    if (once(caps))
        over_guard_frame();
}

const struct policy policy_over_guard = {
    .name = "over_guard", .init = over_guard_init, .on_epoch = over_guard_on_epoch};

#define IMAGE_NAME "selftest/over-guard"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    POLICY(over_guard)
#include "../image/common/image.h"
