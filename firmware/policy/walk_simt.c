/* SIMT-aware order of walks, always (Shin et al., ISCA 2018, sec. IV), with the paper's costs, batching and ageing. */
#include "policy.h"

POLICY_OWNS(WALK_ORDER);

static enum policy_status walk_simt_init(const struct gpu_caps *caps)
{
    if (!(caps->features & MH_FEATURE_WALK_ORDER))
        return POLICY_UNSUPPORTED;
    gpu_set_knob(WALK_ORDER, 0, MH_WALK_SIMT);
    return POLICY_OK;
}

const struct policy policy_walk_simt = {
    .name = "walk_simt",
    .init = walk_simt_init,
};
