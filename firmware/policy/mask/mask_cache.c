/* L2 bypass of MASK (mask.h). */
#include "mask.h"

#include <stdbool.h>
#include <string.h>

#include "../param.h"

/*
 * MASK's public simulator (CMU-SAFARI/Mosaic, 5788aae, mem_fetch.cc:235, tlb_bypass_level 2) sends all levels but the
 * leaf past the L2, whatever their hit rates. Depth 1 is the leaf there: memory_owner.cc:174 gives level 1 the whole
 * page number, and the walk begins at the last level.
 */
POLICY_PARAM(cache_static, 0, 0, 1, "1: all levels but the leaf bypass the L2 (MASK's simulator); 0: by hit rates");

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

/* ---- on the GPU */

POLICY_OWNS(L2_BYPASS);

struct mask_cache_state mask_cache_state;

enum policy_status mask_cache_init(const struct gpu_caps *caps)
{
    memset(&mask_cache_state, 0, sizeof mask_cache_state);
    if (caps->levels < 1 || caps->levels > MASK_CACHE_MAX_LEVELS || !(caps->features & MH_FEATURE_L2_BYPASS))
        return POLICY_UNSUPPORTED;
    if (cache_static) {
        mask_cache_state.mask = (1u << (caps->levels - 1)) - 1;
        gpu_set_knob(L2_BYPASS, 0, mask_cache_state.mask);
    }
    return POLICY_OK;
}

/* The pairs of a depth follow each other in the register table. */
static enum mh_counter_index mask_cache_accesses(uint32_t depth)
{
    return depth == 0 ? MH_COUNTER_L2_ACCESS : (enum mh_counter_index)(MH_COUNTER_PTE1_ACCESS + 2 * (depth - 1));
}

_Static_assert(MH_COUNTER_L2_HIT == MH_COUNTER_L2_ACCESS + 1 && MH_COUNTER_PTE1_HIT == MH_COUNTER_PTE1_ACCESS + 1 &&
                   MH_COUNTER_PTE4_ACCESS == MH_COUNTER_PTE1_ACCESS + 6,
               "pairs of look-ups and hits, depth by depth");

void mask_cache_on_epoch(const struct gpu_caps *caps)
{
    struct mask_cache_counters now = {0};
    uint32_t before = mask_cache_state.mask;

    if (cache_static)
        return;
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        for (uint32_t depth = 0; depth <= caps->levels; depth++) {
            enum mh_counter_index accesses = mask_cache_accesses(depth);

            now.depth[depth].accesses += gpu_count(tenant, accesses);
            now.depth[depth].hits += gpu_count(tenant, (enum mh_counter_index)(accesses + 1));
        }
    if (mask_cache_decide(&mask_cache_state, caps->levels, &now) != before)
        gpu_set_knob(L2_BYPASS, 0, mask_cache_state.mask);
}

const struct policy policy_mask_cache = {
    .name = "mask_cache",
    .init = mask_cache_init,
    .on_epoch = mask_cache_on_epoch,
};
