/*
 * Set-associative TLB with true LRU: the ways of a set stand in order of last use, most recent first. Sets are chosen
 * by the page alone: tenants share them, the key tells their entries apart.
 */
#ifndef MEMHELM_TRANSLATE_TLB_H
#define MEMHELM_TRANSLATE_TLB_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "translate/assoc.h"

#define MH_TLB_EMPTY UINT32_MAX

struct mh_tlb {
    uint32_t *key, *ppn; /**< [sets][ways]; key MH_TLB_EMPTY = no entry */
    uint32_t sets, ways;
};

/** `entries` in a power of two of sets of `ways`. 0, or -1 when memory ran out. */
static inline int mh_tlb_init(struct mh_tlb *t, uint32_t entries, uint32_t ways)
{
    t->ways = ways;
    t->sets = entries / ways;
    t->key = malloc(entries * sizeof *t->key);
    t->ppn = calloc(entries, sizeof *t->ppn);
    if (!t->key || !t->ppn)
        return -1;
    memset(t->key, 0xff, entries * sizeof *t->key);
    return 0;
}

static inline void mh_tlb_free(struct mh_tlb *t)
{
    free(t->key);
    free(t->ppn);
}

/** Index of the first way of the set in which `key` may stand. */
static inline uint32_t mh_tlb_set(const struct mh_tlb *t, uint32_t key)
{
    return (mh_page_of_key(key) & (t->sets - 1)) * t->ways;
}

static inline void mh_tlb_to_front(struct mh_tlb *t, uint32_t set, uint32_t way, uint32_t key, uint32_t ppn)
{
    for (; way; way--) {
        t->key[set + way] = t->key[set + way - 1];
        t->ppn[set + way] = t->ppn[set + way - 1];
    }
    t->key[set] = key;
    t->ppn[set] = ppn;
}

/** Physical page of `key`, made the most recently used of its set; or -1. */
static inline int64_t mh_tlb_lookup(struct mh_tlb *t, uint32_t key)
{
    uint32_t set = mh_tlb_set(t, key);

    for (uint32_t w = 0; w < t->ways; w++) {
        if (t->key[set + w] == key) {
            mh_tlb_to_front(t, set, w, key, t->ppn[set + w]);
            return t->ppn[set];
        }
    }
    return -1;
}

/** Adds a translation that is not there as the most recently used of its set; the least recently used makes room. */
static inline void mh_tlb_fill(struct mh_tlb *t, uint32_t key, uint32_t ppn)
{
    mh_tlb_to_front(t, mh_tlb_set(t, key), t->ways - 1, key, ppn);
}

#endif
