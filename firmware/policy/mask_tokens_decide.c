#include "mask_tokens_decide.h"

enum {
    RATE_ONE = 10000, /* a rate of 100 %: 0.01 % steps, fine enough that 2 % is exact */
    RATE_BITS = 18,   /* counts are scaled below 2^18, so that count x RATE_ONE fits 32 bits */
    THRESHOLD = 200,  /* 2 % of the miss rate (MASK sec. 5.2); read as absolute: ours */
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
    if (miss_rate > state->miss_rate + THRESHOLD)
        return fewer(state->tokens, step);
    if (miss_rate + THRESHOLD < state->miss_rate)
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
