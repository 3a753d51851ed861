/* TLB-fill tokens of MASK (mask.h). */
#include "mask.h"

#include <string.h>

#include "../param.h"

POLICY_PARAM(tokens_initial, 80, 1, 100, "% of the tenant's warps: InitialTokens (MASK sec. 6)");
POLICY_PARAM(tokens_step, 10, 1, 100, "% of the tenant's warps: given or taken at a time (ours)");

enum {
    RATE_ONE = 10000,  /* a rate of 100 %: 0.01 % steps, fine enough that 2 % is exact */
    RATE_BITS = 18,    /* counts are scaled below 2^18, so that count x RATE_ONE fits 32 bits */
    RATE_CHANGE = 200, /* 2 % of the miss rate (MASK sec. 5.2); read as absolute: ours */
};

/* Rounded down, but never below one: zero tokens or a step of nothing could not move again. */
static uint32_t share(uint32_t warps, uint32_t percent)
{
    uint32_t part = warps * percent / 100;

    return part > 0 ? part : 1;
}

/*
 * Misses / accesses in units of 0.01 %; 0 < accesses, misses <= accesses. Rounding down takes less than one unit.
 * Scaled counts are at least 2^17 accesses and each less than one too small: the quotient moves by less than 2^-17,
 * 0.08 units, up or down.
 */
static uint32_t rate(uint32_t misses, uint32_t accesses)
{
    while (accesses >> RATE_BITS) {
        accesses >>= 1;
        misses >>= 1;
    }
    return misses * RATE_ONE / accesses;
}

static uint32_t fewer(uint32_t tokens, uint32_t step)
{
    return tokens > step ? tokens - step : 1;
}

static uint32_t more(uint32_t tokens, uint32_t step, uint32_t warps)
{
    return warps - tokens > step ? tokens + step : warps;
}

/* The initial tokens; later as many more, or fewer, as the initial ones of another number of warps would be. */
static uint32_t follow_warps(const struct mask_tokens_config *config, const struct mask_tokens_state *state,
                             uint32_t warps)
{
    uint32_t initial = share(warps, config->initial_percent);
    uint32_t before = share(state->warps, config->initial_percent);

    if (state->tokens == 0)
        return initial;

    uint32_t tokens = fewer(state->tokens + initial, before);

    return tokens < warps ? tokens : warps;
}

static uint32_t follow_miss_rate(const struct mask_tokens_config *config, const struct mask_tokens_state *state,
                                 uint32_t miss_rate)
{
    uint32_t step = share(state->warps, config->step_percent);

    if (!state->has_miss_rate)
        return state->tokens;
    if (miss_rate > state->miss_rate + RATE_CHANGE)
        return fewer(state->tokens, step);
    if (miss_rate + RATE_CHANGE < state->miss_rate)
        return more(state->tokens, step, state->warps);
    return state->tokens;
}

uint32_t mask_tokens_decide(const struct mask_tokens_config *config, struct mask_tokens_state *state, uint32_t warps,
                            const struct mask_tokens_counters *now)
{
    uint32_t accesses = now->accesses - state->last.accesses;
    uint32_t hits = now->hits - state->last.hits;

    state->last = *now;
    if (warps == 0)
        return state->tokens;
    state->tokens = follow_warps(config, state, warps);
    state->warps = warps;
    if (accesses > 0) {
        /* A look-up counts when it starts and a hit when it ends: at an edge of the epoch hits can be ahead. */
        uint32_t miss_rate = rate(hits < accesses ? accesses - hits : 0, accesses);

        state->tokens = follow_miss_rate(config, state, miss_rate);
        state->miss_rate = miss_rate;
        state->has_miss_rate = true;
    }
    return state->tokens;
}

void mask_tokens_restart(struct mask_tokens_state *state)
{
    state->tokens = 0;
    state->has_miss_rate = false;
}

/* ---- on the GPU */

POLICY_OWNS(TOKENS);

static struct mask_tokens_config mask_tokens_config;
struct mask_tokens_state mask_tokens_states[GPU_MAX_TENANTS];

enum policy_status mask_tokens_init(const struct gpu_caps *caps)
{
    mask_tokens_config = (struct mask_tokens_config){(uint8_t)tokens_initial, (uint8_t)tokens_step};
    memset(mask_tokens_states, 0, sizeof mask_tokens_states);
    return caps->features & MH_FEATURE_TOKENS ? POLICY_OK : POLICY_UNSUPPORTED;
}

void mask_tokens_on_epoch(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        struct mask_tokens_counters now;
        uint32_t before = mask_tokens_states[tenant].tokens;
        uint32_t warps = gpu_count(tenant, MH_COUNTER_WARPS_PEAK);

        now.accesses = gpu_count(tenant, MH_COUNTER_L2TLB_ACCESS);
        now.hits = gpu_count(tenant, MH_COUNTER_L2TLB_HIT);
        now.hits += gpu_count(tenant, MH_COUNTER_BYPASS_HIT);
        /* "The total number of all warps in each core" (sec. 5.2): those that the tenant's CTAs really put there. */
        if (mask_tokens_decide(&mask_tokens_config, &mask_tokens_states[tenant], warps, &now) != before)
            gpu_set_knob(TOKENS, tenant, mask_tokens_states[tenant].tokens);
    }
}

/* Nothing restricts its first epoch: what is left of this one (ours). */
void mask_tokens_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind != MH_EVENT_TENANT_ARRIVED || event->tenant >= caps->tenants)
        return;
    mask_tokens_restart(&mask_tokens_states[event->tenant]);
    gpu_set_knob(TOKENS, event->tenant, caps->warps);
}

const struct policy policy_mask_tokens = {
    .name = "mask_tokens",
    .init = mask_tokens_init,
    .on_epoch = mask_tokens_on_epoch,
    .on_event = mask_tokens_on_event,
};
