#include "mil.h"

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
