#include "walk.h"

#include <string.h>

#include "../policy.h"

enum {
    MOST_AT_ONCE = 64, /* arrivals of one interrupt: epochs and the end of the run must have their turn; ours */
};

uint32_t walk_scored_decide(struct walk_scored_state *state, uint32_t instruction, uint32_t reads)
{
    uint32_t entry = instruction % WALK_SCORED_ENTRIES;
    uint32_t sum = reads + (state->tag[entry] == instruction + 1 ? state->reads[entry] : 0u);

    if (sum > MH_WALK_SCORE_MAX)
        sum = MH_WALK_SCORE_MAX;
    state->tag[entry] = instruction + 1;
    state->reads[entry] = (uint16_t)sum;
    return sum;
}

POLICY_OWNS(WALK_ORDER);
POLICY_OWNS(WALK_ARRIVAL);

static struct walk_scored_state walk_scored_state;

static enum policy_status walk_scored_init(const struct gpu_caps *caps)
{
    if (!(caps->features & MH_FEATURE_WALK_SCORES))
        return POLICY_UNSUPPORTED;
    memset(&walk_scored_state, 0, sizeof walk_scored_state);
    gpu_set_knob(WALK_ORDER, 0, MH_WALK_SCORED);
    return POLICY_OK;
}

/* What is left in the FIFO is served with the next arrival, or the walks have gone by then. */
static void walk_scored_on_arrival(const struct gpu_caps *caps)
{
    struct gpu_arrival arrival;

    (void)caps;
    for (uint32_t i = 0; i < MOST_AT_ONCE && gpu_pop_arrival(&arrival); i++)
        gpu_score_walks(arrival.instruction,
                        walk_scored_decide(&walk_scored_state, arrival.instruction, arrival.reads));
}

const struct policy policy_walk_scored = {
    .name = "walk_scored",
    .init = walk_scored_init,
    .on_arrival = walk_scored_on_arrival,
};
