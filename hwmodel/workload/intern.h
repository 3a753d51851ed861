/* A pool that stores equal runs of 64-bit words once. */
#ifndef MEMHELM_WORKLOAD_INTERN_H
#define MEMHELM_WORKLOAD_INTERN_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

struct mh_pool {
    uint64_t *words;
    size_t count, capacity;
    struct mh_pool_entry *table; /**< open addressing; size is a power of two */
    size_t entries, table_size;
};

/** Pool full (see limit) or memory short. */
#define MH_POOL_FULL UINT32_MAX

/**
 * Index of the first of `count` > 0 words equal to `words`, added if they are new and the pool stays below `limit` <=
 * 2^31 words. What an index means does not depend on the table's order: runs are stored in order of first appearance.
 */
uint32_t mh_pool_intern(struct mh_pool *p, const uint64_t *words, uint32_t count, size_t limit);

/** Frees the look-up table; the words stay. */
void mh_pool_seal(struct mh_pool *p);
void mh_pool_free(struct mh_pool *p);

#endif
