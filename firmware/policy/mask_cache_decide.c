#include "mask_cache.h"

#include <stdbool.h>

/* At an edge of the epoch hits can be ahead of look-ups. */
static bool below(const struct mask_cache_rate *a, const struct mask_cache_rate *b)
{
    uint32_t a_hits = a->hits < a->accesses ? a->hits : a->accesses;
    uint32_t b_hits = b->hits < b->accesses ? b->hits : b->accesses;

    return (uint64_t)a_hits * b->accesses < (uint64_t)b_hits * a->accesses;
}

/* Makes the last counts the epoch's own. */
static void since(struct mask_cache_rate *last, const struct mask_cache_rate *now)
{
    last->accesses = now->accesses - last->accesses;
    last->hits = now->hits - last->hits;
}

uint32_t mask_cache_decide(struct mask_cache_state *state, uint32_t levels, const struct mask_cache_counters *now)
{
    struct mask_cache_rate *epoch = state->last.depth;

    since(&epoch[0], &now->depth[0]);
    for (uint32_t depth = 1; depth <= levels; depth++) {
        uint32_t bit = 1u << (depth - 1);

        since(&epoch[depth], &now->depth[depth]);
        if (epoch[depth].accesses == 0 || epoch[0].accesses == 0)
            continue;
        state->mask = below(&epoch[depth], &epoch[0]) ? state->mask | bit : state->mask & ~bit;
    }
    state->last = *now;
    return state->mask;
}
