/*
 * L2 bypass as MASK's public simulator has it (CMU-SAFARI/Mosaic, mem_fetch.cc, check_bypass): once it is enabled, all
 * levels but the root go past the L2, whatever their hit rates. The paper decides by hit rates: mask_cache.
 */
#include "policy.h"

POLICY_OWNS(L2_BYPASS);

static enum policy_status mask_cache_static_init(const struct gpu_caps *caps)
{
    if (!(caps->features & MH_FEATURE_L2_BYPASS))
        return POLICY_UNSUPPORTED;
    gpu_set_knob(L2_BYPASS, 0, (1u << caps->levels) - 2);
    return POLICY_OK;
}

const struct policy policy_mask_cache_static = {
    .name = "mask_cache_static",
    .init = mask_cache_static_init,
};
