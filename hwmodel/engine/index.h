/*
 * Small fixed-capacity map from a 32-bit key to a small number: TLB tags, MSHR tags. Open addressing with
 * backward-shift deletion, so look-ups stay short for ever; the order of its slots never shows in a result.
 */
#ifndef MEMHELM_ENGINE_INDEX_H
#define MEMHELM_ENGINE_INDEX_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MH_INDEX_EMPTY UINT32_MAX

/** Key and value side by side: a look-up is one cache line of the host. */
struct mh_index_slot {
    uint32_t key; /**< MH_INDEX_EMPTY: none */
    uint32_t value;
};

struct mh_index {
    struct mh_index_slot *slot;
    uint32_t mask, shift;
};

/**
 * Room for `capacity` keys at a load of at most one eighth: a second probe costs a mispredicted branch, more often than
 * the room costs a cache miss (ours: a load of one half cost 5 % of a streaming pair, 15 % of MVT+GUPS). 0, or -1 when
 * memory ran out. Keys below UINT32_MAX.
 */
static inline int mh_index_init(struct mh_index *x, uint32_t capacity)
{
    uint32_t bits = 3;

    while ((1u << bits) < 8 * capacity)
        bits++;
    x->mask = (1u << bits) - 1;
    x->shift = 32 - bits;
    x->slot = malloc(sizeof *x->slot << bits);
    if (!x->slot)
        return -1;
    memset(x->slot, 0xff, sizeof *x->slot << bits);
    return 0;
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
        if (x->slot[i].key == key)
            return (int)x->slot[i].value;
        if (x->slot[i].key == MH_INDEX_EMPTY)
            return -1;
    }
}

/** Adds a key that is not there; `value` below 2^31. */
static inline void mh_index_put(struct mh_index *x, uint32_t key, uint32_t value)
{
    uint32_t i = mh_index_home(x, key);

    while (x->slot[i].key != MH_INDEX_EMPTY)
        i = (i + 1) & x->mask;
    x->slot[i] = (struct mh_index_slot){key, value};
}

/** Slot of a key that is there. */
static inline uint32_t mh_index_slot_of(const struct mh_index *x, uint32_t key)
{
    uint32_t i = mh_index_home(x, key);

    while (x->slot[i].key != key)
        i = (i + 1) & x->mask;
    return i;
}

/** Gives a key that is there another value. */
static inline void mh_index_set(struct mh_index *x, uint32_t key, uint32_t value)
{
    x->slot[mh_index_slot_of(x, key)].value = value;
}

/** Removes a key that is there. */
static inline void mh_index_del(struct mh_index *x, uint32_t key)
{
    uint32_t hole = mh_index_slot_of(x, key), i;

    for (i = (hole + 1) & x->mask; x->slot[i].key != MH_INDEX_EMPTY; i = (i + 1) & x->mask) {
        uint32_t home = mh_index_home(x, x->slot[i].key);

        if (((i - home) & x->mask) >= ((i - hole) & x->mask)) {
            x->slot[hole] = x->slot[i];
            hole = i;
        }
    }
    x->slot[hole].key = MH_INDEX_EMPTY;
}

#endif
