/*
 * Watches the queues of a GPU from outside, at the end of every cycle: the number of entries from the structure's own
 * bookkeeping (free lists, counts, credits), the comings and goings from its entries.
 */
#ifndef TESTS_VALIDATE_OBSERVER_H
#define TESTS_VALIDATE_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "script.h"

/*
 * A queue seen from outside: its entries at the end of each cycle. An entry is known by its handle (a
 * place in an array of the model) and a key that tells successive users of the place apart; when it came is what the
 * pool itself has seen, not what the model says.
 */

struct pool_entry {
    uint64_t key;
    uint64_t came; /**< cycle of the first sample with this key */
    uint64_t seen; /**< cycle of the last sample with this key + 1; 0 = never */
};

struct pool {
    struct pool_entry *entry; /**< [capacity], by handle */
    uint32_t *present;        /**< handles seen in the last sample */
    uint32_t capacity, count, before;
    uint64_t now;
    /** Since the last pool_reset(). Latencies in cycles, whole ones, of those that left. */
    uint64_t samples, occupancy_sum, left, latency_sum;
    uint64_t age_before; /**< of those that were there at the reset, what lies before it */
};

/** Handles are 0 .. capacity - 1. Ends the program when memory runs out. */
void pool_init(struct pool *p, uint32_t capacity);
void pool_free(struct pool *p);

/** Starts counting; what is in the pool is remembered. */
void pool_reset(struct pool *p);

/**
 * One sample: pool_begin(), pool_see() for each entry that is there, once, and pool_end() with the number of entries
 * that the structure itself counts. pool_see() returns true for one that was not there in the sample before.
 */
void pool_begin(struct pool *p, uint64_t now);
bool pool_see(struct pool *p, uint32_t handle, uint64_t key);
void pool_end(struct pool *p, uint64_t occupancy);

/** Mean entries per sample, and entries that left per sample. */
double pool_occupancy(const struct pool *p);
double pool_rate(const struct pool *p);

/**
 * What the two ends of the window add to the latencies of those that left: the age of those that are still there, less
 * what lies before the window. Negligible in a long window.
 */
double pool_ends(const struct pool *p);

/** Cycles spent here inside the window, for each entry that left. */
double pool_latency(const struct pool *p);

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
