/*
 * No policy: every knob where hardware restricts no tenant. First in every image's list, because a reset of the mcu
 * alone keeps the knobs of the image that ran before. It owns none of them: later policies set their own.
 */
#include "policy.h"

static enum policy_status defaults_init(const struct gpu_caps *caps)
{
    (void)caps;
    gpu_reset_knobs();
    return POLICY_OK;
}

const struct policy policy_defaults = {
    .name = "defaults",
    .init = defaults_init,
};
