/*
 * CCBP's allocation (Lin et al., sec. 5.2, algorithm 1): fairness of dominant resources over CTAs, NoC and DRAM
 * bandwidth. Which kernels have how many CTAs on each SM, and how much of both bandwidths.
 *
 * Exact: each comparison comes out as in rational numbers. How, at no great cost:
 *  - dominant shares are integers: over the product of the SM's capacities, times 10 M;
 *  - in 1/M of a bandwidth, units are whole, and what else a kernel uses is a fraction whose denominator has 32 bits.
 *    Whole parts are summed. Only if there are more fractions than room, and there is some, are they put over one
 *    denominator, of 32 bits for each.
 * No division but of 32 bits, one where the number of CTAs of a bandwidth-intensive kernel changes.
 */
#ifndef FIRMWARE_CCBP_ALLOCATE_H
#define FIRMWARE_CCBP_ALLOCATE_H

#include <stdbool.h>
#include <stdint.h>

#include "ccbp.h"
#include "ccbp_sum.h"

/** whole + rest / over of 1/M of a bandwidth; rest < over. A whole of 2^32 - 1 is that or more, and never fits. */
struct ccbp_use {
    uint32_t whole, rest, over;
};

/** What a bandwidth-intensive kernel was measured to use with some number of CTAs: see ccbp_point_of(). */
struct ccbp_point {
    struct ccbp_use other; /**< of the other bandwidth, for a unit of its own */
    uint32_t units;        /**< of its own that the CTAs can use */
};

/** A kernel that asks. Not changed, and to be there, during the allocation. */
struct ccbp_kernel {
    enum ccbp_type type;
    uint32_t most;      /**< CTAs, 0..255. A latency-sensitive kernel: that an SM holds. Another: that were measured */
    struct ccbp_sm cta; /**< what a CTA takes */
    const struct ccbp_use *use;      /**< latency-sensitive: NoC and DRAM bandwidth of a CTA (ccbp_linear) */
    const struct ccbp_point *points; /**< others: with 1, 2 .. `most` CTAs */
};

/** What a kernel has. */
struct ccbp_grant {
    struct ccbp_use use[CCBP_BANDWIDTHS]; /**< quotas */
    uint32_t ctas;                        /**< on each SM */
    uint32_t units;                       /**< of its own bandwidth; latency-sensitive: 0 */
};

/** An allocation under way. The first four are inputs; `grants` is the result. */
struct ccbp_allocation {
    const struct ccbp_config *config;
    const struct ccbp_sm *sm; /**< product of the amounts that are not 0, times 10 M: below 2^64 - 1 */
    const struct ccbp_kernel *kernels;
    uint32_t count; /**< of kernels, 1..8 */
    struct ccbp_grant grants[CCBP_MAX_KERNELS];
    struct ccbp_sm left;                     /**< of an SM */
    uint32_t room[CCBP_BANDWIDTHS];          /**< capacity less the whole parts of the grants, in 1/M */
    uint64_t share[CCBP_MAX_KERNELS];        /**< dominant share, over the same denominator; CCBP_FINISHED */
    uint64_t share_of_one[CCBP_MAX_KERNELS]; /**< of a CTA, or of a unit */
    uint32_t last;                           /**< kernel of the last iteration */
    uint32_t sums;                           /**< of fractions that had to be known exactly, so far */
    struct ccbp_sum sum;                     /**< the last one */
    uint8_t under_way;                       /**< bandwidth whose `sum` is not made yet; CCBP_BANDWIDTHS: none */
    uint8_t fits;                            /**< bandwidth that is known to fit in this iteration, or none */
    bool summed;                             /**< a sum, or a part of it, was made in this call */
    bool put_off;                            /**< the iteration: it goes on in the next call */
};

#define CCBP_FINISHED UINT64_MAX

/**
 * What a CTA of a latency-sensitive kernel uses of a bandwidth that `ctas` of them, 1..255, were measured to use: it
 * scales linearly (sec. 5.4).
 */
struct ccbp_use ccbp_linear(uint32_t units, uint32_t bandwidth, uint32_t ctas);

/**
 * The point at which a bandwidth-intensive kernel was measured: `own`, its own bandwidth, whose sustainable amount is
 * `sustainable`, and `other`. A unit of its own goes with other / own of it; an `own` of 0 is taken as 1 there (ours).
 * For once a measurement: it divides 64 bits.
 */
struct ccbp_point ccbp_point_of(uint32_t units, uint32_t sustainable, uint32_t own, uint32_t other);

/** CTAs of a kernel that an SM holds when it is alone, up to 255. */
uint32_t ccbp_most_ctas(const struct ccbp_sm *sm, const struct ccbp_sm *cta);

/** Begins an allocation in which no kernel has anything. `prior` is priorLSK in tenths, 1..10. */
void ccbp_allocate_begin(struct ccbp_allocation *allocation, uint32_t prior);

/**
 * Up to so many iterations, less if one needs a sum of fractions, which takes as long as many others. With more than
 * four kernels one at most, and that may take several calls: sums of many terms are made in two parts, and a call makes
 * one part or one sum. Each gives the
 * unfinished kernel with the lowest dominant share, of several the first, a CTA or a unit more, or, if that does not
 * fit, finishes it. False: all are finished, and some iterations were not needed. There are at most 2 M that fit, one
 * for each of the SM's slots and one for each kernel that is finished.
 */
bool ccbp_allocate_some(struct ccbp_allocation *allocation, uint32_t iterations);

/**
 * After the last iteration, an option: latency-sensitive kernels get CTAs that the SM has still room for, the lowest
 * dominant share first, while all quotas stay (ours, for iteration 16 of table 3 as printed). Up to `ctas` of them;
 * false: no more fit.
 */
bool ccbp_allocate_fill(struct ccbp_allocation *allocation, uint32_t ctas);

/** Kernels that have no CTA, bits: not even one fits with the others. */
uint32_t ccbp_allocate_starved(const struct ccbp_allocation *allocation);

#endif
