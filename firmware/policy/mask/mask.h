/* The decisions of MASK (Ausavarungnirun et al., ASPLOS 2018), and which of its parts help (ours). */
#ifndef FIRMWARE_MASK_H
#define FIRMWARE_MASK_H

#include <stdbool.h>
#include <stdint.h>

#include "../../platform/gpu.h"
#include "../policy.h"

/*
 * The decision of MASK's TLB-fill tokens (Ausavarungnirun et al., MASK, sec. 5.2): how many warps of a tenant may fill
 * the shared L2 TLB on each SM.
 */

/** What the paper calls a parameter, and the step that it does not give. */
struct mask_tokens_config {
    uint8_t initial_percent; /**< InitialTokens, % of the tenant's warps, 1..100 (sec. 6: 80) */
    uint8_t step_percent;    /**< how many more or fewer at a time, % of the tenant's warps, 1..100 (ours: 10) */
};

/** Low words of cumulative counters of one tenant: an epoch has less than 2^31 look-ups. */
struct mask_tokens_counters {
    uint32_t accesses; /**< L2 TLB look-ups, pages */
    uint32_t hits; /**< look-ups that hit in the L2 TLB or in the bypass cache: "a hit in either yields a TLB hit" */
};

/** What the decision remembers of one tenant. All zero before the first epoch. */
struct mask_tokens_state {
    struct mask_tokens_counters last; /**< at the end of the last epoch */
    uint32_t tokens;                  /**< decided last, warps per SM; 0 = none yet: the tenant is not restricted */
    uint32_t warps;                   /**< that `tokens` were decided for */
    uint32_t miss_rate;               /**< of the last epoch with look-ups, in units of 0.01 % */
    bool has_miss_rate;               /**< there was such an epoch */
};

/**
 * Decides at the end of an epoch. `warps` is the most warps that the tenant has had on an SM so far, 0..65535; `now`
 * the counters at this cycle. Returns the tokens to set, 1..warps, or 0 while there is nothing to decide from.
 *
 * Without warps there is nothing of which to take a share: the tokens stay as they are, at first no restriction. The
 * first epoch with warps ends with the initial tokens. Later ones compare miss rates: up by more than 2 % takes tokens
 * away, down by more than 2 % gives some back, never below one. An epoch without look-ups says nothing about
 * contention, and the next comparison is against the last epoch that had some (ours).
 *
 * A tenant whose CTAs come one after the other has few warps in its first epoch. When it has more, the tokens grow by
 * as much as the initial tokens would; what was given and taken since stays (ours: the paper does not say). With fewer
 * they shrink alike.
 *
 * A miss rate is kept 0.0108 % too low to 0.0008 % too high, whatever the counts. So a change of 1.998 % or less never
 * moves a token, one of 2.012 % or more always does.
 */
uint32_t mask_tokens_decide(const struct mask_tokens_config *config, struct mask_tokens_state *state, uint32_t warps,
                            const struct mask_tokens_counters *now);

/**
 * The tenant has arrived: nothing is decided for it, as before its first epoch. Its counters go on.
 */
void mask_tokens_restart(struct mask_tokens_state *state);

/** State of each tenant, for mask_adaptive. */
extern struct mask_tokens_state mask_tokens_states[GPU_MAX_TENANTS];

/** Hooks of policy mask_tokens, which mask_adaptive calls. */
enum policy_status mask_tokens_init(const struct gpu_caps *caps);
void mask_tokens_on_epoch(const struct gpu_caps *caps);
void mask_tokens_on_event(const struct gpu_caps *caps, const struct gpu_event *event);

/*
 * The decision of MASK's address-translation-aware L2 bypass (Ausavarungnirun et al., MASK, sec. 5.3): which depths of
 * page walks neither probe nor fill the L2 cache.
 */

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

/*
 * The decision of MASK's DRAM scheduler (Ausavarungnirun et al., MASK, sec. 5.4, equation 1): how many data requests
 * each tenant may add to the silver queue of a channel in its turn.
 */

/** thresh_max (MASK sec. 6), requests. */
#define MASK_DRAM_THRESH_MAX 500

/** The hardware's counters have 6 bits: no tenant counts more walks, or warps of a walk. */
#define MASK_DRAM_COUNTER_MAX 63

/** What an epoch measured of one tenant. Each in any unit that is the same for all tenants; below 2^14. */
struct mask_dram_counters {
    uint16_t walks;   /**< ConPTW: page walks at a time, waiting or running */
    uint16_t stalled; /**< WarpsStalled: warps stalled by one TLB miss */
};

/** Low words of cumulative counters of one tenant, or differences of them. */
struct mask_dram_sums {
    uint32_t walks_area; /**< walks x GPU cycles */
    uint32_t walks;      /**< that ended */
    uint32_t stalled;    /**< warps that waited for them */
};

/**
 * Means of an epoch of `cycles` GPU cycles: walks_area / cycles, and stalled / walks, each MASK_DRAM_COUNTER_MAX at
 * most; 0 where nothing can be divided. An error of 0.4 % of one walk and 0.2 % of one warp, or of 0.8 % of the value,
 * at most. 1 <= tenants <= 8.
 */
void mask_dram_means(const struct mask_dram_sums *epoch, uint32_t tenants, uint32_t cycles,
                     struct mask_dram_counters *now);

/**
 * Decides at the end of an epoch: thresh[i] = thresh_max * walks_i * stalled_i / (the sum of the products), in requests
 * per turn, rounded to the nearest: 0 .. thresh_max. A sum of zero gives equal shares, rounded down (ours); so it is
 * from the start, or from the arrival of a tenant, to the end of the epoch (ours: a newcomer's share would be 0).
 * 1 <= tenants <= 8.
 */
void mask_dram_decide(const struct mask_dram_counters *now, uint32_t tenants, uint32_t *thresh);

/** Hooks of policy mask_dram, which mask_adaptive calls. */
enum policy_status mask_dram_init(const struct gpu_caps *caps);
void mask_dram_on_epoch(const struct gpu_caps *caps);
void mask_dram_on_event(const struct gpu_caps *caps, const struct gpu_event *event);

/*
 * Which parts of MASK are in force (ours; Ausavarungnirun et al. have all of them on always): each is tried the other
 * way in time, and stays as the tenants made more progress.
 *
 * A trial of a part takes four stretches: as it is, the other way; the other way, as it is. A part changes if both
 * halves say so: a kernel that becomes faster, or that has phases, favours one order and not the other. If they
 * contradict each other, the next trial of the part has stretches twice as long, to cover the phases: from one epoch to
 * MASK_ADAPTIVE_STRETCH_MAX. Between trials of a part there are MASK_ADAPTIVE_GAP stretches, and twice as many after
 * each trial that changes nothing, up to MASK_ADAPTIVE_GAP_MAX: two stretches of a trial are all
 * that a wrong guess costs.
 *
 * A tenant alone has one DRAM queue: turns are for fairness between tenants, and three queues are smaller than one.
 */

/** They are tried in turn, in this order; bit 1 << part in sets of them. */
enum mask_adaptive_part {
    MASK_ADAPTIVE_DRAM,   /**< three DRAM queues */
    MASK_ADAPTIVE_TOKENS, /**< TLB-fill tokens */
    MASK_ADAPTIVE_CACHE,  /**< L2 bypass */
    MASK_ADAPTIVE_PARTS,
    MASK_ADAPTIVE_ALL = (1 << MASK_ADAPTIVE_PARTS) - 1,
};

enum {
    MASK_ADAPTIVE_STEPS = 4,       /**< stretches of a trial */
    MASK_ADAPTIVE_STRETCH_MAX = 8, /**< epochs (ours) */
    MASK_ADAPTIVE_GAP = 4,         /**< stretches from the end of a part's first trial to its next one (ours) */
    MASK_ADAPTIVE_GAP_MAX = 64,    /**< at most (ours): 2 of 68 stretches are other than they should be */
    MASK_ADAPTIVE_ONE = 4096,      /**< progress of 100 % */
    MASK_ADAPTIVE_MARGIN = 20,     /**< half of the gain from which on a part changes: 1 % of its progress (ours) */
};

/** Of one part. */
struct mask_adaptive_trials {
    uint8_t gap;     /**< stretches between trials; 0: it has had none */
    uint8_t stretch; /**< epochs */
    uint16_t due;    /**< epochs until it may be tried again */
};

/** What the decision remembers. All zero before mask_adaptive_restart(). */
struct mask_adaptive_state {
    uint32_t last[GPU_MAX_TENANTS];    /**< instructions at the end of the last epoch */
    uint32_t last_cycle;               /**< of that */
    uint32_t made[2][GPU_MAX_TENANTS]; /**< instructions in the stretches of a half: as it is; the other way */
    uint32_t cycles[2];                /**< GPU cycles of those */
    struct mask_adaptive_trials of[MASK_ADAPTIVE_PARTS];
    uint8_t on;    /**< parts that are in force outside trials */
    uint8_t part;  /**< that is being tried, or was last */
    uint8_t step;  /**< stretch of the trial that runs, 1 .. MASK_ADAPTIVE_STEPS; 0: there is none */
    uint8_t epoch; /**< of that stretch, from 0 on */
    bool first;    /**< the first half said that the other way is better */
};

/** These parts are in force, and none has been tried: at boot, or when a tenant comes or goes. Counters go on. */
void mask_adaptive_restart(struct mask_adaptive_state *state, uint32_t parts);

/**
 * Decides at the end of an epoch. `instructions` has the low words of what each tenant has issued, `cycle` that of the
 * GPU cycle; a stretch has less than 2^31 of each. `useful` is the set of parts that would restrict anybody now: others
 * are not tried. Returns the set that is to be in force in the next epoch.
 */
uint32_t mask_adaptive_decide(struct mask_adaptive_state *state, uint32_t tenants, uint32_t cycle,
                              const uint32_t *instructions, uint32_t useful);

/**
 * How much more progress all tenants made in the second of two stretches of time: the sum over tenants of (b - a) /
 * (a + b), in units of 1 / MASK_ADAPTIVE_ONE, with a and b in instructions per cycle. Each counts by its own progress,
 * however many instructions that is. One without any in both does not count.
 */
int32_t mask_adaptive_progress(const uint32_t made[2][GPU_MAX_TENANTS], const uint32_t cycles[2], uint32_t tenants);

#endif
