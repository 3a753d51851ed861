/*
 * UCP's decision (Qureshi and Patt, utility-based cache partitioning, MICRO 2006): how many ways of each set of the L1D
 * every tenant gets, from what the monitors say that it would hit with them. Pure: counters in, ways out.
 *
 * The paper decides every 5 million cycles and halves the monitors' counters then (sec. 3.3, 4).
 */
#ifndef FIRMWARE_UCP_H
#define FIRMWARE_UCP_H

#include <stdint.h>

enum {
    UCP_MAX_TENANTS = 8,
    UCP_POSITIONS = 16, /**< that L1D_HITS tell apart; ways beyond them hit nothing more */
};

/** A tenant's hits by position in order of last use. Their sum is below 2^32. */
struct ucp_curve {
    uint32_t hits[UCP_POSITIONS];
    uint32_t before[UCP_POSITIONS]; /**< L1D_HITS at the last sample */
};

/** Starts a curve at these L1D_HITS: no hits. */
void ucp_begin(struct ucp_curve *curve, const uint32_t now[UCP_POSITIONS]);

/** Half of the hits so far, rounded down, and those since the last sample. Differences modulo 2^32. */
void ucp_sample(struct ucp_curve *curve, const uint32_t now[UCP_POSITIONS]);

/**
 * Lookahead (algorithm 1): of the `ways` that are left, again and again the tenant gets so many as it gains most hits a
 * way with; of equal gains the fewest ways, of equal tenants the first. Compared by cross products, exactly. `tenants`
 * is 1..8 and at most `ways`, 1..64; ways[t] of all are `ways` together.
 *
 * Each has a way first, as with the paper's two applications (sec. 3.4); a L1D_WAYS of 0 would be no limit. Ways that
 * gain no kernel a hit go one by one to the kernel with the fewest, of several the first (ours; the paper does not
 * say).
 */
void ucp_partition(const struct ucp_curve *curves, uint32_t tenants, uint32_t ways, uint8_t allocated[]);

#endif
