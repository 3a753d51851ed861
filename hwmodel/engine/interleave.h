/*
 * Which L2 bank has a line, and which of the bank's lines it is. The two together name the line: no two lines share
 * them, since of `banks` neighbours each bank has one, by every rule (l2.slice_hash). With dram.partition each tenant's
 * lines have banks of their own. Frames keep their numbers, so rows are numbered as if those channels had all of
 * memory.
 */
#ifndef MEMHELM_ENGINE_INTERLEAVE_H
#define MEMHELM_ENGINE_INTERLEAVE_H

#include <stdint.h>

#include "engine/arith.h"
#include "memhelm/config.h"

enum { MH_NIBBLES = 8 /**< of a line number */, MH_NIBBLE_VALUES = 16 };

struct mh_interleave {
    struct mh_divisor banks;
    uint32_t bits;  /**< log2(banks) with MH_SLICES_FOLD; 0: it is divided */
    uint32_t first; /**< bank */
    uint8_t hash;   /**< enum mh_slice_hash */
    /* MH_SLICES_IPOLY: banks = odd << degree. */
    uint8_t degree;                                  /**< of the polynomial */
    struct mh_divisor odd;                           /**< the odd factor */
    uint8_t remainder[MH_NIBBLES][MH_NIBBLE_VALUES]; /**< of (value << 4 * nibble) x^degree by the polynomial */
};

/** Over `banks` banks, 1 .. 511. */
struct mh_interleave mh_interleave(uint32_t banks, enum mh_slice_hash hash);

/** Of each tenant: over all banks or, with dram.partition, over those of its part of the channels. */
void mh_interleave_tenants(struct mh_interleave x[MH_MAX_TENANTS], const struct mh_config *cfg);

/** The bank's lines, counted up: line / banks. */
static inline uint32_t mh_interleave_local(const struct mh_interleave *x, uint32_t line)
{
    return x->bits ? line >> x->bits : mh_quotient(&x->banks, line);
}

/** MH_SLICES_MODULO and MH_SLICES_IPOLY: the bank, counted from x->first. */
uint32_t mh_interleave_hashed(const struct mh_interleave *x, uint32_t line);

/** The line's four lowest digits to the base `banks`, added modulo `banks`. */
static inline uint32_t mh_interleave_digits(const struct mh_interleave *x, uint32_t line)
{
    uint32_t second = mh_quotient(&x->banks, line), third = mh_quotient(&x->banks, second);

    return mh_remainder(&x->banks, mh_remainder(&x->banks, line) + mh_remainder(&x->banks, second) +
                                       mh_remainder(&x->banks, third) +
                                       mh_remainder(&x->banks, mh_quotient(&x->banks, third)));
}

/**
 * Bank of a physical line. MH_SLICES_FOLD: of a power of two of banks the line's low bits, xor-folded with the three
 * groups of as many bits above them, so that no power-of-two stride within those bits (with 16 banks: 8 MiB) camps on
 * one bank; of any other number of banks the sum of digits.
 */
static inline uint32_t mh_interleave_bank(const struct mh_interleave *x, uint32_t line)
{
    if (x->bits) {
        uint32_t b = line ^ line >> x->bits;

        return x->first + ((b ^ line >> 2 * x->bits ^ line >> 3 * x->bits) & (x->banks.by - 1));
    }
    return x->first + (x->hash == MH_SLICES_FOLD ? mh_interleave_digits(x, line) : mh_interleave_hashed(x, line));
}

#endif
