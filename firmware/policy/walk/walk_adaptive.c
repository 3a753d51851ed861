#include "walk.h"

#include <string.h>

#include "../policy.h"

/* No product overflows: fewer than 2^63 instructions, and 2^57 cycles for 128 walkers, since the last decision. */
static bool divergent(bool before, uint64_t walks, uint64_t instructions)
{
    return instructions > 0 ? walks >= WALK_ADAPTIVE_WALKS * instructions : before;
}

uint32_t walk_adaptive_decide(struct walk_adaptive_state *state, uint32_t tenants, uint32_t walkers, uint64_t cycle,
                              const struct walk_adaptive_counters *now)
{
    uint64_t elapsed = cycle - state->cycle, cycles = 0;
    bool any = false;

    for (uint32_t t = 0; t < tenants; t++) {
        struct walk_adaptive_counters *last = &state->last[t];

        state->divergent[t] =
            divergent(state->divergent[t], now[t].walks - last->walks, now[t].instructions - last->instructions);
        any |= state->divergent[t];
        cycles += now[t].cycles - last->cycles;
        *last = now[t];
    }
    state->cycle = cycle;
    return any && cycles > walkers * elapsed ? MH_WALK_SIMT : MH_WALK_FCFS;
}

POLICY_OWNS(WALK_ORDER);

static struct walk_adaptive_state walk_adaptive_state;

static enum policy_status walk_adaptive_init(const struct gpu_caps *caps)
{
    memset(&walk_adaptive_state, 0, sizeof walk_adaptive_state);
    return caps->features & MH_FEATURE_WALK_ORDER ? POLICY_OK : POLICY_UNSUPPORTED;
}

static void walk_adaptive_on_epoch(const struct gpu_caps *caps)
{
    static struct walk_adaptive_counters now[GPU_MAX_TENANTS];

    for (uint32_t t = 0; t < caps->tenants; t++) {
        now[t].walks = gpu_counter(t, MH_COUNTER_WALKS);
        now[t].cycles = gpu_counter(t, MH_COUNTER_WALK_CYCLES);
        now[t].instructions = gpu_counter(t, MH_COUNTER_WALK_INSTR);
    }
    gpu_set_knob(WALK_ORDER, 0,
                 walk_adaptive_decide(&walk_adaptive_state, caps->tenants, caps->walkers, gpu_snap_cycle(), now));
}

const struct policy policy_walk_adaptive = {
    .name = "walk_adaptive",
    .init = walk_adaptive_init,
    .on_epoch = walk_adaptive_on_epoch,
};
