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
    uint16_t newer, older;
};

struct mh_assoc {
    struct mh_index index;
    struct mh_assoc_entry *entry; /**< [capacity + 1]; the last one is the ring's anchor */
    uint16_t capacity, used;
};

/** 0, or -1 when memory ran out. `capacity` may be 0: nothing is ever found or kept. */
static inline int mh_assoc_init(struct mh_assoc *a, uint32_t capacity)
{
    a->capacity = (uint16_t)capacity;
    a->used = 0;
    a->entry = calloc(capacity + 1, sizeof *a->entry);
    if (!a->entry)
        return -1;
    a->entry[capacity].newer = a->entry[capacity].older = (uint16_t)capacity;
    return mh_index_init(&a->index, capacity);
}

static inline void mh_assoc_free(struct mh_assoc *a)
{
    mh_index_free(&a->index);
    free(a->entry);
}

static inline void mh_assoc_unlink(struct mh_assoc *a, uint16_t i)
{
    a->entry[a->entry[i].newer].older = a->entry[i].older;
    a->entry[a->entry[i].older].newer = a->entry[i].newer;
}

static inline void mh_assoc_newest(struct mh_assoc *a, uint16_t i)
{
    uint16_t anchor = a->capacity, first = a->entry[anchor].older;

    a->entry[i].newer = anchor;
    a->entry[i].older = first;
    a->entry[first].newer = i;
    a->entry[anchor].older = i;
}

/** Physical page of `key`, made the most recently used; or -1. */
static inline int64_t mh_assoc_lookup(struct mh_assoc *a, uint32_t key)
{
    int i = mh_index_find(&a->index, key);

    if (i < 0)
        return -1;
    if (a->entry[a->capacity].older != i) {
        mh_assoc_unlink(a, (uint16_t)i);
        mh_assoc_newest(a, (uint16_t)i);
    }
    return a->entry[i].ppn;
}

/** Adds a translation as the most recently used, or refreshes it; the oldest makes room. */
static inline void mh_assoc_fill(struct mh_assoc *a, uint32_t key, uint32_t ppn)
{
    uint16_t i;

    if (!a->capacity || mh_assoc_lookup(a, key) >= 0)
        return;
    if (a->used < a->capacity) {
        i = a->used++;
    } else {
        i = a->entry[a->capacity].newer;
        mh_index_del(&a->index, a->entry[i].key);
        mh_assoc_unlink(a, i);
    }
    a->entry[i].key = key;
    a->entry[i].ppn = ppn;
    mh_index_put(&a->index, key, i);
    mh_assoc_newest(a, i);
}

#endif
