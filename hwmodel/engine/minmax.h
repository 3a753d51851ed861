/* The larger and the smaller of two numbers. */
#ifndef MEMHELM_ENGINE_MINMAX_H
#define MEMHELM_ENGINE_MINMAX_H

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

#endif
