/*
 * The decision of MASK's address-translation-aware L2 bypass (Ausavarungnirun et al., MASK, sec. 5.3): which depths of
 * page walks neither probe nor fill the L2 cache.
 */
#ifndef FIRMWARE_MASK_CACHE_H
#define FIRMWARE_MASK_CACHE_H

#include <stdint.h>

#include "../policy.h"

#define MASK_CACHE_MAX_LEVELS 4

/** Look-ups in the L2: low words of cumulative counts, or differences of them. */
struct mask_cache_rate {
    uint32_t accesses, hits;
};

/** Of all tenants together: [0] data, [d] page walks at depth d, 1 = root. */
struct mask_cache_counters {
    struct mask_cache_rate depth[MASK_CACHE_MAX_LEVELS + 1];
};

/** What the decision remembers. All zero before the first epoch. */
struct mask_cache_state {
    struct mask_cache_counters last; /**< at the end of the last epoch */
    uint32_t mask;                   /**< decided last */
};

/**
 * Decides at the end of an epoch from the epoch's own look-ups; `levels` is 1..MASK_CACHE_MAX_LEVELS. Returns the mask,
 * bit d - 1 for depth d.
 *
 * A depth is bypassed while its hit rate is below that of data. Of a depth that is bypassed only the sampled sets of
 * the L2 are seen, and they count as any other. Without look-ups of the depth, or of data, there is nothing to compare:
 * the depth stays as it was (ours). Before the first epoch's end nothing is bypassed.
 *
 * An epoch has less than 2^32 look-ups. Rates are compared as cross products, exactly.
 */
uint32_t mask_cache_decide(struct mask_cache_state *state, uint32_t levels, const struct mask_cache_counters *now);

/** State, for mask_adaptive. */
extern struct mask_cache_state mask_cache_state;

/** Hooks of policy mask_cache, which mask_adaptive calls. */
enum policy_status mask_cache_init(const struct gpu_caps *caps);
void mask_cache_on_epoch(const struct gpu_caps *caps);

#endif
