/*
 * The decision of MASK's DRAM scheduler (Ausavarungnirun et al., MASK, sec. 5.4, equation 1): how many data requests
 * each tenant may add to the silver queue of a channel in its turn.
 */
#ifndef FIRMWARE_MASK_DRAM_H
#define FIRMWARE_MASK_DRAM_H

#include <stdint.h>

/** thresh_max (MASK sec. 6), requests. */
#define MASK_DRAM_THRESH_MAX 500

/** What the hardware measured of one tenant in the epoch. Both are counters of 6 bits that stop at 63. */
struct mask_dram_counters {
    uint8_t walks;   /**< ConPTW: most page walks waiting or running at a time */
    uint8_t stalled; /**< WarpsStalled: most warps stalled by one TLB miss */
};

/**
 * Decides at the end of an epoch: thresh[i] = thresh_max * walks_i * stalled_i / (the sum of the products), in requests
 * per turn, rounded to the nearest: 0 .. thresh_max. A sum of zero gives equal shares, rounded down (ours); so it is
 * from the start, or from the arrival of a tenant, to the end of the epoch (ours: a newcomer's share would be 0).
 * 1 <= tenants <= 8; larger counts than 63 are taken for 63.
 */
void mask_dram_decide(const struct mask_dram_counters *now, uint32_t tenants, uint32_t *thresh);

#endif
