/*
 * Stops mcycle with mcountinhibit in its second decision and does not come back from it, unless the mcu has been reset.
 * With recovery mcycle counts again, and the second boot measures its decisions and ends with PASS.
 */
#include "../platform/mcu.h"
#include "../policy/policy.h"

static void cycles_stopped_on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    if (mcu_resets() != 0 || reg_read(MH_REG_SNAP_COUNT) != 2)
        return;
    __asm__ volatile("csrw mcountinhibit, %0" : : "r"(UINT32_MAX));
    for (;;)
        ;
}

const struct policy policy_cycles_stopped = {.name = "cycles_stopped", .on_epoch = cycles_stopped_on_epoch};

#define IMAGE_NAME             "selftest/cycles-stopped"
#define IMAGE_POLICIES(POLICY) POLICY(cycles_stopped)
#include "../image/common/image.h"
