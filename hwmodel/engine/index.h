/*
 * Small fixed-capacity map from a 32-bit key to a 16-bit value: TLB tags, MSHR tags. Open addressing with
 * backward-shift deletion, so look-ups stay short for ever; the order of its slots never shows in a result.
 */
#ifndef MEMHELM_ENGINE_INDEX_H
#define MEMHELM_ENGINE_INDEX_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MH_INDEX_EMPTY UINT32_MAX

struct mh_index {
    uint32_t *key; /**< MH_INDEX_EMPTY: none */
    uint16_t *value;
    uint32_t mask, shift;
};

/**
 * Room for `capacity` keys at a load of at most one eighth: a second probe costs a mispredicted branch, more often than
 * the room costs a cache miss. 0, or -1 when memory ran out. Keys below UINT32_MAX.
 */
static inline int mh_index_init(struct mh_index *x, uint32_t capacity)
{
    uint32_t bits = 3;

    while ((1u << bits) < 8 * capacity)
        bits++;
    x->mask = (1u << bits) - 1;
    x->shift = 32 - bits;
    x->key = malloc(sizeof *x->key << bits);
    x->value = malloc(sizeof *x->value << bits);
    if (!x->key || !x->value)
        return -1;
    memset(x->key, 0xff, sizeof *x->key << bits);
    return 0;
}

static inline void mh_index_free(struct mh_index *x)
{
    free(x->key);
    free(x->value);
}

static inline uint32_t mh_index_home(const struct mh_index *x, uint32_t key)
{
    return key * 0x9e3779b1u >> x->shift;
}

/** The value of `key`, or -1. */
static inline int mh_index_find(const struct mh_index *x, uint32_t key)
{
    for (uint32_t i = mh_index_home(x, key);; i = (i + 1) & x->mask) {
        if (x->key[i] == key)
            return x->value[i];
        if (x->key[i] == MH_INDEX_EMPTY)
            return -1;
    }
}

/** Adds a key that is not there. */
static inline void mh_index_put(struct mh_index *x, uint32_t key, uint32_t value)
{
    uint32_t i = mh_index_home(x, key);

    while (x->key[i] != MH_INDEX_EMPTY)
        i = (i + 1) & x->mask;
    x->key[i] = key;
    x->value[i] = (uint16_t)value;
}

/** Removes a key that is there. */
static inline void mh_index_del(struct mh_index *x, uint32_t key)
{
    uint32_t hole = mh_index_home(x, key), i;

    while (x->key[hole] != key)
        hole = (hole + 1) & x->mask;
    for (i = (hole + 1) & x->mask; x->key[i] != MH_INDEX_EMPTY; i = (i + 1) & x->mask) {
        uint32_t home = mh_index_home(x, x->key[i]);

        if (((i - home) & x->mask) >= ((i - hole) & x->mask)) {
            x->key[hole] = x->key[i];
            x->value[hole] = x->value[i];
            hole = i;
        }
    }
    x->key[hole] = MH_INDEX_EMPTY;
}

#endif
