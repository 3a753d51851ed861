/* Sets an issue rate above its range: COMMIT is rejected, and the run ends with what was set and what is allowed. */
#include "../policy/policy.h"

POLICY_OWNS(ISSUE_RATE);

static void on_epoch(const struct gpu_caps *caps)
{
    gpu_set_knob(ISSUE_RATE, caps->tenants - 1, 70000);
}

const struct policy policy_bad_quota = {.name = "bad_quota", .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/bad-quota"
#define IMAGE_POLICIES(POLICY) POLICY(bad_quota)
#include "../image/common/image.h"
