/*
 * TLBs whose entries are pages or groups of pages, and checks of what they hold.
 *
 * Set-associative TLB with true LRU: the ways of a set stand in order of last use, most recent first. Sets are chosen
 * by the page alone, by l2tlb.index: tenants share them, the key tells their entries apart.
 */
#ifndef MEMHELM_TRANSLATE_TLB_H
#define MEMHELM_TRANSLATE_TLB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/align.h"
#include "engine/assoc.h"
#include "engine/tags.h"

#define MH_TLB_EMPTY UINT32_MAX

struct mh_tlb {
    uint32_t *key, *ppn; /**< [sets][stride]; key MH_TLB_EMPTY = no entry, as those beyond `ways` are */
    uint32_t sets, ways;
    uint32_t stride; /**< ways, rounded up to whole comparisons (MH_TAG_LANES) */
    struct mh_sets index;
};

/** `entries` in a power of two of sets of `ways`. 0, or -1 when memory ran out. */
static inline int mh_tlb_init(struct mh_tlb *t, uint32_t entries, uint32_t ways, enum mh_set_rule rule)
{
    t->ways = ways;
    t->sets = entries / ways;
    t->index = mh_sets(t->sets, rule);
    t->stride = (ways + MH_TAG_LANES - 1) / MH_TAG_LANES * MH_TAG_LANES;
    size_t bytes = (size_t)t->sets * t->stride * sizeof *t->key;

    t->key = mh_aligned_zeros(bytes);
    t->ppn = mh_aligned_zeros(bytes);
    if (!t->key || !t->ppn)
        return -1;
    memset(t->key, 0xff, bytes);
    return 0;
}

static inline void mh_tlb_free(struct mh_tlb *t)
{
    free(t->key);
    free(t->ppn);
}

/** Index of the first way of the set in which `key` may stand. */
static inline size_t mh_tlb_set(const struct mh_tlb *t, uint32_t key)
{
    return (size_t)mh_set_of(&t->index, mh_page_of_key(key)) * t->stride;
}

/** Bit i: at[i], of MH_TAG_LANES that are aligned, is `key`. */
static inline uint32_t mh_tlb_match(const uint32_t *at, uint32_t key)
{
#ifdef __SSE2__
    __m128i equal = _mm_cmpeq_epi32(_mm_load_si128((const __m128i *)at), _mm_set1_epi32((int)key));

    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(equal));
#else
    uint32_t match = 0;

    for (uint32_t i = 0; i < MH_TAG_LANES; i++)
        match |= (uint32_t)(at[i] == key) << i;
    return match;
#endif
}

static inline void mh_tlb_to_front(struct mh_tlb *t, size_t set, uint32_t way, uint32_t key, uint32_t ppn)
{
    mh_tags_front(t->key + set, way, key);
    mh_tags_front(t->ppn + set, way, ppn);
}

/** Way of `key` in its set, or -1. */
static inline int mh_tlb_way(const struct mh_tlb *t, size_t set, uint32_t key)
{
    uint64_t match = 0;

    for (uint32_t w = 0; w < t->stride; w += MH_TAG_LANES)
        match |= (uint64_t)mh_tlb_match(t->key + set + w, key) << w;
    return match ? __builtin_ctzll(match) : -1;
}

/** Physical page of `key`, made the most recently used of its set; or -1. */
static inline int64_t mh_tlb_lookup(struct mh_tlb *t, uint32_t key)
{
    size_t set = mh_tlb_set(t, key);
    int way = mh_tlb_way(t, set, key);

    if (way < 0)
        return -1;
    uint32_t ppn = t->ppn[set + (uint32_t)way];

    mh_tlb_to_front(t, set, (uint32_t)way, key, ppn);
    return ppn;
}

/** Adds a translation that is not there as the most recently used of its set; the least recently used makes room. */
static inline void mh_tlb_fill(struct mh_tlb *t, uint32_t key, uint32_t ppn)
{
    mh_tlb_to_front(t, mh_tlb_set(t, key), t->ways - 1, key, ppn);
}

/** Removes the translation of `key`, if it is there; the others of its set keep their order. */
static inline void mh_tlb_drop(struct mh_tlb *t, uint32_t key)
{
    size_t set = mh_tlb_set(t, key);
    uint32_t kept = 0;

    for (uint32_t w = 0; w < t->ways; w++) {
        uint32_t have = t->key[set + w], ppn = t->ppn[set + w];

        t->key[set + w] = MH_TLB_EMPTY;
        if (have == MH_TLB_EMPTY || have == key)
            continue;
        t->key[set + kept] = have;
        t->ppn[set + kept++] = ppn;
    }
}

/** Removes all translations of the tenant; those of others keep their order. */
static inline void mh_tlb_flush(struct mh_tlb *t, uint32_t tenant)
{
    for (size_t set = 0; set < (size_t)t->sets * t->stride; set += t->stride) {
        uint32_t kept = 0;

        for (uint32_t w = 0; w < t->ways; w++) {
            uint32_t key = t->key[set + w], ppn = t->ppn[set + w];

            t->key[set + w] = MH_TLB_EMPTY;
            if (key == MH_TLB_EMPTY || mh_tenant_of_key(key) == tenant)
                continue;
            t->key[set + kept] = key;
            t->ppn[set + kept++] = ppn;
        }
    }
}

/*
 * TLB whose entries cover several aligned pages, 1 to 16 (`covers`): a tag for all of them, and a frame for each that
 * is valid by itself. Pages need not lie together in physical memory. So are the second and third level of NVIDIA's
 * TLBs, as STAR (Li et al., MICRO 2024) reads them: 16 sub-entries. An entry that makes room loses all its pages.
 */

struct mh_wide {
    struct mh_tlb tag; /**< key of a group of pages -> its row of frames; a row without a group is an empty way's */
    uint32_t *frame;   /**< [row << shift | page of the group]; MH_TLB_EMPTY: not valid */
    uint32_t shift;    /**< log2 of `covers` */
};

/** `entries` in a power of two of sets of `ways`, 64 at most; `covers` is a power of two. 0, or -1: out of memory. */
int mh_wide_init(struct mh_wide *w, uint32_t entries, uint32_t ways, enum mh_set_rule rule, uint32_t covers);
void mh_wide_free(struct mh_wide *w);

/** Physical page of `key` (mh_page_key()), its entry made the most recently used of its set; or -1, and nothing has
 * changed. */
int64_t mh_wide_lookup(struct mh_wide *w, uint32_t key);

/** Whether the page is there; nothing has changed. */
bool mh_wide_has(const struct mh_wide *w, uint32_t key);

/** Adds the page to the entry of its group, or to a new one: the most recently used of its set. */
void mh_wide_fill(struct mh_wide *w, uint32_t key, uint32_t ppn);

/** Removes the page, if it is there; its entry stays in use while it has others. */
void mh_wide_drop(struct mh_wide *w, uint32_t key);

/** Removes all entries of the tenant; those of others keep their order. */
void mh_wide_flush(struct mh_wide *w, uint32_t tenant);

/* Debug builds check every translation when it is used, and at the end that nothing was lost (engine/block.h). */

struct mh_gpu;
struct mh_walk;

#ifdef MH_DEBUG
/**
 * Stops the program, and says whose frame it is, unless the tenant's page table maps `vpn` to `frame`. One that a page
 * of the tenant was moved away from passes until PTE_CHANGED is written.
 */
void mh_check_translation(const struct mh_gpu *g, uint32_t tenant, uint32_t vpn, uint32_t frame);

/** Stops the program unless the walk is at the node of its tenant's page table that leads to its page. */
void mh_check_walk(const struct mh_gpu *g, const struct mh_walk *w);

void mh_l2tlb_check(const struct mh_gpu *g);
void mh_gpctlb_check(const struct mh_gpu *g);
void mh_iommu_check(const struct mh_gpu *g);
void mh_walkers_check(const struct mh_gpu *g);
#else
#define mh_l2tlb_check                              NULL
#define mh_gpctlb_check                             NULL
#define mh_iommu_check                              NULL
#define mh_walkers_check                            NULL
#define mh_check_translation(g, tenant, vpn, frame) ((void)0)
#define mh_check_walk(g, w)                         ((void)0)
#endif

#endif
