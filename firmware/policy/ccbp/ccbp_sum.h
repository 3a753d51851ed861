/*
 * A sum of fractions that is compared exactly. Inline, for speed in its two callers (ccbp_allocate.c). A sum that
 * one call completes is on the stack.
 */
#ifndef FIRMWARE_CCBP_SUM_H
#define FIRMWARE_CCBP_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "ccbp.h"

/* Natural numbers of any width, a word of 32 bits at a time, the lowest first. */

/** x times factor, in place; returns the word that does not fit. */
uint32_t ccbp_wide_multiply(uint32_t *x, uint32_t words, uint32_t factor);

/** x plus y times factor, in place; returns the word that does not fit. */
uint32_t ccbp_wide_add(uint32_t *x, const uint32_t *y, uint32_t words, uint32_t factor);

/** Below 0, 0 or above 0, as x is less than y, equal or more. */
int ccbp_wide_compare(const uint32_t *x, const uint32_t *y, uint32_t words);

/** Fractions below 1, their sum less what is whole of it; and so far as it goes, the sum. */
struct ccbp_sum {
    uint32_t count, rest[CCBP_MAX_KERNELS], over[CCBP_MAX_KERNELS]; /**< terms */
    uint32_t whole;                                                 /**< that is not in them */
    uint32_t done;                                                  /**< terms that are summed up */
    uint32_t sum[CCBP_MAX_KERNELS + 1];                             /**< of those, times `product` */
    uint32_t product[CCBP_MAX_KERNELS + 1];                         /**< of their denominators */
};

#define CCBP_SUM_INLINE static inline __attribute__((always_inline))

/**
 * Another term, below 1, before anything is summed up. It joins one of them if both denominators' product has 32 bits:
 * those of up to four latency-sensitive kernels have, and sums of many words take long. Returns what is whole then, 0
 * or 1: the caller's to add to `whole`.
 */
CCBP_SUM_INLINE uint32_t ccbp_sum_add(struct ccbp_sum *s, uint32_t rest, uint32_t over)
{
    uint32_t i;

    for (i = 0; i < s->count; i++) {
        uint64_t both = (uint64_t)s->over[i] * over;

        if (both >> 32 == 0) {
            uint32_t one = s->rest[i] * over, gap = (uint32_t)both - rest * s->over[i];

            s->rest[i] = one - gap + (one < gap ? (uint32_t)both : 0);
            s->over[i] = (uint32_t)both;
            return one >= gap;
        }
    }
    s->rest[i] = rest;
    s->over[i] = over;
    s->count++;
    return 0;
}

/** Of 1..8 terms the first `end`, over one denominator: of n terms it has n words, and the sum, below n, one more. */
CCBP_SUM_INLINE void ccbp_sum_up(struct ccbp_sum *s, uint32_t end)
{
    uint32_t n = s->done;

    if (n == 0) {
        s->sum[0] = s->rest[0];
        s->sum[1] = 0;
        s->product[0] = s->over[0];
        n = 1;
    }
    for (; n < end; n++) {
        s->product[n] = 0;
        s->sum[n + 1] = ccbp_wide_multiply(s->sum, n + 1, s->over[n]);
        s->sum[n + 1] += ccbp_wide_add(s->sum, s->product, n + 1, s->rest[n]);
        s->product[n] = ccbp_wide_multiply(s->product, n, s->over[n]);
    }
    s->done = end;
}

/** It is not known without summing up: neither is `whole` too much, nor is there room for as many as there are terms.
 */
CCBP_SUM_INLINE bool ccbp_sum_is_close(const struct ccbp_sum *s, uint32_t room)
{
    return room >= s->whole && room - s->whole < s->count;
}

/** The sum is at most `room`. Sums up what is not summed up yet. */
CCBP_SUM_INLINE bool ccbp_sum_fits(struct ccbp_sum *s, uint32_t room)
{
    const uint32_t count = s->count;

    if (!ccbp_sum_is_close(s, room))
        return room >= s->whole;
    ccbp_sum_up(s, count);
    s->product[count] = ccbp_wide_multiply(s->product, count, room - s->whole);
    return ccbp_wide_compare(s->sum, s->product, count + 1) <= 0;
}

#endif
