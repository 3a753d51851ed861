/*
 * MASK, and a policy that sends its trap vector into a hole and traps, in its third decision unless the mcu has
 * been reset. With recovery the mcu is reset at once, and the second boot ends with PASS.
 */
#include "once.h"

static void loop_once_on_epoch(const struct gpu_caps *caps)
{
    if (!once(caps))
        return;
    __asm__ volatile("csrw mtvec, %0\n\tebreak" : : "r"(0x00f00000));
}

const struct policy policy_loop_once = {.name = "loop_once", .init = once_init, .on_epoch = loop_once_on_epoch};

#define IMAGE_NAME "selftest/loop-once"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    POLICY(loop_once)
#include "../image/common/image.h"
