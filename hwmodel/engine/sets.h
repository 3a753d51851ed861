/*
 * Which of its sets a cache or a TLB looks in for a line or a page. The presets say whose index is known
 * (l1d.index, l1tlb.index, l2tlb.index); the L2 always folds.
 *
 * A tag holds the low MH_TAG_LINE_BITS of a line. Where memory has more lines (MH_SETS_WIDE), the upper bits are added
 * to the set of the low ones: lines with the same low bits lie in different sets, so set and tag name the line. That
 * takes as many sets as there are values of the upper bits (config/resolve_memory.c). Ours: real caches have wider
 * tags; frames are placed at random, so which of a cache's sets a frame's lines share with those of another is, too.
 */
#ifndef MEMHELM_ENGINE_SETS_H
#define MEMHELM_ENGINE_SETS_H

#include "engine/arith.h"
#include "memhelm/config_words.h"

enum { MH_TAG_LINE_BITS = 28 };
#define MH_TAG_LINE ((1u << MH_TAG_LINE_BITS) - 1)

struct mh_sets {
    struct mh_divisor by; /**< the number of sets */
    uint8_t bits;         /**< log2 of it; 0: one set, or no power of two */
    uint8_t rule;         /**< enum mh_set_rule */
    uint8_t low;          /**< MH_SETS_WIDE: the rule of the low bits */
};

/** `count` is at least 1. */
static inline struct mh_sets mh_sets(uint32_t count, enum mh_set_rule rule)
{
    uint32_t bits = count & (count - 1) ? 0 : (uint32_t)__builtin_ctz(count);

    return (struct mh_sets){mh_divisor(count), (uint8_t)bits, (uint8_t)rule, (uint8_t)rule};
}

/** Memory of so many lines has lines that differ in their upper bits alone: how many at most. */
static inline uint64_t mh_tag_aliases(uint64_t lines)
{
    return (lines + MH_TAG_LINE) >> MH_TAG_LINE_BITS;
}

/** As mh_sets(), for a cache of lines of such a memory. */
static inline struct mh_sets mh_sets_of_memory(uint32_t count, enum mh_set_rule rule, uint64_t lines)
{
    struct mh_sets s = mh_sets(count, rule);

    s.rule = mh_tag_aliases(lines) > 1 ? MH_SETS_WIDE : s.rule;
    return s;
}

/** MH_SETS_WIDE: the set of a line whose low bits have this one. */
static inline uint32_t mh_set_moved(const struct mh_sets *s, uint32_t low, uint32_t line)
{
    return mh_remainder(&s->by, low + (line >> MH_TAG_LINE_BITS));
}

/** MH_SETS_WIDE: the line with the low bits `tag` in `set`; `low` is the set of those bits. */
static inline uint32_t mh_set_wide_line(const struct mh_sets *s, uint32_t set, uint32_t low, uint32_t tag)
{
    return mh_remainder(&s->by, set + s->by.by - low) << MH_TAG_LINE_BITS | tag;
}

/** Folded once, as GPGPU-Sim's bitwise_hash_function() (hashing.cc:99) and the second-level TLBs of Intel's cores do.
 */
static inline uint32_t mh_set_folded(const struct mh_sets *s, uint32_t x)
{
    return s->bits ? (x ^ x >> s->bits) & (s->by.by - 1) : mh_remainder(&s->by, x + mh_quotient(&s->by, x));
}

/** Bits 0-4 of the line XORed with 6, 7, 8, 10 and 12; of 64 sets bit 5 above them (gpu-cache.cc:83). */
static inline uint32_t mh_set_fermi(const struct mh_sets *s, uint32_t line)
{
    uint32_t upper = (line >> 6 & 7) | (line >> 7 & 8) | (line >> 8 & 16);

    return (line ^ upper) & (31 | (s->by.by - 1));
}

/** MH_SETS_WIDE: the set of the low bits alone. */
static inline uint32_t mh_set_of_low(const struct mh_sets *s, uint32_t line)
{
    const uint32_t low = line & MH_TAG_LINE;

    if (s->low == MH_SETS_MODULO)
        return mh_remainder(&s->by, low);
    return s->low == MH_SETS_FOLD ? mh_set_folded(s, low) : mh_set_fermi(s, low);
}

/** The line that an entry with this tag in the set is of. */
static inline uint32_t mh_set_line(const struct mh_sets *s, uint32_t set, uint32_t tag)
{
    return s->rule == MH_SETS_WIDE ? mh_set_wide_line(s, set, mh_set_of_low(s, tag), tag) : tag;
}

static inline uint32_t mh_set_of(const struct mh_sets *s, uint32_t x)
{
    if (__builtin_expect(s->rule == MH_SETS_MODULO, 1))
        return mh_remainder(&s->by, x);
    return s->rule == MH_SETS_FOLD ? mh_set_folded(s, x) : mh_set_fermi(s, x);
}

/** As mh_set_of(), of a line of memory, so by MH_SETS_WIDE, too. Without a call: the hot path would save registers. */
static inline uint32_t mh_set_of_line(const struct mh_sets *s, uint32_t line)
{
    if (__builtin_expect(s->rule == MH_SETS_MODULO, 1))
        return mh_remainder(&s->by, line);
    if (s->rule == MH_SETS_FOLD)
        return mh_set_folded(s, line);
    if (__builtin_expect(s->rule == MH_SETS_FERMI, 1))
        return mh_set_fermi(s, line);
    return mh_set_moved(s, mh_set_of_low(s, line), line);
}

#endif
