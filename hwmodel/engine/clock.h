/*
 * Exact conversion between two clocks. Cycle counts stay below 2^63; the product is taken in 128 bits. 1020 MHz :
 * 1674 MHz is 170 : 279, so cycle 170 of the one is cycle 279 of the other for ever: clocks do not drift.
 */
#ifndef MEMHELM_ENGINE_CLOCK_H
#define MEMHELM_ENGINE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 mh_u128;

struct mh_ratio {
    uint64_t num, den; /**< reduced: to-cycles per from-cycle */
    uint64_t inverse;  /**< of den, in units of 2^-64, rounded down */
};

static inline struct mh_ratio mh_ratio(uint64_t to_hz, uint64_t from_hz)
{
    uint64_t a = to_hz, b = from_hz;

    while (b) {
        uint64_t r = a % b;

        a = b;
        b = r;
    }
    return (struct mh_ratio){to_hz / a, from_hz / a, UINT64_MAX / (from_hz / a)};
}

/** n / den without a division. */
static inline uint64_t mh_ratio_divide(const struct mh_ratio *r, uint64_t n)
{
    uint64_t q = (uint64_t)((mh_u128)n * r->inverse >> 64); /* at most one too small, as inverse > 2^64 / den - 1 */

    return q + (n - q * r->den >= r->den);
}

/** Last cycle of the target clock that has started at source cycle `c`. */
static inline uint64_t mh_ratio_floor(const struct mh_ratio *r, uint64_t c)
{
    if (__builtin_expect(c < 1ull << 32 && r->num < 1ull << 31, 1))
        return mh_ratio_divide(r, c * r->num);
    return (uint64_t)((mh_u128)c * r->num / r->den);
}

/** First cycle of the target clock at or after source cycle `c`. */
static inline uint64_t mh_ratio_ceil(const struct mh_ratio *r, uint64_t c)
{
    if (__builtin_expect(c < 1ull << 32 && r->num < 1ull << 31, 1))
        return mh_ratio_divide(r, c * r->num + r->den - 1);
    return (uint64_t)(((mh_u128)c * r->num + r->den - 1) / r->den);
}

/**
 * The clock of a block that has one. An event acts in the first cycle of the block that starts in or after its GPU
 * cycle; what such a cycle brings is seen in the first GPU cycle that starts with it or after it.
 */
struct mh_clock {
    struct mh_ratio to, back; /**< from GPU cycles to its own, and back */
    bool own;                 /**< it is not the GPU's */
};

static inline struct mh_clock mh_clock(uint64_t hz, uint64_t gpu_hz)
{
    if (!hz)
        hz = gpu_hz;
    return (struct mh_clock){mh_ratio(hz, gpu_hz), mh_ratio(gpu_hz, hz), hz != gpu_hz};
}

static inline uint64_t mh_clock_enter(const struct mh_clock *k, uint64_t gpu_cycle)
{
    return k->own ? mh_ratio_ceil(&k->to, gpu_cycle) : gpu_cycle;
}

static inline uint64_t mh_clock_leave(const struct mh_clock *k, uint64_t cycle)
{
    return k->own ? mh_ratio_ceil(&k->back, cycle) : cycle;
}

/** Its last cycle that is seen in this GPU cycle. */
static inline uint64_t mh_clock_seen(const struct mh_clock *k, uint64_t gpu_cycle)
{
    return k->own ? mh_ratio_floor(&k->to, gpu_cycle) : gpu_cycle;
}

/** GPU cycle in which a cycle of it starts. */
static inline uint64_t mh_clock_starts(const struct mh_clock *k, uint64_t cycle)
{
    return k->own ? mh_ratio_floor(&k->back, cycle) : cycle;
}

#endif
