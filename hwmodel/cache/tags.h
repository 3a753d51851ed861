/*
 * Set-associative tag array with true LRU: the ways of a set stand in order of last use, most recent first.
 * An entry is line << 4 | state, state never 0 of an entry in use; lines below 2^28. The L1D keeps the sectors that are
 * there as its state, the L2 the flags below.
 */
#ifndef MEMHELM_CACHE_TAGS_H
#define MEMHELM_CACHE_TAGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    MH_TAG_VALID = 1,
    MH_TAG_DIRTY = 2,
    MH_TAG_PENDING = 4, /**< reserved for a line that is on its way: not a victim, not a hit */
    MH_TAG_BITS = 4,
    MH_TAG_STATE = (1 << MH_TAG_BITS) - 1,
};

struct mh_tags {
    uint32_t *entry; /**< [sets][ways] */
    uint32_t sets, ways;
};

/** 0, or -1 when memory ran out. */
static inline int mh_tags_init(struct mh_tags *t, uint32_t sets, uint32_t ways)
{
    t->sets = sets;
    t->ways = ways;
    t->entry = calloc((size_t)sets * ways, sizeof *t->entry);
    return t->entry ? 0 : -1;
}

static inline void mh_tags_free(struct mh_tags *t)
{
    free(t->entry);
}

static inline uint32_t *mh_tags_set(const struct mh_tags *t, uint32_t set)
{
    return t->entry + (size_t)set * t->ways;
}

/** Way of `line` in the set, or -1; pending entries count as found. */
static inline int mh_tags_find(const struct mh_tags *t, const uint32_t *set, uint32_t line)
{
    for (uint32_t w = 0; w < t->ways; w++)
        if (set[w] >> MH_TAG_BITS == line && set[w] & MH_TAG_STATE)
            return (int)w;
    return -1;
}

/** Makes way `w` the most recently used, with its entry replaced by `entry`. */
static inline void mh_tags_front(uint32_t *set, uint32_t w, uint32_t entry)
{
    for (; w; w--)
        set[w] = set[w - 1];
    set[0] = entry;
}

/** Least recently used way that is not pending, or -1. */
static inline int mh_tags_victim(const struct mh_tags *t, const uint32_t *set)
{
    for (int w = (int)t->ways - 1; w >= 0; w--)
        if (!(set[w] & MH_TAG_PENDING))
            return w;
    return -1;
}

#endif
