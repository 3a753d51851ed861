/*
 * The golden queue of MASK (sec. 5.4) without turns at the silver one: what of mask_dram's effect is due to walks that
 * go before data. The paper does not have it.
 */
#include "policy.h"

POLICY_OWNS(DRAM_QUEUES);
POLICY_OWNS(SILVER_THRESH);

static enum policy_status mask_golden_init(const struct gpu_caps *caps)
{
    if (!(caps->features & MH_FEATURE_DRAM_QUEUES))
        return POLICY_UNSUPPORTED;
    gpu_set_knob(DRAM_QUEUES, 0, 1);
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        gpu_set_knob(SILVER_THRESH, tenant, 0);
    return POLICY_OK;
}

const struct policy policy_mask_golden = {
    .name = "mask_golden",
    .init = mask_golden_init,
};
