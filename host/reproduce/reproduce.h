/* A study's rows or grids with all their runs: opened, run (going on where the store stops), scored. */
#ifndef HOST_REPRODUCE_REPRODUCE_H
#define HOST_REPRODUCE_REPRODUCE_H

#include "series.h"
#include "store.h"

enum { REPRODUCE_MAX = 32 /**< --row, --set: of each */ };

enum reproduce_mode {
    MODE_ROWS,     /**< the paper's rows */
    MODE_DOUBLING, /**< the rows of `doubling`, and the same with twice the window */
    MODE_LATENCY,  /**< grids of that use */
    MODE_TRACES
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
    const char *results, *json, *markdown, *plots;
};

/** The series of a row; of the same row with twice the window (MODE_DOUBLING) and without its `set` (less_plain). */
struct reproduce_row {
    const struct row *row;
    struct series once, twice, plain;
};

struct reproduce_grid {
    const struct grid *grid;
    struct series *columns;
};

struct reproduction {
    const struct reproduce_options *options;
    struct study study;
    struct plan *plan;
    struct store *store;
    struct reproduce_row *rows;
    unsigned row_count;
    struct reproduce_grid *grids;
    unsigned grid_count;
    unsigned kept;         /**< results that the store had */
    struct mh_mcu_cfg mcu; /**< core of the firmware where neither row nor column says otherwise */
    char base[HOST_PATH];  /**< directory of all runs; empty: none */
};

/** Reads the rows and makes the plan. -1 and `err`: bad input, nothing was run. */
int reproduce_open(struct reproduction *r, const struct reproduce_options *o, struct mh_error *err);

/** Runs what the store does not have. 0, or the number of the signal that ended it early. */
int reproduce_run(struct reproduction *r);

void reproduce_close(struct reproduction *r);

/** How a row came out. */
struct outcome {
    struct summary summary;
    double twice; /**< with twice the window; NaN: not asked for */
    enum verdict verdict;
    const char *reason; /**< of a row that was not run; into `summary` or the row */
};

void reproduce_outcome(const struct reproduce_row *row, struct outcome *out);

/** Words for a verdict; those of a level are others. */
const char *reproduce_verdict(const struct row *row, enum verdict v);

/** The last line: how many agree. */
struct tally {
    unsigned rows, sign, quarter, not_run;
    unsigned failed; /**< of those that were not run: no `missing` in the rows file says that they cannot be */
};

void reproduce_tally(const struct reproduction *r, struct tally *t);

/**
 * "build/memhelm reproduce mask --row ID", with the options that change its result: a line for a shell in the top
 * folder of the source tree. The caller frees it.
 */
char *reproduce_command(const struct reproduction *r, const char *id);

#endif
