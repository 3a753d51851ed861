/*
 * Fully associative LRU array of translations: L1 TLBs, the bypass cache, the first TLB of an IOMMU. A hash finds the
 * entry, a list keeps the order of use.
 */
#ifndef MEMHELM_TRANSLATE_ASSOC_H
#define MEMHELM_TRANSLATE_ASSOC_H

#include "engine/index.h"

/** Key of a translation: address space and virtual page in one word; never UINT32_MAX. */
static inline uint32_t mh_page_key(uint32_t tenant, uint32_t vpn)
{
    return tenant << 27 | vpn;
}

/** The virtual page of a key. */
static inline uint32_t mh_page_of_key(uint32_t key)
{
    return key & ((1u << 27) - 1);
}

struct mh_assoc_entry {
    uint32_t key, ppn;
    uint16_t newer, older; /**< in the order of use; the newest has no newer, the oldest no older */
};

struct mh_assoc {
    struct mh_index index;
    struct mh_assoc_entry *entry; /**< [capacity] */
    uint16_t capacity, used;
    uint16_t newest, oldest; /**< when used is not 0 */
};

/** 0, or -1 when memory ran out. `capacity` may be 0: nothing is ever found or kept. */
static inline int mh_assoc_init(struct mh_assoc *a, uint32_t capacity)
{
    a->capacity = (uint16_t)capacity;
    a->used = a->newest = a->oldest = 0;
    a->entry = calloc(capacity + 1, sizeof *a->entry);
    return a->entry ? mh_index_init(&a->index, capacity) : -1;
}

static inline void mh_assoc_free(struct mh_assoc *a)
{
    mh_index_free(&a->index);
    free(a->entry);
}

/** Entry i, which is not in the order of use, becomes its newest. */
static inline void mh_assoc_newest(struct mh_assoc *a, uint16_t i)
{
    a->entry[i].older = a->newest;
    a->entry[a->newest].newer = i;
    a->newest = i;
}

/** Entry i, which is not the newest, becomes it. */
static inline void mh_assoc_use(struct mh_assoc *a, uint16_t i)
{
    uint16_t newer = a->entry[i].newer;

    if (i == a->oldest) {
        a->oldest = newer;
    } else {
        a->entry[newer].older = a->entry[i].older;
        a->entry[a->entry[i].older].newer = newer;
    }
    mh_assoc_newest(a, i);
}

/** Physical page of `key`, made the most recently used; or -1. */
static inline int64_t mh_assoc_lookup(struct mh_assoc *a, uint32_t key)
{
    int i = mh_index_find(&a->index, key);

    if (i < 0)
        return -1;
    if (i != a->newest)
        mh_assoc_use(a, (uint16_t)i);
    return a->entry[i].ppn;
}

/** Adds a translation as the most recently used, or refreshes it; the oldest makes room. */
static inline void mh_assoc_fill(struct mh_assoc *a, uint32_t key, uint32_t ppn)
{
    uint16_t i = a->oldest;

    if (!a->capacity || mh_assoc_lookup(a, key) >= 0)
        return;
    if (a->used < a->capacity) {
        i = a->used++;
    } else {
        mh_index_del(&a->index, a->entry[i].key);
        a->oldest = a->entry[i].newer;
    }
    a->entry[i].key = key;
    a->entry[i].ppn = ppn;
    mh_index_put(&a->index, key, i);
    mh_assoc_newest(a, i);
}

#endif
