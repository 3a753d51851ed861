/* Reports 2^32 - 1 mcu cycles for its first two decisions: the run ends as FAIL. */
#include "../policy/policy.h"

static void long_report_on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    if (reg_read(MH_REG_SNAP_COUNT) <= 2)
        machine_write(MH_MACHINE_DECISION, 0xffffffffu);
}

const struct policy policy_long_report = {.name = "long_report", .on_epoch = long_report_on_epoch};

#define IMAGE_NAME             "selftest/long-report"
#define IMAGE_POLICIES(POLICY) POLICY(long_report)
#include "../image/common/image.h"
