#include "mask_adaptive.h"

#include <stdbool.h>
#include <string.h>

enum {
    MADE_BITS = 16,  /* instructions are scaled below 2^16 and cycles below 2^15: a product fits an int32_t, */
    CYCLE_BITS = 15, /* and each is rounded by 2^-14 at most, a sixtieth of the margin */
    ONE_BITS = 12,
};

_Static_assert(1 << ONE_BITS == MASK_ADAPTIVE_ONE, "a quotient in its units by a shift of the divisor");

/* Shift that makes the larger of both less than 2^bits. */
static uint32_t excess(uint32_t a, uint32_t b, uint32_t bits)
{
    uint32_t shift = 0;

    while ((a | b) >> shift >> bits)
        shift++;
    return shift;
}

int32_t mask_adaptive_progress(const uint32_t made[2][GPU_MAX_TENANTS], const uint32_t cycles[2], uint32_t tenants)
{
    uint32_t slow = excess(cycles[0], cycles[1], CYCLE_BITS);
    int32_t sum = 0;

    for (uint32_t t = 0; t < tenants; t++) {
        uint32_t shift = excess(made[0][t], made[1][t], MADE_BITS);
        uint32_t a = (made[0][t] >> shift) * (cycles[1] >> slow), b = (made[1][t] >> shift) * (cycles[0] >> slow);
        uint32_t one = (a + b) >> ONE_BITS;

        if (one > 0)
            sum += (int32_t)(b - a) / (int32_t)one;
    }
    return sum;
}

void mask_adaptive_restart(struct mask_adaptive_state *state, uint32_t parts)
{
    state->on = (uint8_t)parts;
    state->part = MASK_ADAPTIVE_PARTS - 1; /* the first one is next */
    state->step = state->epoch = 0;
    memset(state->made, 0, sizeof state->made);
    memset(state->cycles, 0, sizeof state->cycles);
    for (uint32_t part = 0; part < MASK_ADAPTIVE_PARTS; part++)
        state->of[part] = (struct mask_adaptive_trials){.stretch = 1};
}

/* Stretches of a trial in which the part is the other way. */
static bool is_other(uint32_t step)
{
    return step == 2 || step == 3;
}

/* The trial is over. What each half said: whether the other way is better. */
static void judge(struct mask_adaptive_state *state, bool first, bool second)
{
    struct mask_adaptive_trials *t = &state->of[state->part];

    state->step = 0;
    if (first && second)
        state->on ^= (uint8_t)(1u << state->part);
    if ((first && second) || t->gap == 0)
        t->gap = MASK_ADAPTIVE_GAP;
    else if (t->gap < MASK_ADAPTIVE_GAP_MAX)
        t->gap *= 2;
    if (first != second && t->stretch < MASK_ADAPTIVE_STRETCH_MAX)
        t->stretch *= 2;
    t->due = (uint16_t)(t->gap * t->stretch);
}

/* A stretch has ended; with every second one a half. */
static void end_stretch(struct mask_adaptive_state *state, uint32_t tenants)
{
    bool better, last = state->step == MASK_ADAPTIVE_STEPS;

    state->epoch = 0;
    if (state->step++ % 2)
        return;
    better = mask_adaptive_progress(state->made, state->cycles, tenants) > (int32_t)(tenants * MASK_ADAPTIVE_MARGIN);
    memset(state->made, 0, sizeof state->made);
    memset(state->cycles, 0, sizeof state->cycles);
    if (last)
        judge(state, state->first, better);
    state->first = better;
}

/* The epoch that has ended was one of the trial. */
static void count(struct mask_adaptive_state *state, uint32_t tenants, uint32_t cycle, const uint32_t *instructions)
{
    bool other = is_other(state->step);

    for (uint32_t t = 0; t < tenants; t++)
        state->made[other][t] += instructions[t] - state->last[t];
    state->cycles[other] += cycle - state->last_cycle;
    if (++state->epoch == state->of[state->part].stretch)
        end_stretch(state, tenants);
}

/* The next part in turn that is due and of use. */
static void begin(struct mask_adaptive_state *state, uint32_t useful)
{
    for (uint32_t i = 1; i <= MASK_ADAPTIVE_PARTS; i++) {
        uint32_t part = (state->part + i) % MASK_ADAPTIVE_PARTS;

        if (!state->of[part].due && useful >> part & 1) {
            state->part = (uint8_t)part;
            state->step = 1;
            return;
        }
    }
}

uint32_t mask_adaptive_decide(struct mask_adaptive_state *state, uint32_t tenants, uint32_t cycle,
                              const uint32_t *instructions, uint32_t useful)
{
    for (uint32_t part = 0; part < MASK_ADAPTIVE_PARTS; part++)
        if (state->of[part].due)
            state->of[part].due--;
    if (state->step)
        count(state, tenants, cycle, instructions);
    if (!state->step)
        begin(state, useful);
    memcpy(state->last, instructions, tenants * sizeof *instructions);
    state->last_cycle = cycle;
    return state->on ^ (is_other(state->step) ? 1u << state->part : 0);
}
