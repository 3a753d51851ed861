/*
 * Fixed orders of page walks (Shin et al., ISCA 2018): first come first served, the baseline; any waiting walk, the
 * naive comparison of sec. III; and SIMT-aware with the paper's costs, batching and ageing (sec. IV).
 */
#include "../policy.h"

POLICY_OWNS(WALK_ORDER);

static enum policy_status walk_order_set(const struct gpu_caps *caps, uint32_t order)
{
    if (!(caps->features & MH_FEATURE_WALK_ORDER))
        return POLICY_UNSUPPORTED;
    gpu_set_knob(WALK_ORDER, 0, order);
    return POLICY_OK;
}

static enum policy_status walk_fcfs_init(const struct gpu_caps *caps)
{
    return walk_order_set(caps, MH_WALK_FCFS);
}

static enum policy_status walk_random_init(const struct gpu_caps *caps)
{
    return walk_order_set(caps, MH_WALK_RANDOM);
}

static enum policy_status walk_simt_init(const struct gpu_caps *caps)
{
    return walk_order_set(caps, MH_WALK_SIMT);
}

const struct policy policy_walk_fcfs = {.name = "walk_fcfs", .init = walk_fcfs_init};
const struct policy policy_walk_random = {.name = "walk_random", .init = walk_random_init};
const struct policy policy_walk_simt = {.name = "walk_simt", .init = walk_simt_init};
