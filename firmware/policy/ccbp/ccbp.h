/*
 * CCBP (Lin et al., coordinated CTA combination and bandwidth partitioning): what its decisions share. They are pure:
 * detection, allocation, adjustable priority.
 *
 * A bandwidth is in bytes per 2^16 GPU cycles, of all SMs together: 368.64 GB/s at 1.8 GHz are 13 421 772. Where it is
 * shared out it is counted in 1/M of that, M being the number of units: then a unit is a whole number.
 */
#ifndef FIRMWARE_CCBP_H
#define FIRMWARE_CCBP_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CCBP_MAX_KERNELS = 8, /**< that run together */
    CCBP_MAX_UNITS = 255,
    CCBP_MAX_CTAS = 255,   /**< on an SM */
    CCBP_MAX_BYTES = 4096, /**< of a reply, of a DRAM access */
};

/** The bandwidths that are shared out. */
enum ccbp_bandwidth { CCBP_NOC, CCBP_DRAM, CCBP_BANDWIDTHS };

/** The static resources of an SM whose shares count: registers, bytes of shared memory, threads. */
enum ccbp_static { CCBP_REGISTERS, CCBP_SHARED, CCBP_THREADS, CCBP_STATICS };

/** Types of kernels (sec. 3.2). */
enum ccbp_type { CCBP_LATENCY_SENSITIVE, CCBP_NOC_INTENSIVE, CCBP_DRAM_INTENSIVE };

/** What is known of the GPU, and what the paper sets. units x sustainable < 2^32 - 1, units x sms x bytes < 2^23. */
struct ccbp_config {
    uint32_t sustainable[CCBP_BANDWIDTHS]; /**< not 0 (sec. 5.4: 60 % of the NoC's peak, 70 % of DRAM's) */
    uint32_t bytes[CCBP_BANDWIDTHS];       /**< of a reply: L1D line and flit; of a DRAM access: L2 line */
    uint32_t units;                        /**< M, 1..255 (sec. 5.2: 20) */
    uint32_t sms;
    uint32_t interval; /**< of the issue-rate control, 1/256 GPU cycles, below 2^24 */
    uint32_t least;    /**< issue rate below which no kernel is put, 1/256 request (ours) */
    uint32_t grace;    /**< GPU cycles by which a window of demand is taken as shorter (ours; the paper: 0) */
};

/** What an SM has, or what a CTA takes of it. */
struct ccbp_sm {
    uint32_t amount[CCBP_STATICS];
    uint32_t slots; /**< CTAs; a CTA takes 1 */
};

/*
 * A sum of fractions that is compared exactly. Inline, for speed in its two callers (ccbp_allocate.c). A sum that
 * one call completes is on the stack.
 */

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

/*
 * CCBP's detection (Lin et al., sec. 5.3 and 5.4): from the counters of a window, what bandwidths a kernel uses, of
 * which type it is, and which issue rate holds it within quotas.
 *
 * An issue rate is in 1/256 request per interval and SM, as knob ISSUE_RATE has it.
 */

enum { CCBP_RATE_MAX = 65535 /**< as if there were no limit */ };

/** A kernel's counters of a window, differences, of all SMs together. */
struct ccbp_window {
    uint32_t cycles;                  /**< of the GPU: difference of SNAP_CYCLE */
    uint32_t requests;                /**< REQUESTS */
    uint32_t caused[CCBP_BANDWIDTHS]; /**< REQUEST_READS and DRAM_CAUSED: over `requests` they are rf and df (equations
                                           2 and 4) */
    uint32_t demand;                  /**< ISSUE_DEMAND */
};

/** Bandwidth of a window, rounded down; the most is 2^32 - 1. No cycles: 0. Config: `bytes`, 1..4096 each. */
uint32_t ccbp_bandwidth(const struct ccbp_config *config, const struct ccbp_window *window,
                        enum ccbp_bandwidth bandwidth);

/**
 * The kernel's type among `kernels`, 1..8. Bandwidth-intensive is a kernel that demands IREven or more (sec. 5.4): the
 * rate at which one of the bandwidths, each request as in window `factors` (rf, df), has its even share. Exact. A
 * bandwidth that no request uses limits no kernel. Of such kernels inequality 7 tells which are NoC-intensive. A kernel
 * without requests in `factors`, or whose window `demand` is not longer than `grace`, is latency-sensitive (ours).
 *
 * A kernel that is held to IREven demands what it may issue, give or take the change of its queue: next to the
 * threshold, on either side. With a `grace` of an interval or two it is bandwidth-intensive (ours).
 */
enum ccbp_type ccbp_detect_type(const struct ccbp_config *config, const struct ccbp_window *factors,
                                const struct ccbp_window *demand, uint32_t kernels);

/** What a request of a kernel costs of each bandwidth; 0: nothing. */
struct ccbp_cost {
    uint32_t of[CCBP_BANDWIDTHS]; /**< bytes of a request on every SM, times M and 256, rounded up */
};

/** The cost of a request as in `window`; of a window without requests: nothing. */
struct ccbp_cost ccbp_detect_cost(const struct ccbp_config *config, const struct ccbp_window *window);

/**
 * The issue rate that holds a kernel within both bandwidths, `quota` in 1/M (whole parts of a grant's use): the lower
 * of the two rates (equations 1 and 3), rounded down, but config's `least` or more. Never above the exact rate; below
 * it by less than 1 and one part in `cost`.
 */
uint32_t ccbp_issue_rate(const struct ccbp_config *config, const struct ccbp_cost *cost,
                         const uint32_t quota[CCBP_BANDWIDTHS]);

/**
 * Bandwidth that `kernels`, 1..8, use at config's `least`, if each request costs one of its `bytes`: rounded down, the
 * most is 2^32 - 1. Where it is more than the sustainable one, rates hold no kernel within a quota.
 */
uint32_t ccbp_least_bandwidth(const struct ccbp_config *config, uint32_t kernels, enum ccbp_bandwidth bandwidth);

/** IREven (equation 5): the issue rate at an even share of both sustainable bandwidths among `kernels`, 1..8. */
uint32_t ccbp_even_rate(const struct ccbp_config *config, const struct ccbp_cost *cost, uint32_t kernels);

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

/*
 * CCBP's adjustable priority (Lin et al., sec. 5.5): how fast kernels run together, and the hill climbing that looks
 * for the priorLSK at which they run best.
 *
 * IPCs and speedups are in 1/2^16; the most is 2^32 - 1.
 */

/** Instructions per cycle, rounded down; without cycles 0. */
uint32_t ccbp_ipc(uint32_t instructions, uint32_t cycles);

/**
 * HSpeedup (sec. 3.3), rounded down: `kernels` (1..8) over the sum of alone / shared. A kernel whose IPC alone is 0 is
 * not known and left out (ours). 0 if one of the others stands still, or if none is known.
 */
uint32_t ccbp_harmonic_speedup(uint32_t kernels, const uint32_t *shared, const uint32_t *alone);

/** WSpeedup (sec. 3.3): the sum of shared / alone, each rounded down. Without those whose IPC alone is 0 (ours). */
uint32_t ccbp_weighted_speedup(uint32_t kernels, const uint32_t *shared, const uint32_t *alone);

/** The climb: which prior is tried, which was best. */
struct ccbp_adjust {
    uint32_t prior; /**< in force, tenths, 10..1 */
    uint32_t best;
    uint32_t performance; /**< of `best`, measured */
    bool done;            /**< `prior` is the best, and stays */
};

/** Begins at 1.0. */
void ccbp_adjust_begin(struct ccbp_adjust *adjust);

/**
 * `performance` was measured with adjust->prior. Returns the prior to use from now on: a tenth less, at least 0.1, as
 * long as it does not get worse; after that the best, of equals the highest (ours). When `done` it does nothing.
 *
 * At 0 a latency-sensitive kernel's share would always be the lowest, and it would take everything: 0.1 is the least
 * (ours).
 */
uint32_t ccbp_adjust_next(struct ccbp_adjust *adjust, uint32_t performance);

/**
 * The allocation at adjust->prior is that of the prior before it: as good, there is nothing to measure (ours). Returns
 * the prior to use from now on.
 */
uint32_t ccbp_adjust_same(struct ccbp_adjust *adjust);

#endif
