/* Sets a knob out of range: COMMIT is rejected, and the run ends with exit code 3. */
#include "../policy/policy.h"

POLICY_OWNS(CTA_LIMIT);

static void on_epoch(const struct gpu_caps *caps)
{
    gpu_set_knob(CTA_LIMIT, 0, caps->cta_slots + 1);
}

const struct policy policy_bad_knob = {.name = "bad_knob", .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/bad-knob"
#define IMAGE_POLICIES(POLICY) POLICY(bad_knob)
#include "../image/common/image.h"
