/*
 * DMIL (Dai et al., HPCA 2018): limits the memory instructions of a kernel in flight when "the L1 D-cache reservation
 * failure rate is high" (CCBP sec. 7.5), as it measures every 1024 requests. For knob MEM_LIMIT, of which there is one
 * for all SMs: counters are sums over SMs, the peak is that of the SM with the most.
 *
 * The paper is not at hand. Assumed (ours): high is a failure per request and more; then the limit is half of the peak
 * in flight; else one that there is grows by one, up to the greatest peak that failed, and is then given up.
 */
#ifndef FIRMWARE_MIL_H
#define FIRMWARE_MIL_H

#include <stdint.h>

enum {
    MIL_REQUESTS = 1024, /**< of a window, on each SM */
    MIL_NONE = 65535,    /**< no limit, but hardware counts what is in flight */
};

/** Cumulative counters of a kernel (low words), and the gauge MEM_PEAK since the last look. */
struct mil_counters {
    uint32_t requests; /**< MEM_LINES: look-ups of the L1D that were taken or wait */
    uint32_t fails;    /**< RESERVATION_FAILS */
    uint32_t peak;
};

/** What the decision remembers of one kernel. */
struct mil_state {
    struct mil_counters begin; /**< of the window; its peak is the greatest so far */
    uint32_t limit;            /**< in force, 1..MIL_NONE */
    uint32_t ceiling;          /**< greatest peak that failed; at this a limit is given up */
};

/** Without a limit; the first window begins with these counters. */
void mil_begin(struct mil_state *state, const struct mil_counters *now);

/**
 * To be called with every SNAPSHOT. At the end of a window, when the SMs (1 or more) have made MIL_REQUESTS each on
 * average, decides. Returns the limit to use from now on, 1..MIL_NONE.
 */
uint32_t mil_limit(struct mil_state *state, uint32_t sms, const struct mil_counters *now);

#endif
