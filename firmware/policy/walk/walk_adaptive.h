/*
 * The decision of the adaptive order of walks: SIMT-aware where it can help, else first come first served (ours; Shin
 * et al., ISCA 2018, have it on always).
 *
 * It can help a tenant whose instructions have several walks each (regular kernels have one now and then, and nothing
 * to batch), and only while walks wait: as long as there is a walker for each, every order is the same.
 */
#ifndef FIRMWARE_WALK_ADAPTIVE_H
#define FIRMWARE_WALK_ADAPTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../platform/gpu.h"

/** Cumulative counters of one tenant. */
struct walk_adaptive_counters {
    uint64_t walks;        /**< finished */
    uint64_t cycles;       /**< sum of their latencies, GPU cycles */
    uint64_t instructions; /**< that had walks, finished */
};

/** What the decision remembers. All zero before the first epoch. */
struct walk_adaptive_state {
    struct walk_adaptive_counters last[GPU_MAX_TENANTS]; /**< at the last decision */
    uint64_t cycle;                                      /**< of the last decision */
    bool divergent[GPU_MAX_TENANTS]; /**< in the last epoch in which instructions with walks finished */
};

/** Walks per instruction from which on a tenant is divergent: fewer leave nothing to batch (sec. III-B). */
#define WALK_ADAPTIVE_WALKS 2

/**
 * Decides at the end of an epoch, in GPU cycle `cycle` since reset, for `tenants` tenants on a GPU with `walkers`
 * walkers, at least 1 each. Returns MH_WALK_SIMT or MH_WALK_FCFS.
 *
 * SIMT when some tenant is divergent and there were, on average since the last decision, more walks than walkers
 * (latencies sum up to more than walkers x cycles: Little's law). The last decision is longer ago than an epoch if one
 * was missed, or answered late. A tenant of which no instruction finished meanwhile is as divergent as it was.
 */
uint32_t walk_adaptive_decide(struct walk_adaptive_state *state, uint32_t tenants, uint32_t walkers, uint64_t cycle,
                              const struct walk_adaptive_counters *now);

#endif
