/*
 * Set-associative tag array with true LRU: the ways of a set stand in order of last use, most recent first.
 * An entry is line << 4 | state, state never 0 of an entry in use. Of a line of more than MH_TAG_LINE_BITS the upper
 * ones are shifted out: its set tells them (MH_SETS_WIDE). The L1D keeps the sectors that are there as its state, the
 * L2 the flags below.
 */
#ifndef MEMHELM_ENGINE_TAGS_H
#define MEMHELM_ENGINE_TAGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "engine/align.h"
#include "engine/sets.h"

enum {
    MH_TAG_VALID = 1,
    MH_TAG_DIRTY = 2,
    MH_TAG_PENDING = 4, /**< reserved for a line that is on its way: not a victim, not a hit */
    MH_TAG_BITS = 32 - MH_TAG_LINE_BITS,
    MH_TAG_STATE = (1 << MH_TAG_BITS) - 1,
    MH_TAG_LANES = 4, /**< entries that are compared at once */
};

struct mh_tags {
    uint32_t *entry; /**< [sets][stride]; those beyond `ways` stay 0 */
    uint32_t sets, ways;
    uint32_t stride;      /**< ways, rounded up to whole comparisons */
    struct mh_sets index; /**< MH_SETS_MODULO, unless the owner says otherwise */
};

/** 0, or -1 when memory ran out. No sets: nothing may be looked up. */
static inline int mh_tags_init(struct mh_tags *t, uint32_t sets, uint32_t ways)
{
    t->sets = sets;
    t->ways = ways;
    t->stride = (ways + MH_TAG_LANES - 1) / MH_TAG_LANES * MH_TAG_LANES;
    t->index = mh_sets(sets ? sets : 1, MH_SETS_MODULO);
    t->entry = mh_aligned_zeros((size_t)sets * t->stride * sizeof *t->entry);
    return t->entry ? 0 : -1;
}

static inline void mh_tags_free(struct mh_tags *t)
{
    free(t->entry);
}

static inline uint32_t *mh_tags_set(const struct mh_tags *t, uint32_t set)
{
    return t->entry + (size_t)set * t->stride;
}

/** The set of a line by the array's index. */
static inline uint32_t *mh_tags_set_of(const struct mh_tags *t, uint32_t line)
{
    return mh_tags_set(t, mh_set_of_line(&t->index, line));
}

/** Number of a set of the array. */
static inline uint32_t mh_tags_number(const struct mh_tags *t, const uint32_t *set)
{
    return (uint32_t)((size_t)(set - t->entry) / t->stride);
}

/** The line of an entry of that set, by the array's index. */
static inline uint32_t mh_tags_line(const struct mh_tags *t, uint32_t set, uint32_t entry)
{
    return mh_set_line(&t->index, set, entry >> MH_TAG_BITS);
}

/**
 * Bit i: entry[i], of MH_TAG_LANES that are aligned, is in use and has this tag. Entries of a tag lie 1 .. MH_TAG_STATE
 * above tag << MH_TAG_BITS, so the empty one, which looks like line 0, is none of them. SSE2 compares signed numbers:
 * the distances are counted from the least of those.
 */
#ifdef __SSE2__
static inline __m128i mh_tags_compare(const uint32_t *entry, uint32_t tag)
{
    const __m128i origin = _mm_set1_epi32((int)((tag << MH_TAG_BITS | 1) + 0x80000000u));
    const __m128i above = _mm_sub_epi32(_mm_load_si128((const __m128i *)entry), origin);

    return _mm_cmplt_epi32(above, _mm_set1_epi32(INT32_MIN + MH_TAG_STATE));
}

static inline uint32_t mh_tags_match(const uint32_t *entry, uint32_t tag)
{
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(mh_tags_compare(entry, tag)));
}

/** mh_tags_match() of four times as many entries: the ways of most L2s. */
static inline uint32_t mh_tags_match_four(const uint32_t *entry, uint32_t tag)
{
    const __m128i low = _mm_packs_epi32(mh_tags_compare(entry, tag), mh_tags_compare(entry + MH_TAG_LANES, tag));
    const __m128i high =
        _mm_packs_epi32(mh_tags_compare(entry + 2 * MH_TAG_LANES, tag), mh_tags_compare(entry + 3 * MH_TAG_LANES, tag));

    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}
#else
static inline uint32_t mh_tags_match(const uint32_t *entry, uint32_t tag)
{
    uint32_t first = tag << MH_TAG_BITS | 1, match = 0;

    for (uint32_t i = 0; i < MH_TAG_LANES; i++)
        match |= (uint32_t)(entry[i] - first < MH_TAG_STATE) << i;
    return match;
}

static inline uint32_t mh_tags_match_four(const uint32_t *entry, uint32_t tag)
{
    uint32_t match = 0;

    for (uint32_t i = 0; i < 4 * MH_TAG_LANES; i += MH_TAG_LANES)
        match |= mh_tags_match(entry + i, tag) << i;
    return match;
}
#endif

/** Way of `line` in the set, or -1; pending entries count as found. All ways are compared: where it is cannot be
 * guessed. */
static inline int mh_tags_find(const struct mh_tags *t, const uint32_t *set, uint32_t line)
{
    uint64_t match = 0;
    uint32_t w = 0;

    for (; w + 4 * MH_TAG_LANES <= t->stride; w += 4 * MH_TAG_LANES)
        match |= (uint64_t)mh_tags_match_four(set + w, line) << w;
    for (; w < t->stride; w += MH_TAG_LANES)
        match |= (uint64_t)mh_tags_match(set + w, line) << w;
    return match ? __builtin_ctzll(match) : -1;
}

#ifdef __SSE2__
/** Entries [from, from + MH_TAG_LANES), aligned: those up to way `w` take what is in `below`. In one store: narrow ones
 * would hold up the next look-up's load. */
static inline void mh_tags_take(uint32_t *set, uint32_t from, uint32_t w, __m128i below)
{
    __m128i *at = (__m128i *)(set + from), old = _mm_load_si128(at);
    __m128i takes = _mm_cmpgt_epi32(_mm_set1_epi32((int)(w + 1 - from)), _mm_setr_epi32(0, 1, 2, 3));

    _mm_store_si128(at, _mm_or_si128(_mm_and_si128(takes, below), _mm_andnot_si128(takes, old)));
}
#endif

/** Makes way `w` the most recently used, with its entry replaced by `entry`. */
static inline void mh_tags_front(uint32_t *set, uint32_t w, uint32_t entry)
{
#ifdef __SSE2__
    for (uint32_t from = w / MH_TAG_LANES * MH_TAG_LANES; from; from -= MH_TAG_LANES)
        mh_tags_take(set, from, w, _mm_loadu_si128((const __m128i *)(set + from - 1)));
    __m128i below = _mm_slli_si128(_mm_load_si128((const __m128i *)set), sizeof entry);

    mh_tags_take(set, 0, w, _mm_or_si128(below, _mm_cvtsi32_si128((int)entry)));
#else
    memmove(set + 1, set, w * sizeof *set);
    set[0] = entry;
#endif
}

/** Removes the entry of way `w`; those behind it keep their order, and empty ways stand last. */
static inline void mh_tags_drop(const struct mh_tags *t, uint32_t *set, uint32_t w)
{
    memmove(set + w, set + w + 1, (t->ways - 1 - w) * sizeof *set);
    set[t->ways - 1] = 0;
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
