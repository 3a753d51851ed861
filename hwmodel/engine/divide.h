/*
 * Division of 32-bit numbers by a number that is known when the GPU is built: a multiplication. Exact for all of them.
 */
#ifndef MEMHELM_ENGINE_DIVIDE_H
#define MEMHELM_ENGINE_DIVIDE_H

#include <stdint.h>

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
