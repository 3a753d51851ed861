/* First come first served, whatever ran before: the baseline of Shin et al., ISCA 2018. */
#include "policy.h"

POLICY_OWNS(WALK_ORDER);

static enum policy_status walk_fcfs_init(const struct gpu_caps *caps)
{
    if (!(caps->features & MH_FEATURE_WALK_ORDER))
        return POLICY_UNSUPPORTED;
    gpu_set_knob(WALK_ORDER, 0, MH_WALK_FCFS);
    return POLICY_OK;
}

const struct policy policy_walk_fcfs = {
    .name = "walk_fcfs",
    .init = walk_fcfs_init,
};
