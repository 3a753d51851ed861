/* DMIL (Dai et al., CCBP sec. 7.5): fewer memory instructions of a kernel in flight while the L1D refuses its lines. */
#include "mil.h"
#include "policy.h"

POLICY_OWNS(MEM_LIMIT);

static struct mil_state mil_limits_states[GPU_MAX_TENANTS];

static enum policy_status mil_limits_init(const struct gpu_caps *caps)
{
    static const struct mil_counters start;

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        mil_begin(&mil_limits_states[tenant], &start);
        if (caps->features & MH_FEATURE_QUOTAS)
            gpu_set_knob(MEM_LIMIT, tenant, MIL_NONE);
    }
    return caps->features & MH_FEATURE_QUOTAS ? POLICY_OK : POLICY_UNSUPPORTED;
}

static void mil_limits_on_epoch(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        struct mil_counters now = {.requests = gpu_count(tenant, MH_COUNTER_MEM_LINES),
                                   .fails = gpu_count(tenant, MH_COUNTER_RESERVATION_FAILS),
                                   .peak = gpu_count(tenant, MH_COUNTER_MEM_PEAK)};

        gpu_set_knob(MEM_LIMIT, tenant, mil_limit(&mil_limits_states[tenant], caps->sms, &now));
    }
}

const struct policy policy_mil_limits = {
    .name = "mil_limits", .init = mil_limits_init, .on_epoch = mil_limits_on_epoch};
