/* Sets with true LRU, from a description of their own: what a cache or TLB has, for oracles. */
#ifndef TESTS_LRU_H
#define TESTS_LRU_H

#include <stdbool.h>
#include <stdint.h>

struct lru {
    uint32_t sets, ways;
    uint64_t *key;  /**< [sets][ways], most recently used first; key + 1, 0 = empty */
    uint32_t *part; /**< what is there of each, a bit per part */
};

/** Empty. Ends the program when memory runs out. */
void lru_init(struct lru *l, uint32_t entries, uint32_t ways);
void lru_free(struct lru *l);

/** Makes the key the most recently used one, with these parts and those that were there. True: all of them were. */
bool lru_touch_parts(struct lru *l, uint64_t key, uint32_t parts);
bool lru_touch(struct lru *l, uint64_t key);

/** The key is there; nothing changes. */
bool lru_has(const struct lru *l, uint64_t key);

#endif
