/* One DRAM channel driven by a trace, and what it did. */
#ifndef HOST_DRAM_DRAM_RUN_H
#define HOST_DRAM_DRAM_RUN_H

#include <stdio.h>

#include "dram_trace.h"
#include "memhelm/config.h"

/** Exact: a count for each latency. */
struct dram_latency {
    uint64_t *count; /**< of reads, by cycles */
    size_t room;
    uint64_t reads, sum, min, max;
};

struct dram_result {
    uint64_t requests, reads, writes, row_hits;
    uint64_t cycles; /**< from cycle 0 to the last beat */
    struct dram_latency latency;
};

/**
 * Runs the whole trace: at most one request enters per cycle, in order, none before its cycle, none while the queue is
 * full. `commands` (may be NULL) gets a line for each command. `progress`: a line on standard error where it takes
 * long. -1 and `err` on failure; the caller frees *r with dram_result_free() in any case.
 */
int dram_run(const struct mh_dram_cfg *cfg, struct dram_trace *trace, FILE *commands, bool progress,
             struct dram_result *r, struct mh_error *err);
void dram_result_free(struct dram_result *r);

/** The smallest latency that `percent` % of the reads do not exceed. There must be reads. */
uint64_t dram_latency_percentile(const struct dram_latency *l, unsigned percent);

#endif
