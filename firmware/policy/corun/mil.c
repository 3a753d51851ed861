/* DMIL (Dai et al., CCBP sec. 7.5): fewer memory instructions of a kernel in flight while the L1D refuses its lines. */
#include "mil.h"

#include "../policy.h"

void mil_begin(struct mil_state *state, const struct mil_counters *now)
{
    *state = (struct mil_state){.begin = *now, .limit = MIL_NONE};
    state->begin.peak = 0;
}

static uint32_t halved(struct mil_state *state)
{
    const uint32_t peak = state->begin.peak;

    if (peak > state->ceiling)
        state->ceiling = peak;
    return peak > 1 ? peak / 2 : 1;
}

static uint32_t grown(const struct mil_state *state)
{
    return state->limit + 1 < state->ceiling ? state->limit + 1 : MIL_NONE;
}

uint32_t mil_limit(struct mil_state *state, uint32_t sms, const struct mil_counters *now)
{
    const uint32_t requests = now->requests - state->begin.requests, fails = now->fails - state->begin.fails;

    if (now->peak > state->begin.peak)
        state->begin.peak = now->peak;
    if (requests < MIL_REQUESTS * sms)
        return state->limit;
    state->limit = fails >= requests ? halved(state) : grown(state);
    state->begin = *now;
    state->begin.peak = 0;
    return state->limit;
}

/* ---- on the GPU */

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
