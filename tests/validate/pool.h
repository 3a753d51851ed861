/*
 * A queue seen from outside: its entries at the end of each cycle. An entry is known by its handle (a
 * place in an array of the model) and a key that tells successive users of the place apart; when it came is what the
 * pool itself has seen, not what the model says.
 */
#ifndef TESTS_VALIDATE_POOL_H
#define TESTS_VALIDATE_POOL_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
