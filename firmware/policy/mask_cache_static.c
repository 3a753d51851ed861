/*
 * L2 bypass as MASK's public simulator has it (CMU-SAFARI/Mosaic, 5788aae, mem_fetch.cc:235, tlb_bypass_level 2): once
 * it is enabled, all levels of a walk but the leaf go past the L2, whatever their hit rates. Depth 1 is the leaf there:
 * memory_owner.cc:174 gives level 1 the whole page number, and the walk begins at the last level. The paper decides by
 * hit rates: mask_cache.
 */
#include "policy.h"

POLICY_OWNS(L2_BYPASS);

static enum policy_status mask_cache_static_init(const struct gpu_caps *caps)
{
    if (caps->levels < 1 || !(caps->features & MH_FEATURE_L2_BYPASS))
        return POLICY_UNSUPPORTED;
    gpu_set_knob(L2_BYPASS, 0, (1u << (caps->levels - 1)) - 1);
    return POLICY_OK;
}

const struct policy policy_mask_cache_static = {
    .name = "mask_cache_static",
    .init = mask_cache_static_init,
};
