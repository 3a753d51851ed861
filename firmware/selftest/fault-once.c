/*
 * MASK, and a policy that divides by zero in its third decision unless the mcu has been reset. With recovery
 * the GPU goes on under its last knobs until the watchdog bites; then the second boot ends with PASS.
 */
#include "once.h"

static void fault_once_on_epoch(const struct gpu_caps *caps)
{
    if (!once(caps))
        return;
    once_epochs = caps->sms / reg_read(MH_REG_EVENT_LOST);
}

const struct policy policy_fault_once = {.name = "fault_once", .init = once_init, .on_epoch = fault_once_on_epoch};

#define IMAGE_NAME "selftest/fault-once"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    POLICY(fault_once)
#include "../image/common/image.h"
