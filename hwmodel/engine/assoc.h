/*
 * LRU array of translations, fully associative or of sets: L1 TLBs, the bypass cache, the first TLB of an IOMMU. A hash
 * finds the entry, a list for each set keeps the order of use. The hash also finds the MSHR of a key whose translation
 * is on its way: either it is there or it is expected, so one look-up tells.
 */
#ifndef MEMHELM_ENGINE_ASSOC_H
#define MEMHELM_ENGINE_ASSOC_H

#include "engine/index.h"
#include "engine/sets.h"

/** Key of a translation: address space and virtual page in one word; never UINT32_MAX. */
static inline uint32_t mh_page_key(uint32_t tenant, uint32_t vpn)
{
    return tenant << 27 | vpn;
}

/** The tenant of a key. */
static inline uint32_t mh_tenant_of_key(uint32_t key)
{
    return key >> 27;
}

/** The virtual page of a key. */
static inline uint32_t mh_page_of_key(uint32_t key)
{
    return key & ((1u << 27) - 1);
}

struct mh_assoc_entry {
    uint32_t key, ppn;
    uint16_t newer, older; /**< in the set's order of use; the newest has no newer, the oldest no older */
    uint16_t set;
};

/** Its entries are the first `used` of its `ways`. */
struct mh_assoc_set {
    uint16_t used, newest, oldest; /**< the last two when used is not 0 */
};

struct mh_assoc {
    struct mh_index index;        /**< key -> entry, or capacity + MSHR */
    struct mh_assoc_entry *entry; /**< [capacity], set by set */
    struct mh_assoc_set *set;
    struct mh_sets sets;
    uint16_t capacity, ways;
};

/**
 * 0, or -1 when memory ran out. `capacity`, a multiple of the sets, may be 0: nothing is ever found or kept. `mshrs`
 * keys may be expected.
 */
static inline int mh_assoc_init_with(struct mh_assoc *a, uint32_t capacity, struct mh_sets sets, uint32_t mshrs)
{
    a->capacity = (uint16_t)capacity;
    a->sets = sets;
    a->ways = (uint16_t)(capacity / sets.by.by);
    a->entry = calloc(capacity + 1, sizeof *a->entry);
    a->set = calloc(sets.by.by, sizeof *a->set);
    for (uint32_t i = 0; a->entry && i < capacity; i++)
        a->entry[i].set = (uint16_t)(i / a->ways);
    return a->entry && a->set ? mh_index_init(&a->index, capacity + mshrs) : -1;
}

/** A fully associative one in which nothing is expected. */
static inline int mh_assoc_init(struct mh_assoc *a, uint32_t capacity)
{
    return mh_assoc_init_with(a, capacity, mh_sets(1, MH_SETS_MODULO), 0);
}

static inline void mh_assoc_free(struct mh_assoc *a)
{
    mh_index_free(&a->index);
    free(a->entry);
    free(a->set);
}

/** Entries in use. */
static inline uint32_t mh_assoc_used(const struct mh_assoc *a)
{
    uint32_t used = 0;

    for (uint32_t s = 0; s < a->sets.by.by; s++)
        used += a->set[s].used;
    return used;
}

static inline struct mh_assoc_set *mh_assoc_set_of(struct mh_assoc *a, uint16_t i)
{
    return &a->set[a->entry[i].set];
}

/** Entry i, which is not in the order of use, becomes its newest. */
static inline void mh_assoc_newest(struct mh_assoc *a, struct mh_assoc_set *s, uint16_t i)
{
    a->entry[i].older = s->newest;
    a->entry[s->newest].newer = i;
    s->newest = i;
}

/** Entry i, which is not the newest, becomes it. */
static inline void mh_assoc_use(struct mh_assoc *a, struct mh_assoc_set *s, uint16_t i)
{
    uint16_t newer = a->entry[i].newer;

    if (i == s->oldest) {
        s->oldest = newer;
    } else {
        a->entry[newer].older = a->entry[i].older;
        a->entry[a->entry[i].older].newer = newer;
    }
    mh_assoc_newest(a, s, i);
}

/** Entry of `key`; capacity + MSHR when it is expected; or -1. */
static inline int mh_assoc_find(const struct mh_assoc *a, uint32_t key)
{
    return mh_index_find(&a->index, key);
}

/** Physical page of entry i, made the most recently used. */
static inline int64_t mh_assoc_touch(struct mh_assoc *a, uint16_t i)
{
    struct mh_assoc_set *s = mh_assoc_set_of(a, i);

    if (i != s->newest)
        mh_assoc_use(a, s, i);
    return a->entry[i].ppn;
}

/** Physical page of `key`, which is not expected, made the most recently used; or -1. */
static inline int64_t mh_assoc_lookup(struct mh_assoc *a, uint32_t key)
{
    int i = mh_assoc_find(a, key);

    return i < 0 ? -1 : mh_assoc_touch(a, (uint16_t)i);
}

/** An entry for a new translation, most recently used; the oldest of its set makes room. */
static inline uint16_t mh_assoc_take(struct mh_assoc *a, uint32_t key, uint32_t ppn)
{
    const uint32_t set = mh_set_of(&a->sets, mh_page_of_key(key));
    struct mh_assoc_set *s = &a->set[set];
    uint16_t i = s->oldest;

    if (s->used < a->ways) {
        i = (uint16_t)(set * a->ways + s->used++);
        if (s->used == 1)
            s->newest = s->oldest = i;
    } else {
        mh_index_del(&a->index, a->entry[i].key);
        s->oldest = a->entry[i].newer;
    }
    a->entry[i].key = key;
    a->entry[i].ppn = ppn;
    mh_assoc_newest(a, s, i);
    return i;
}

/** Adds a translation, which is not expected, as the most recently used, or refreshes it. */
static inline void mh_assoc_fill(struct mh_assoc *a, uint32_t key, uint32_t ppn)
{
    if (a->capacity && mh_assoc_lookup(a, key) < 0)
        mh_index_put(&a->index, key, mh_assoc_take(a, key, ppn));
}

/** From now on `key`, which was not found, is found as capacity + `mshr`. */
static inline void mh_assoc_expect(struct mh_assoc *a, uint32_t key, uint32_t mshr)
{
    mh_index_put(&a->index, key, a->capacity + mshr);
}

/** What was expected does not come. */
static inline void mh_assoc_unexpect(struct mh_assoc *a, uint32_t key)
{
    mh_index_del(&a->index, key);
}

/** Adds the translation of a key that was expected; capacity is not 0. */
static inline void mh_assoc_arrive(struct mh_assoc *a, uint32_t key, uint32_t ppn)
{
    mh_index_set(&a->index, key, mh_assoc_take(a, key, ppn));
}

/** Takes entry i out of the order of use. */
static inline void mh_assoc_unlink(struct mh_assoc *a, uint16_t i)
{
    const struct mh_assoc_entry e = a->entry[i];
    struct mh_assoc_set *s = &a->set[e.set];

    if (i == s->oldest)
        s->oldest = e.newer;
    else
        a->entry[e.older].newer = e.newer;
    if (i == s->newest)
        s->newest = e.older;
    else
        a->entry[e.newer].older = e.older;
}

/** The last entry of the set moves to place i, which is free. */
static inline void mh_assoc_move_last(struct mh_assoc *a, struct mh_assoc_set *s, uint16_t last, uint16_t i)
{
    const struct mh_assoc_entry e = a->entry[i] = a->entry[last];

    *(last == s->oldest ? &s->oldest : &a->entry[e.older].newer) = i;
    *(last == s->newest ? &s->newest : &a->entry[e.newer].older) = i;
    mh_index_set(&a->index, e.key, i);
}

/** Removes entry i. */
static inline void mh_assoc_remove(struct mh_assoc *a, uint16_t i)
{
    struct mh_assoc_set *s = mh_assoc_set_of(a, i);

    mh_index_del(&a->index, a->entry[i].key);
    mh_assoc_unlink(a, i);
    const uint16_t last = (uint16_t)(a->entry[i].set * a->ways + --s->used);

    if (i != last)
        mh_assoc_move_last(a, s, last, i);
}

/** Removes a translation, if it is there; what is expected stays so. */
static inline void mh_assoc_drop(struct mh_assoc *a, uint32_t key)
{
    int i = mh_assoc_find(a, key);

    if (i >= 0 && i < a->capacity)
        mh_assoc_remove(a, (uint16_t)i);
}

/** Removes all translations of the tenant; those of others keep their order, what is expected stays so. */
static inline void mh_assoc_flush(struct mh_assoc *a, uint32_t tenant)
{
    for (uint32_t s = 0; s < a->sets.by.by; s++)
        for (uint32_t w = a->set[s].used; w--;)
            if (mh_tenant_of_key(a->entry[s * a->ways + w].key) == tenant)
                mh_assoc_remove(a, (uint16_t)(s * a->ways + w));
}

#endif
