/* Traces of DRAM requests as DRAM simulators read them: `0xADDR READ|WRITE CYCLE` a line; see the README. */
#ifndef HOST_DRAM_DRAM_TRACE_H
#define HOST_DRAM_DRAM_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/error.h"

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

#endif
