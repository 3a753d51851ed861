/* A study's rows or grids with all their runs: opened, and run (going on where the store stops). */
#ifndef HOST_REPRODUCE_REPRODUCE_H
#define HOST_REPRODUCE_REPRODUCE_H

#include "series.h"

enum { REPRODUCE_MAX = 32 /**< --row, --set: of each */ };

enum reproduce_mode {
    MODE_ROWS,      /**< the paper's rows */
    MODE_DOUBLING,  /**< the rows of `doubling`, and the same with twice the window */
    MODE_HEADLINES, /**< the rows of `doubling`, once */
    MODE_LATENCY,   /**< grids of that use */
    MODE_TRACES     /**< the same; the rows files name recordings from the top of the source tree */
};

struct reproduce_options {
    const char *study, *rows_file;
    const char *ids[REPRODUCE_MAX];
    const char *sets[REPRODUCE_MAX];
    const char *workloads[MEASURE_LISTS];
    unsigned id_count, set_count, workload_count;
    enum reproduce_mode mode;
    bool quick, list, twin;
    unsigned jobs, seed_first, seed_last;
    uint64_t cycles; /**< 0: the study's */
    const char *results, *plots;
    const char *recorded; /**< the recording that `plots` are drawn from; "": the study's own; NULL: runs */
};

/**
 * The series of a row; of the same row with twice the window (MODE_DOUBLING), without its `set` (less_plain), and with
 * the other alone runs (alone_both).
 */
struct reproduce_row {
    const struct row *row;
    struct series once, twice, plain, other;
};

struct reproduce_grid {
    const struct grid *grid;
    struct series *columns;
};

struct reproduction {
    const struct reproduce_options *options;
    struct study study;
    struct plan *plan;
    struct reproduce_row *rows;
    unsigned row_count;
    struct reproduce_grid *grids;
    unsigned grid_count;
    struct mh_mcu_cfg mcu; /**< core of the firmware where neither row nor column says otherwise */
};

/** Reads the rows and makes the plan. -1 and `err`: bad input, nothing was run. */
int reproduce_open(struct reproduction *r, const struct reproduce_options *o, struct mh_error *err);

/** What opens more series into the same plan: the call's options. Valid as long as `r` is. */
struct scope reproduce_scope(const struct reproduction *r);

/**
 * The series of a row, their runs added to the plan of `scope`; a row that is `missing` has none. -1 and `err`; what
 * was opened is closed by reproduce_row_close() either way.
 */
int reproduce_row_open(struct reproduce_row *own, const struct row *row, struct scope *scope, bool twice,
                       struct mh_error *err);
void reproduce_row_close(struct reproduce_row *own);

/** Runs what the store does not have. 0, or the number of the signal that ended it early. */
int reproduce_run(struct reproduction *r);

void reproduce_close(struct reproduction *r);

/**
 * "build/memhelm reproduce mask --row ID", with the options that change its result: a line for a shell in the top
 * folder of the source tree. The caller frees it.
 */
char *reproduce_command(const struct reproduction *r, const char *id);

#endif
