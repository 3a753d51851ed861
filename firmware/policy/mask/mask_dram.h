/*
 * The decision of MASK's DRAM scheduler (Ausavarungnirun et al., MASK, sec. 5.4, equation 1): how many data requests
 * each tenant may add to the silver queue of a channel in its turn.
 */
#ifndef FIRMWARE_MASK_DRAM_H
#define FIRMWARE_MASK_DRAM_H

#include <stdint.h>

#include "../policy.h"

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

#endif
