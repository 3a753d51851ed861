/*
 * Plain walk stealing (Pratheek et al., HPCA 2021, sec. V: DWS): a walker whose owner has no walk queued serves another
 * tenant's. The hardware decides walk by walk; who owns the walkers is walk_partition's decision.
 */
#include "../policy.h"

POLICY_OWNS(WALK_STEAL);

static enum policy_status walk_dws_init(const struct gpu_caps *caps)
{
    gpu_set_knob(WALK_STEAL, 0, MH_STEAL_DWS);
    return caps->features & MH_FEATURE_WALK_QUEUES ? POLICY_OK : POLICY_UNSUPPORTED;
}

const struct policy policy_walk_dws = {
    .name = "walk_dws",
    .init = walk_dws_init,
};
