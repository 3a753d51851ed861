/* UCP (Qureshi and Patt) on the L1Ds, as CCBP compares with it (sec. 7.5): ways to whom they save most misses. */
#include "policy.h"
#include "ucp.h"

POLICY_OWNS(L1D_WAYS);
POLICY_OWNS(L1D_MONITOR);

_Static_assert(UCP_POSITIONS == MH_L1D_POSITIONS, "a counter for each position");

/* Epochs of 100 000 cycles; the paper decides every 5 million, and runs some billions (ours). */
enum { UCP_EPOCHS = 5 };

static struct {
    struct ucp_curve curves[GPU_MAX_TENANTS];
    uint32_t epochs;
} ucp_ways_state;

static void ucp_ways_read(uint32_t tenant, uint32_t hits[UCP_POSITIONS])
{
    for (uint32_t position = 0; position < UCP_POSITIONS; position++)
        hits[position] = gpu_l1d_hits(tenant, position);
}

static enum policy_status ucp_ways_init(const struct gpu_caps *caps)
{
    static const uint32_t none[UCP_POSITIONS];

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        ucp_begin(&ucp_ways_state.curves[tenant], none);
    ucp_ways_state.epochs = 0;
    if (!(caps->features & MH_FEATURE_L1D_WAYS) || gpu_l1d_ways() < caps->tenants)
        return POLICY_UNSUPPORTED;
    gpu_set_knob(L1D_MONITOR, 0, 1);
    return POLICY_OK;
}

static void ucp_ways_on_epoch(const struct gpu_caps *caps)
{
    uint32_t hits[UCP_POSITIONS];
    uint8_t ways[GPU_MAX_TENANTS];

    if (++ucp_ways_state.epochs % UCP_EPOCHS)
        return;
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        ucp_ways_read(tenant, hits);
        ucp_sample(&ucp_ways_state.curves[tenant], hits);
    }
    ucp_partition(ucp_ways_state.curves, caps->tenants, gpu_l1d_ways(), ways);
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        gpu_set_knob(L1D_WAYS, tenant, ways[tenant]);
}

const struct policy policy_ucp_ways = {.name = "ucp_ways", .init = ucp_ways_init, .on_epoch = ucp_ways_on_epoch};
