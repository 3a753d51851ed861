/* MASK whose parts are switched off while they do not help (mask.h). Each part decides as it does in MASK. */
#include "mask.h"

#include <string.h>

POLICY_USES(TOKENS);
POLICY_USES(L2_BYPASS);
POLICY_USES(DRAM_QUEUES);

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

/* ---- on the GPU */

static struct mask_adaptive_state mask_adaptive_state;
static uint32_t mask_adaptive_in_force;

static bool mask_adaptive_has(uint32_t parts, enum mask_adaptive_part part)
{
    return parts >> part & 1;
}

/* Turns of the silver queue are for fairness between tenants. Alone a tenant has all of them, and smaller queues. */
static uint32_t mask_adaptive_for(uint32_t tenants)
{
    return tenants > 1 ? MASK_ADAPTIVE_ALL : MASK_ADAPTIVE_ALL & ~(1u << MASK_ADAPTIVE_DRAM);
}

/* Tokens of fewer warps than the tenant has; 0 before its first decision. */
static bool mask_adaptive_restricts(uint32_t tenant)
{
    const struct mask_tokens_state *s = &mask_tokens_states[tenant];

    return s->tokens > 0 && s->tokens < s->warps;
}

static uint32_t mask_adaptive_useful(const struct gpu_caps *caps)
{
    uint32_t useful = mask_adaptive_for(caps->tenants) & 1u << MASK_ADAPTIVE_DRAM;

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        if (mask_adaptive_restricts(tenant))
            useful |= 1u << MASK_ADAPTIVE_TOKENS;
    return mask_cache_state.mask ? useful | 1u << MASK_ADAPTIVE_CACHE : useful;
}

/* Over what the parts have set. Tokens that are in force still were set when they changed. */
static void mask_adaptive_set(const struct gpu_caps *caps, uint32_t parts)
{
    bool tokens = mask_adaptive_has(parts, MASK_ADAPTIVE_TOKENS);

    if (tokens != mask_adaptive_has(mask_adaptive_in_force, MASK_ADAPTIVE_TOKENS))
        for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
            uint32_t held = mask_tokens_states[tenant].tokens;

            gpu_set_knob(TOKENS, tenant, tokens && held ? held : caps->warps);
        }
    if (!mask_adaptive_has(parts, MASK_ADAPTIVE_CACHE))
        gpu_set_knob(L2_BYPASS, 0, 0);
    else if (!mask_adaptive_has(mask_adaptive_in_force, MASK_ADAPTIVE_CACHE))
        gpu_set_knob(L2_BYPASS, 0, mask_cache_state.mask);
    if ((parts ^ mask_adaptive_in_force) >> MASK_ADAPTIVE_DRAM & 1)
        gpu_set_knob(DRAM_QUEUES, 0, mask_adaptive_has(parts, MASK_ADAPTIVE_DRAM));
    mask_adaptive_in_force = parts;
}

static enum policy_status mask_adaptive_init(const struct gpu_caps *caps)
{
    memset(&mask_adaptive_state, 0, sizeof mask_adaptive_state);
    mask_adaptive_restart(&mask_adaptive_state, mask_adaptive_for(caps->tenants));
    mask_adaptive_in_force = MASK_ADAPTIVE_ALL;
    if (mask_tokens_init(caps) || mask_cache_init(caps) || mask_dram_init(caps))
        return POLICY_UNSUPPORTED;
    mask_adaptive_set(caps, mask_adaptive_for(caps->tenants));
    return POLICY_OK;
}

/* Tokens learn from epochs in which they hold. Hit rates and walks are those of the GPU, whatever is in force. */
static void mask_adaptive_on_epoch(const struct gpu_caps *caps)
{
    uint32_t instructions[GPU_MAX_TENANTS];

    if (mask_adaptive_has(mask_adaptive_in_force, MASK_ADAPTIVE_TOKENS))
        mask_tokens_on_epoch(caps);
    mask_cache_on_epoch(caps);
    mask_dram_on_epoch(caps);
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        instructions[tenant] = gpu_count(tenant, MH_COUNTER_WARP_INSTR);
    mask_adaptive_set(caps, mask_adaptive_decide(&mask_adaptive_state, caps->tenants, gpu_snap_cycle_low(),
                                                 instructions, mask_adaptive_useful(caps)));
}

/* Measurements made with other tenants on the GPU do not apply to the new set. */
static void mask_adaptive_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind != MH_EVENT_TENANT_ARRIVED && event->kind != MH_EVENT_TENANT_LEFT)
        return;
    mask_tokens_on_event(caps, event);
    mask_dram_on_event(caps, event);
    mask_adaptive_restart(&mask_adaptive_state, mask_adaptive_for(caps->tenants));
    mask_adaptive_set(caps, mask_adaptive_for(caps->tenants));
}

const struct policy policy_mask_adaptive = {
    .name = "mask_adaptive",
    .init = mask_adaptive_init,
    .on_epoch = mask_adaptive_on_epoch,
    .on_event = mask_adaptive_on_event,
};
