/*
 * One variant of a measure over all its workloads and seeds: the cells of a row, or of a column of a grid. Where
 * partitions of the SMs are tried, one of them counts in each cell: that with the highest weighted speedup.
 */
#ifndef HOST_REPRODUCE_SERIES_H
#define HOST_REPRODUCE_SERIES_H

#include "plan/plan.h"
#include "study.h"

/** One of the runs that are compared, in all cells: [(seed * workload_count + workload) * partitions + partition] */
struct side {
    unsigned partitions; /**< that are tried; 1: nothing is chosen; 0: there is no such run */
    struct point *points;
    struct point *under; /**< the runs that choose; NULL: `points` do */
};

struct series {
    const struct measure *measure;
    struct workload *workloads;
    unsigned workload_count, seeds;
    struct side run, against; /**< `against` only when there is a reference */
    double *recorded;         /**< cells of a recording in the place of the runs', as series_cells(); NULL: runs */
};

/** What of the study is run, and how; `options.seed` is the first of `seeds`. */
struct scope {
    const struct study *study;
    struct plan *plan;
    struct plan_options options;
    unsigned seeds;
    const char *const *workloads; /**< in the place of every measure's own */
    unsigned workload_count;      /**< at most MEASURE_LISTS; 0: its own */
};

/** Adds the runs to the plan. -1 and `err`: a list is wrong. */
int series_open(struct series *s, const struct scope *scope, const struct measure *m, const struct variant *v,
                struct mh_error *err);
void series_close(struct series *s);

/** NaN when a run of it has no result, or there was nothing to divide by. */
double series_cell(const struct series *s, unsigned workload, unsigned seed);

/**
 * The run that counts in a cell of `side`: of the partition with the highest weighted speedup, of equals the one with
 * the fewest SMs for the first tenant. NULL when a run that was to be compared has none.
 */
const struct point *series_point(const struct series *s, const struct side *side, unsigned workload, unsigned seed);

/** Mean over the seeds. */
double series_cell_mean(const struct series *s, unsigned workload);

/** All cells: [seed * workload_count + workload]. The caller frees them. */
double *series_cells(const struct series *s);

enum { SERIES_ALL = -1 /**< no workload is left out */ };

/**
 * What the cells of one seed come to without the workload of that index. Those without a value are left out, too; NaN
 * when none is left.
 */
double series_average(const struct series *s, const double *cells, int without, enum aggregate over, double above);

struct summary {
    double value;     /**< mean over the seeds */
    double half;      /**< half the width of its 95 % interval; 0 when all seeds are equal, NaN of one seed */
    double low, high; /**< the least and the most of a seed */
    unsigned missing; /**< cells whose runs have no result */
    char reason[768]; /**< of the first of those, or why there is no value */
};

/** The values of the seeds, one or more: sets value, half, low and high. */
void summary_over_seeds(struct summary *out, const double *values, unsigned seeds);

/** Adds the cells of `s` whose runs have no result to `missing`, and the reason if they are the first. */
void summary_add_missing(struct summary *out, const struct series *s);

/** The column's mean over its workloads, as `over` says. */
double series_mean(const struct series *s, enum aggregate over);

/** series_mean() over only the `count` workloads of `part`; NaN if the series lacks one of them. */
double series_part(const struct series *s, const struct workload *part, unsigned count, enum aggregate over);

/** Workloads in which nothing was counted (0 / 0) are left out; NaN when there is none but those. */
void series_summarise(const struct series *s, enum aggregate over, double above, struct summary *out);

/** How `count` cells become one. Gains are averaged as the ratios that they are made of. */
double series_aggregate(const double *cells, unsigned count, enum relation relation, enum aggregate over, double above);

/* What a call gives in the place of the rows' own workloads, and recordings: checked before anything runs. */

/**
 * Can the recordings that the workloads name be run on the study's GPU, with the call's assignments? -1 and `err`:
 * which cannot be read, and where they were looked for; or the file that is damaged, and what is wrong with it.
 */
int workload_check_recordings(const struct study *s, const struct workload *workloads, unsigned count,
                              const struct plan_options *o, struct mh_error *err);

/**
 * Are `workloads` (as on the command line, or names of lists) such as the study's GPU takes? -1 and `err`, as of
 * `memhelm run`, for an unknown kernel or size, one that does not fit, and for a recording that is not there or
 * damaged.
 */
int workload_check(const struct study *s, const char *const *workloads, unsigned count, const struct plan_options *o,
                   struct mh_error *err);

#endif
