/*
 * Makes a policy out of the decision of MASK's L2 bypass. The policy's file defines MASK_CACHE_POLICY, its name, and
 * includes this.
 */
#include <string.h>

#include "mask_cache.h"
#include "policy.h"
#include "policy_name.h"

#define MASK_CACHE(what) POLICY_NAME(MASK_CACHE_POLICY, what)

POLICY_OWNS(L2_BYPASS);

static struct mask_cache_state MASK_CACHE(_state);

static enum policy_status MASK_CACHE(_init)(const struct gpu_caps *caps)
{
    memset(&MASK_CACHE(_state), 0, sizeof MASK_CACHE(_state));
    if (caps->levels < 1 || caps->levels > MASK_CACHE_MAX_LEVELS)
        return POLICY_UNSUPPORTED;
    return caps->features & MH_FEATURE_L2_BYPASS ? POLICY_OK : POLICY_UNSUPPORTED;
}

/* The pairs of a depth follow each other in the register table. */
static enum mh_counter_index MASK_CACHE(_accesses)(uint32_t depth)
{
    return depth == 0 ? MH_COUNTER_L2_ACCESS : (enum mh_counter_index)(MH_COUNTER_PTE1_ACCESS + 2 * (depth - 1));
}

_Static_assert(MH_COUNTER_L2_HIT == MH_COUNTER_L2_ACCESS + 1 && MH_COUNTER_PTE1_HIT == MH_COUNTER_PTE1_ACCESS + 1 &&
                   MH_COUNTER_PTE4_ACCESS == MH_COUNTER_PTE1_ACCESS + 6,
               "pairs of look-ups and hits, depth by depth");

static void MASK_CACHE(_on_epoch)(const struct gpu_caps *caps)
{
    struct mask_cache_counters now = {0};
    uint32_t before = MASK_CACHE(_state).mask;

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        for (uint32_t depth = 0; depth <= caps->levels; depth++) {
            enum mh_counter_index accesses = MASK_CACHE(_accesses)(depth);

            now.depth[depth].accesses += gpu_count(tenant, accesses);
            now.depth[depth].hits += gpu_count(tenant, (enum mh_counter_index)(accesses + 1));
        }
    if (mask_cache_decide(&MASK_CACHE(_state), caps->levels, &now) != before)
        gpu_set_knob(L2_BYPASS, 0, MASK_CACHE(_state).mask);
}

const struct policy POLICY_NAME(policy_, MASK_CACHE_POLICY) = {
    .name = POLICY_TEXT(MASK_CACHE_POLICY),
    .init = MASK_CACHE(_init),
    .on_epoch = MASK_CACHE(_on_epoch),
};
