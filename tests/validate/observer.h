/*
 * Watches the queues of a GPU from outside, at the end of every cycle: the number of entries from the structure's own
 * bookkeeping (free lists, counts, credits), the comings and goings from its entries.
 */
#ifndef TESTS_VALIDATE_OBSERVER_H
#define TESTS_VALIDATE_OBSERVER_H

#include "script.h"
#include "validate/pool.h"

enum observed {
    OBSERVED_LSU,         /**< instructions in the LSUs */
    OBSERVED_L1TLB_MSHR,  /**< pages that miss an L1 TLB */
    OBSERVED_L2TLB_STALL, /**< look-ups that found no MSHR of the L2 TLB */
    OBSERVED_L2TLB_MSHR,  /**< pages that miss the L2 TLB */
    OBSERVED_WALK_BUFFER, /**< walks that wait for a walker */
    OBSERVED_WALKERS,     /**< walks that have one */
    OBSERVED_L1D_MSHR,    /**< lines that miss an L1D */
    OBSERVED_MISS_QUEUE,  /**< requests of the SMs that wait for the crossbar */
    OBSERVED_PTE_QUEUE,   /**< requests of the walkers that do */
    OBSERVED_BANK_QUEUE,  /**< requests between there and their look-up */
    OBSERVED_L2_STALL,    /**< of those, the ones at a bank that cannot go on */
    OBSERVED_REQUESTS,    /**< all requests, until their reply leaves the bank */
    OBSERVED_L2_MSHR,     /**< lines that miss the L2 */
    OBSERVED_DRAM_READ,   /**< reads in the queues of the DRAM channels */
    OBSERVED_DRAM_WRITE,  /**< writes there */
    OBSERVED,
};

extern const char *const observed_names[OBSERVED];

struct observer;

/** The GPU must outlive it. */
struct observer *observer_new(struct mh_gpu *g);
void observer_free(struct observer *o);

/** Advances the GPU cycle by cycle, up to `until`, and looks at the end of each. */
void observer_run(struct observer *o, uint64_t until);

/** Starts counting, in the cycle in which the GPU is. */
void observer_reset(struct observer *o);

const struct pool *observer_pool(const struct observer *o, enum observed which);

/** What the tenants' counters have grown by since the last reset, all tenants together. */
struct mh_counters observer_counters(const struct observer *o);

/** Requests that the banks of the L2 have looked up, or passed on to DRAM past what they hold. */
uint64_t observer_lookups(const struct mh_counters *c);

/** Mean walks that exist, from the tenants' gauges. */
double observer_walks(const struct observer *o);

/** One sample of the channels' queues (observer_dram.c). */
void observer_look_at_dram(const struct mh_gpu *g, struct pool *reads, struct pool *writes);

#endif
