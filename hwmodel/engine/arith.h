/* Small arithmetic: minimum and maximum, bits of a word, division by a constant of the GPU. */
#ifndef MEMHELM_ENGINE_ARITH_H
#define MEMHELM_ENGINE_ARITH_H

#include <stdint.h>

static inline uint64_t mh_max64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t mh_min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint32_t mh_min32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/** Of 32-bit numbers, for sums that stay so. */
static inline uint32_t mh_max32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/** Number of bits that are set: sums of 2, 4, 8, then all bytes by a multiplication. */
static inline uint32_t mh_bits(uint64_t v)
{
    v -= v >> 1 & 0x5555555555555555;
    v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (uint32_t)(v * 0x0101010101010101 >> 56);
}

struct mh_divisor {
    uint64_t inverse; /**< of `by`, in units of 2^-64, rounded down */
    uint32_t by;
};

/** `by` is at least 1. */
static inline struct mh_divisor mh_divisor(uint32_t by)
{
    return (struct mh_divisor){UINT64_MAX / by, by};
}

/**
 * n / by. The inverse is too small by at most 2^-64 and n + 1 at most 2^32, so the product is too small by at most
 * 2^-32; n + 1 in place of n makes up for it and does not reach the next quotient (Robison, ARITH 2005).
 */
static inline uint32_t mh_quotient(const struct mh_divisor *d, uint32_t n)
{
    __extension__ typedef unsigned __int128 wide;

    return (uint32_t)((wide)((uint64_t)n + 1) * d->inverse >> 64);
}

/** n % by. */
static inline uint32_t mh_remainder(const struct mh_divisor *d, uint32_t n)
{
    return n - mh_quotient(d, n) * d->by;
}

#endif
