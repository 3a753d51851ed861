/*
 * Which of its sets a cache or a TLB looks in for a line or a page. The presets say whose index is known
 * (l1d.index, l1tlb.index, l2tlb.index); the L2 always folds.
 */
#ifndef MEMHELM_ENGINE_SETS_H
#define MEMHELM_ENGINE_SETS_H

#include "engine/arith.h"
#include "memhelm/config_words.h"

struct mh_sets {
    struct mh_divisor by; /**< the number of sets */
    uint8_t bits;         /**< log2 of it; 0: one set, or no power of two */
    uint8_t rule;         /**< enum mh_set_rule */
};

/** `count` is at least 1. */
static inline struct mh_sets mh_sets(uint32_t count, enum mh_set_rule rule)
{
    uint32_t bits = count & (count - 1) ? 0 : (uint32_t)__builtin_ctz(count);

    return (struct mh_sets){mh_divisor(count), (uint8_t)bits, (uint8_t)rule};
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

static inline uint32_t mh_set_of(const struct mh_sets *s, uint32_t x)
{
    if (__builtin_expect(s->rule == MH_SETS_MODULO, 1))
        return mh_remainder(&s->by, x);
    return s->rule == MH_SETS_FOLD ? mh_set_folded(s, x) : mh_set_fermi(s, x);
}

#endif
