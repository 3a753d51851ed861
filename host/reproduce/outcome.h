/*
 * What rows come to, and how that is shown. The outcome of a row: its value over the seeds, its score against the
 * paper's value, and the spread of workloads behind a mean. A verdict that a single workload decides is marked, and
 * counts as the verdict without that workload.
 */
#ifndef HOST_REPRODUCE_OUTCOME_H
#define HOST_REPRODUCE_OUTCOME_H

#include <jansson.h>
#include <stdio.h>

#include "base/number.h"
#include "reproduce.h"
#include "series.h"

/* How the workloads behind a mean differ: a mean that one of them makes is no effect. */

/** Of a column of a grid. */
struct spread {
    struct quartiles quartiles; /**< of the workloads' own means over the seeds */
    unsigned moves_most;        /**< the workload without which the mean is the furthest from what it is */
    double without;             /**< the mean without it */
};

/** False when fewer than QUARTILES_LEAST workloads have a value. */
bool spread_of(const struct series *s, enum aggregate over, struct spread *out);

/** Of a row that is a mean over QUARTILES_LEAST workloads or more. Names belong to the row. */
struct over_workloads {
    bool known; /**< false: another row, one that was not run, or none can be left out; the rest says nothing */
    struct quartiles quartiles; /**< of the workloads' own means over the seeds */
    const char *moves_most;     /**< without it the mean is the furthest from what it is */
    double without_most;        /**< the mean without it */
    /** Without it the verdict is another; of several one without which less agrees, then the one that moves most. */
    const char *decides;  /**< NULL: none does */
    double without;       /**< the mean without that */
    enum verdict verdict; /**< and its verdict */
};

struct outcome {
    struct summary summary;
    double twice; /**< with twice the window; NaN: not asked for */
    double other; /**< over the other alone runs (alone_both); NaN: not asked for */
    enum verdict verdict;
    struct over_workloads over;
    const char *reason; /**< of a row that was not run; into `summary` or the row */
};

void outcome_of(const struct reproduce_row *row, struct outcome *out);

/**
 * The value of each of the row's seeds into `values`; without the workload of that index, or SERIES_ALL. NaN where
 * there is none.
 */
void outcome_of_seeds(const struct reproduce_row *row, int without, double *values);

/** What the row counts as: its verdict, or that without one of its workloads when that agrees less. */
enum verdict outcome_counts_as(const struct outcome *o);

/** A verdict in words; those of bounds and levels are others. */
const char *outcome_word(const struct row *row, enum verdict v);

/** That of the row, with the workload that decides it: "within a quarter (one pair: SC+FWT)". */
void outcome_words(const struct row *row, const struct outcome *o, char *text, size_t size);

/** The last line. sign + hang rows have a verdict that agrees, quarter + nearer one within a quarter. */
struct tally {
    unsigned rows, sign, quarter, none, not_run;
    unsigned hang;   /**< rows that agree, at least in sign, but for one workload; they are in neither count */
    unsigned nearer; /**< rows within a quarter but for one workload; not in `quarter` */
    unsigned failed; /**< of those that were not run: no `missing` in the rows file says that they cannot be */
};

void outcome_tally(const struct reproduction *r, struct tally *t);

/* What `memhelm reproduce` prints: rows compared with the paper, grids, the list of rows; also as Markdown. */

/** Everything on the terminal; the last line counts. */
void show_reproduction(const struct reproduction *r, FILE *out);

/** Ids, figures, claims and the number of workloads; nothing is run. */
void show_list(const struct reproduction *r, FILE *out);

/** What show_reproduction() says, written to `path` as Markdown: the rows first. */
int show_markdown(const struct reproduction *r, const char *path, struct mh_error *err);

/* Bar plots of a study by gnuplot, each as SVG and PNG, with its data and script. */

/**
 * What `plots` of the rows file say, with the rows and grids of the call; of a grid that none of them has, a group of
 * bars per workload; and STUDY-rows: the paper's effects and ours.
 */
int plot_write(const struct reproduction *r, const char *dir, struct mh_error *err);

/* Figures from a recording (--from-recorded): its file has the cells of rows and grids, and nothing runs. */

/**
 * Reads the recording of `o->study`, from the file `o->recorded` or, if that is empty, from
 * host/reproduce/results/STUDY.json.zst; sets the seeds of `o` to the recorded ones. NULL and `err`: unreadable, of
 * another study, or no recording of rows. The caller releases it.
 */
json_t *from_recorded_read(struct reproduce_options *o, struct mh_error *err);

/**
 * Fills the cells of all series of `r`. Rows and columns that the recording lacks have no value; `missing` is their
 * number. -1 and `err`: a row or column has other workloads than were recorded.
 */
int from_recorded_fill(struct reproduction *r, const json_t *recording, unsigned *missing, struct mh_error *err);

/* What `memhelm reproduce` measured, as JSON: schema memhelm-reproduce-1. */

/**
 * Rows and grids with every cell; the same bytes for the same input. Of a row `ours`, `interval` (half its width),
 * `least` and `most` (of a seed), `verdict`; of a mean over workloads also `median`, `quartiles`, `moves_most` and
 * `one_pair` (outcome.h). Of each series `core` ({name, hz}; hz 0 is infinitely fast; null: a twin), `cells`, a list
 * per seed, and `partitions` and `against_partitions` where one of several counts. `config_sha256` is over all runs of
 * it.
 */
int rows_json_write(const struct reproduction *r, const char *path, struct mh_error *err);

#endif
