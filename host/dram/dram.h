/* One DRAM channel driven by a trace, and what it did. */
#ifndef HOST_DRAM_DRAM_H
#define HOST_DRAM_DRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "memhelm/config.h"
#include "memhelm/error.h"

/* Traces of DRAM requests as DRAM simulators read them: `0xADDR READ|WRITE CYCLE` a line; see the README. */

/** A minute of DRAM. Later cycles are refused: a slip, and refreshes up to there would take for ever. */
#define DRAM_TRACE_LAST 100000000000ull

struct dram_access {
    uint64_t addr, cycle; /**< cycle of the memory clock at which it wants to enter, at most DRAM_TRACE_LAST */
    bool write;
};

struct dram_trace;

/** Reads plain, gzip and zstd, and standard input as "-". NULL and `err` when it cannot be opened. */
struct dram_trace *dram_trace_open(const char *path, struct mh_error *err);
void dram_trace_close(struct dram_trace *t);

/** 1: *a is the next request; 0: there is none; -1: `err` has file and line. */
int dram_trace_next(struct dram_trace *t, struct dram_access *a, struct mh_error *err);

/** 0..1: how much of the file has been read; negative when its size is not known. */
double dram_trace_share(const struct dram_trace *t);

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

/* What a trace did to one DRAM channel: on the terminal and as JSON (`memhelm-dram-1`). */

/** `seconds` of wall time go to the terminal only. */
void dram_report(const struct mh_config *cfg, const struct dram_result *r, double seconds, FILE *out);

/** Without wall time: equal input gives equal bytes. */
int dram_report_json(const struct mh_config *cfg, const struct dram_result *r, const char *path, struct mh_error *err);

#endif
