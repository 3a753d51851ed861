/* Any waiting walk goes next: the paper's naive comparison (Shin et al., ISCA 2018, sec. III). */
#include "policy.h"

POLICY_OWNS(WALK_ORDER);

static enum policy_status walk_random_init(const struct gpu_caps *caps)
{
    if (!(caps->features & MH_FEATURE_WALK_ORDER))
        return POLICY_UNSUPPORTED;
    gpu_set_knob(WALK_ORDER, 0, MH_WALK_RANDOM);
    return POLICY_OK;
}

const struct policy policy_walk_random = {
    .name = "walk_random",
    .init = walk_random_init,
};
