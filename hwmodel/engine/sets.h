/*
 * Which of its sets a cache or a TLB looks in for a line or a page. The presets say whose index is known
 * (l1d.index, l1tlb.index, l2tlb.index); the L2 always folds.
 */
#ifndef MEMHELM_ENGINE_SETS_H
#define MEMHELM_ENGINE_SETS_H

#include <string.h>

#include "engine/arith.h"

enum mh_set_rule {
    MH_SETS_MODULO, /**< the low bits; of sets that are no power of two the remainder */
    MH_SETS_FOLD, /**< the low bits XORed with as many above them; of sets that are no power of two the sum of digits */
    MH_SETS_FERMI, /**< Fermi's L1D, 32 or 64 sets (Nugteren et al., HPCA 2014); GPGPU-Sim's index function `H` */
};

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

/** The rule that a word of the configuration names. */
static inline enum mh_set_rule mh_set_rule(const char *index)
{
    return strcmp(index, "fold") ? MH_SETS_MODULO : MH_SETS_FOLD;
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
