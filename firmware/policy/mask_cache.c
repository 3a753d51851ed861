#include "mask_cache.h"

#include <stdbool.h>
#include <string.h>

#include "policy.h"

/*
 * Both counts of a rate fit 32 bits, so that a cross product of two fits 64. Halving a rate a/n rounds a and n down by
 * less than one in all, where n stays at least 2^31: a/n moves by less than 2^-31.
 */
static struct mask_cache_rate fit(struct mask_cache_rate r)
{
    if (r.hits > r.accesses)
        r.hits = r.accesses;
    while (r.accesses >> 32) {
        r.accesses >>= 1;
        r.hits >>= 1;
    }
    return r;
}

static bool below(struct mask_cache_rate a, struct mask_cache_rate b)
{
    a = fit(a);
    b = fit(b);
    return a.hits * b.accesses < b.hits * a.accesses;
}

static struct mask_cache_rate since(struct mask_cache_rate now, struct mask_cache_rate last)
{
    now.accesses -= last.accesses;
    now.hits -= last.hits;
    return now;
}

uint32_t mask_cache_decide(struct mask_cache_state *state, uint32_t levels, const struct mask_cache_counters *now)
{
    struct mask_cache_rate data = since(now->depth[0], state->last.depth[0]);

    for (uint32_t depth = 1; depth <= levels; depth++) {
        struct mask_cache_rate walks = since(now->depth[depth], state->last.depth[depth]);
        uint32_t bit = 1u << (depth - 1);

        if (walks.accesses == 0 || data.accesses == 0)
            continue;
        state->mask = below(walks, data) ? state->mask | bit : state->mask & ~bit;
    }
    state->last = *now;
    return state->mask;
}

POLICY_OWNS(L2_BYPASS);

static struct mask_cache_state mask_cache_state;

static enum policy_status mask_cache_init(const struct gpu_caps *caps)
{
    memset(&mask_cache_state, 0, sizeof mask_cache_state);
    if (caps->levels < 1 || caps->levels > MASK_CACHE_MAX_LEVELS)
        return POLICY_UNSUPPORTED;
    return caps->features & MH_FEATURE_L2_BYPASS ? POLICY_OK : POLICY_UNSUPPORTED;
}

/* The pairs of a depth follow each other in the register table. */
static enum mh_counter_index mask_cache_accesses(uint32_t depth)
{
    return depth == 0 ? MH_COUNTER_L2_ACCESS : (enum mh_counter_index)(MH_COUNTER_PTE1_ACCESS + 2 * (depth - 1));
}

_Static_assert(MH_COUNTER_L2_HIT == MH_COUNTER_L2_ACCESS + 1 && MH_COUNTER_PTE1_HIT == MH_COUNTER_PTE1_ACCESS + 1 &&
                   MH_COUNTER_PTE4_ACCESS == MH_COUNTER_PTE1_ACCESS + 6,
               "pairs of look-ups and hits, depth by depth");

static void mask_cache_on_epoch(const struct gpu_caps *caps)
{
    struct mask_cache_counters now = {0};
    uint32_t before = mask_cache_state.mask;

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        for (uint32_t depth = 0; depth <= caps->levels; depth++) {
            enum mh_counter_index accesses = mask_cache_accesses(depth);

            now.depth[depth].accesses += gpu_counter(tenant, accesses);
            now.depth[depth].hits += gpu_counter(tenant, (enum mh_counter_index)(accesses + 1));
        }
    if (mask_cache_decide(&mask_cache_state, caps->levels, &now) != before)
        gpu_set_knob(L2_BYPASS, 0, mask_cache_state.mask);
}

const struct policy policy_mask_cache = {
    .name = "mask_cache",
    .init = mask_cache_init,
    .on_epoch = mask_cache_on_epoch,
};
