/* Sends its own trap vector into a hole, then traps: nothing retires any more, and only QEMU can end the run. */
#include "../policy/policy.h"

static void on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    __asm__ volatile("csrw mtvec, %0\n\tebreak" : : "r"(0x00f00000));
}

const struct policy policy_trap_loop = {.name = "trap_loop", .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/trap-loop"
#define IMAGE_POLICIES(POLICY) POLICY(trap_loop)
#include "../image/common/image.h"
