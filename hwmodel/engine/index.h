/*
 * Small fixed-capacity map from a 32-bit key to a 16-bit value: TLB tags, MSHR tags. Open addressing with
 * backward-shift deletion, so look-ups stay short for ever; the order of its slots never shows in a result.
 */
#ifndef MEMHELM_ENGINE_INDEX_H
#define MEMHELM_ENGINE_INDEX_H

#include <stdint.h>
#include <stdlib.h>

#define MH_INDEX_EMPTY UINT64_MAX

struct mh_index {
    uint64_t *slot; /**< key << 32 | value; MH_INDEX_EMPTY */
    uint32_t mask, shift;
};

/** Room for `capacity` keys at a load of at most one half. 0, or -1 when memory ran out. Keys below UINT32_MAX. */
static inline int mh_index_init(struct mh_index *x, uint32_t capacity)
{
    uint32_t bits = 3;

    while ((1u << bits) < 2 * capacity)
        bits++;
    x->mask = (1u << bits) - 1;
    x->shift = 32 - bits;
    x->slot = malloc(sizeof *x->slot << bits);
    for (uint32_t i = 0; x->slot && i <= x->mask; i++)
        x->slot[i] = MH_INDEX_EMPTY;
    return x->slot ? 0 : -1;
}

static inline void mh_index_free(struct mh_index *x)
{
    free(x->slot);
}

static inline uint32_t mh_index_home(const struct mh_index *x, uint32_t key)
{
    return key * 0x9e3779b1u >> x->shift;
}

/** The value of `key`, or -1. */
static inline int mh_index_find(const struct mh_index *x, uint32_t key)
{
    for (uint32_t i = mh_index_home(x, key);; i = (i + 1) & x->mask) {
        uint64_t s = x->slot[i];

        if (s >> 32 == key)
            return (int)(s & 0xffff);
        if (s == MH_INDEX_EMPTY)
            return -1;
    }
}

/** Adds a key that is not there. */
static inline void mh_index_put(struct mh_index *x, uint32_t key, uint32_t value)
{
    uint32_t i = mh_index_home(x, key);

    while (x->slot[i] != MH_INDEX_EMPTY)
        i = (i + 1) & x->mask;
    x->slot[i] = (uint64_t)key << 32 | value;
}

/** Removes a key that is there. */
static inline void mh_index_del(struct mh_index *x, uint32_t key)
{
    uint32_t hole = mh_index_home(x, key), i;

    while (x->slot[hole] >> 32 != key)
        hole = (hole + 1) & x->mask;
    for (i = (hole + 1) & x->mask; x->slot[i] != MH_INDEX_EMPTY; i = (i + 1) & x->mask) {
        uint32_t home = mh_index_home(x, (uint32_t)(x->slot[i] >> 32));

        if (((i - home) & x->mask) >= ((i - hole) & x->mask)) {
            x->slot[hole] = x->slot[i];
            hole = i;
        }
    }
    x->slot[hole] = MH_INDEX_EMPTY;
}

#endif
