/* Sets with true LRU, from a description of their own: what a cache or TLB has, for oracles. */
#ifndef TESTS_LRU_H
#define TESTS_LRU_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lru {
    uint32_t sets, ways;
    uint64_t *key;  /**< [sets][ways], most recently used first; key + 1, 0 = empty */
    uint32_t *part; /**< what is there of each, a bit per part */
};

static inline void *lru_zeros(size_t count, size_t size)
{
    void *p = calloc(count, size);

    if (!p) {
        fprintf(stderr, "lru: out of memory\n");
        abort();
    }
    return p;
}

/** Empty. Ends the program when memory runs out. */
static inline void lru_init(struct lru *l, uint32_t entries, uint32_t ways)
{
    *l = (struct lru){entries / ways, ways, lru_zeros(entries + 1, sizeof *l->key),
                      lru_zeros(entries + 1, sizeof *l->part)};
}

static inline void lru_free(struct lru *l)
{
    free(l->key);
    free(l->part);
}

/** Makes the key the most recently used one, with these parts and those that were there. True: all of them were. */
static inline bool lru_touch_parts(struct lru *l, uint64_t key, uint32_t parts)
{
    uint64_t set = key % l->sets * l->ways;
    uint32_t way = 0;

    while (way + 1 < l->ways && l->key[set + way] != key + 1)
        way++;
    uint32_t there = l->key[set + way] == key + 1 ? l->part[set + way] : 0;
    memmove(l->key + set + 1, l->key + set, way * sizeof *l->key);
    memmove(l->part + set + 1, l->part + set, way * sizeof *l->part);
    l->key[set] = key + 1;
    l->part[set] = there | parts;
    return !(parts & ~there);
}

static inline bool lru_touch(struct lru *l, uint64_t key)
{
    return lru_touch_parts(l, key, 1);
}

/** The key is there; nothing changes. */
static inline bool lru_has(const struct lru *l, uint64_t key)
{
    for (uint32_t way = 0; way < l->ways; way++)
        if (l->key[key % l->sets * l->ways + way] == key + 1)
            return true;
    return false;
}

#endif
