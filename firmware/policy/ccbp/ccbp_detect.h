/*
 * CCBP's detection (Lin et al., sec. 5.3 and 5.4): from the counters of a window, what bandwidths a kernel uses, of
 * which type it is, and which issue rate holds it within quotas.
 *
 * An issue rate is in 1/256 request per interval and SM, as knob ISSUE_RATE has it.
 */
#ifndef FIRMWARE_CCBP_DETECT_H
#define FIRMWARE_CCBP_DETECT_H

#include <stdint.h>

#include "ccbp.h"

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

#endif
