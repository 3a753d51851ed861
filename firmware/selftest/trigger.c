/* Writes a debug trigger, a CSR that the mcu does not have, in its first decision: a fault, illegal instruction. */
#include "../policy/policy.h"

static void trigger_on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    __asm__ volatile("csrw tdata1, %0" : : "r"(0x80000001u));
}

const struct policy policy_trigger = {.name = "trigger", .on_epoch = trigger_on_epoch};

#define IMAGE_NAME             "selftest/trigger"
#define IMAGE_POLICIES(POLICY) POLICY(trigger)
#include "../image/common/image.h"
