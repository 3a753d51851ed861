/*
 * A paper's evaluation, as its rows file states it: what the paper printed, and the runs that stand for it here.
 * Nothing about a paper is in the code.
 *
 * The file: title, preset, cycles (the window), alone, set (key=value of all runs, before those of rows and runs);
 * kernels (the paper's name of a kernel: ours with its size); lists (a name: workloads, or other lists); rows, grids,
 * one of them at least; plots (study_parts.h); doubling (ids of the headline rows); quick (rows, shorter lists under
 * the same names; cycles, the window of all, else each keeps its own; grids, else all).
 *
 * A row:
 *
 *     id figure what   id: lower case letters, digits, - and .; where the paper prints it, and what it is
 *     kind             effect: sign and size; level: the value; order: a direction
 *     paper            the paper's words (paper_claim.h); "within", "over", "less than" are bounds, not effects
 *     metric           an expression (plan/metrics.h) over the names in plan/quantity.h
 *     run, against     an image, or {image, design, preset, set: [key=value], machine: twin or qemu, partitions,
 *                      oracle}
 *     oracle           {file, metric}: for each workload the best CTA limits by that metric (harmonic_speedup and
 *                      so on) in a file of `memhelm search --json`; of --spatial SMs are split, too. Its name starts
 *                      at the current folder. Another preset, and assignments that the run has not, are refused; what
 *                      the run has besides (its window, `set`) the search had not. Without the file: not run
 *     relation         gain: run / against - 1; ratio: run / against; difference; level: no `against`.
 *                      Without it: level if there is no `against`, ratio if `kind` is level, else gain
 *     workloads        what the paper states it for: names of lists, or workloads as --workload takes them
 *     over             how workloads become one value: geomean (the default; of ratios), mean, min, max, or
 *                      share, the part of them above `above`
 *     set preset design   of run, against and alone runs
 *     cycles alone     where they are not the study's. alone: the `same` SMs, or the `whole` GPU; `both`: the study's
 *                      counts, and the row also shows its value with the other one
 *     less: plain      the value less that of the same row without its `set`: does a gain shrink with resources?
 *     partitions       [5, 15, 25]: SMs of the first of two tenants, the second has the others. Each is run, and
 *                      that with the highest weighted speedup counts. In a run or a column: of that run alone
 *     under            a run: the partition is the best for it, and all use that; without it each has its own best
 *     note             why ours differs, as found out; printed where the row is not within a quarter
 *     missing          why it cannot be run: counted as not run, a miss, but no failure of the call
 *
 * A row whose image, key or counter is not there is not run, with the reason. A workload in which nothing was counted
 * (0 / 0) is left out. Alone runs have the partition, too: with alone: same both speedups are over its SMs.
 *
 * A grid is a table, workloads down and columns ({name: run}) across: id, title, use (table: with the rows, always;
 * plot, latency, traces: with that option), digits after the point, over (the last line: geomean, which gains have
 * without it, or mean), and of a row's keys those of the measure. With regret, the name of a column of gains, two
 * columns follow: the best of the others and of `against`, and what the named one has more or less than that. In the
 * place of columns it may have run and axis: one run at several values of what the hardware or the workloads are like
 * (study_parts.h); or run and metrics, a mapping of names to metrics of that run.
 */
#ifndef HOST_REPRODUCE_STUDY_H
#define HOST_REPRODUCE_STUDY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/words.h"
#include "paper_claim.h"
#include "plan/metrics.h"
#include "memhelm/error.h"
#include "base/yaml_tree.h"

/** How the values of several workloads become one. */
enum aggregate { OVER_GEOMEAN, OVER_MEAN, OVER_MIN, OVER_MAX, OVER_SHARE /**< part of them above `above` */ };

enum row_kind { ROW_EFFECT, ROW_LEVEL, ROW_ORDER };

/** One line of the paper's results. */
struct row {
    const char *id, *figure, *what, *paper;
    const char *note;    /**< why ours differs, as far as it was found out; NULL: none */
    const char *missing; /**< why it is not run; NULL: it is */
    enum row_kind kind;
    struct claim claim; /**< `paper`, parsed */
    struct measure measure;
    struct variant run;
    enum aggregate over;
    double above;
    bool less_plain;      /**< the value is less that of the same row without `set`: what other resources change */
    struct measure plain; /**< that row's; owns nothing */
    struct measure other; /**< with `alone: both`: over alone runs on the other SMs; owns nothing */
};

/** What `--latency`, `--traces` and plots show: workloads down, variants across. */
enum grid_use { GRID_PLOT, GRID_TABLE /**< with the rows, always */, GRID_LATENCY, GRID_TRACES };

/** A value of an axis. */
struct axis_value {
    const char *label; /**< as the rows file has it, such as 64 or 1/4 */
    double number;
};

/** What is marked on an axis: a GPU that has the value `number`. */
struct axis_mark {
    const char *label;
    double number;
};

enum { AXIS_VALUES = 16, AXIS_MARKS = 8 };

/** What changes from column to column of a grid. */
struct axis {
    const char *name;                      /**< what a figure has below it; without one the key */
    const char *key;                       /**< of the configuration; NULL: only `sizes` change */
    struct axis_value values[AXIS_VALUES]; /**< ascending */
    unsigned value_count;
    char *assignments[AXIS_VALUES]; /**< KEY=VALUE; NULL without a key */
    struct list *sizes;             /**< a kernel in the rows file's words: its size at each value */
    unsigned size_count;
    struct axis_mark marks[AXIS_MARKS];
    unsigned mark_count;
};

struct grid {
    const char *id, *title;
    enum grid_use use;
    bool left_out;       /**< of the quick subset */
    unsigned digits;     /**< of levels, after the point */
    enum aggregate over; /**< the last line: OVER_GEOMEAN or OVER_MEAN */
    struct measure measure;
    struct variant *columns;
    unsigned column_count;
    unsigned regret;          /**< column whose regret is shown, from 1; 0: none */
    struct axis *axis;        /**< NULL: columns are what the rows file says */
    struct measure *measures; /**< of each column of an axis, whose value is that of run, against and alone runs, or of
                                 metrics; NULL: `measure` */
};

/** A named list of workloads or of other lists. */
struct list {
    const char *name;
    const char **items;
    unsigned count;
};

enum { PLOT_SERIES = 8 /**< bars or lines of a colour, in one figure */, PLOT_PANELS = 9, PLOT_PUBLISHED = 40 };

/** Bars of one colour, each with the paper's value if its row has one. */
struct plot_series {
    const char *name;
    /**
     * Ids of rows. A list that has a name: one row, the bar of the group of that name. The only one without a name: the
     * first row's workloads are the groups, all of them speak of these or their means; of a column of a grid, they
     * speak of its workloads.
     */
    struct list *groups;
    unsigned group_count;
};

/** What somebody measured on a GPU: a value at a number of the axis. */
struct plot_point {
    double number, value;
};

/** Lines over one axis: grids that have it, and published points. */
struct plot_panel {
    const char *names[PLOT_SERIES];
    const struct grid *grids[PLOT_SERIES];     /**< NULL: published points; never of the first */
    struct plot_point *published[PLOT_SERIES]; /**< ascending by number; NULL: a grid */
    unsigned points[PLOT_SERIES];
    unsigned count;
};

/** A figure of bars, or of lines in panels. */
struct plot {
    const char *id, *title, *axis;
    const struct grid *grid; /**< its columns are shown; NULL: `series` of rows are */
    struct plot_series *series;
    unsigned series_count;
    struct list *means; /**< groups behind the workloads: the mean over lists */
    unsigned mean_count;
    bool each;     /**< a group for each workload */
    bool percent;  /**< values are fractions, shown in percent */
    bool log;      /**< the axis; then no bar is below 0 */
    double cut;    /**< bars end there, in the axis' unit; 0: nowhere */
    unsigned rows; /**< that it names */
    struct plot_panel
        *panels; /**< then it is one of lines, and the rest above but id, title, axis and percent is not */
    unsigned panel_count;
};

struct study {
    const char *name;      /**< on the command line */
    const char *title;     /**< the paper */
    struct variant common; /**< preset and sets of all runs */
    uint64_t cycles;
    bool alone_whole;
    struct list *lists;
    unsigned list_count;
    struct list *kernels; /**< one item each: the paper's name of a kernel, and ours with its size */
    unsigned kernel_count;
    struct row *rows;
    unsigned row_count;
    struct grid *grids;
    unsigned grid_count;
    struct plot *plots;
    unsigned plot_count;
    struct list doubling; /**< ids of the rows that `--doubling` looks at */
    struct list quick_rows;
    struct list *quick_lists; /**< in the place of lists of the same name */
    unsigned quick_list_count;
    struct list quick_grids; /**< ids of those that are left; none: all */
    uint64_t quick_cycles;   /**< 0: windows stay */
    bool quick;              /**< the subset is chosen: study_quick() */
    void *document;          /**< owner of the strings */
    char sha256[HASH_TEXT];  /**< of the rows file */
};

/** The built-in studies, as a sentence names them. */
const char *study_names(void);

/** The built-in study's own copy of its name; NULL when there is none. */
const char *study_name(const char *name);

/** Reads the built-in study `name`, or `file` (unless it is NULL). -1 and `err` with file, line and remedy. */
int study_open(struct study *s, const char *name, const char *file, struct mh_error *err);
void study_close(struct study *s);

/** Keeps the rows, lists and windows of the stated subset only. */
void study_quick(struct study *s);

/** Another window everywhere; a row's own keeps its proportion to the study's. */
void study_cycles(struct study *s, uint64_t cycles);

/** NULL when there is none such. */
struct row *study_row(const struct study *s, const char *id);
const struct grid *study_grid(const struct study *s, const char *id);

/** The row, the grid, that somebody may have meant by `id`. */
struct nearest study_near_row(const struct study *s, const char *id);
struct nearest study_near_grid(const struct study *s, const char *id);

/** What column `column` of a grid measures. */
const struct measure *grid_measure(const struct grid *g, unsigned column);

/**
 * A workload in the rows file's words, and as `--workload` takes it: each kernel with our name and its size, which an
 * axis may say.
 */
struct workload {
    char *name, *spec;
};

/**
 * The workloads of a measure: an array of `*count`, to be freed with study_free_workloads(). NULL and `err` when there
 * is none, or for a list that contains itself.
 */
struct workload *study_workloads(const struct study *s, const struct measure *m, unsigned *count, struct mh_error *err);
void study_free_workloads(struct workload *workloads, unsigned count);

/* Lists of workloads of built-in studies, without their rows. */

/**
 * Adds the workloads of `STUDY:LIST`, as --workload takes them, that are not there yet. -1 and `err` (what there is)
 * without such a study or list.
 */
int study_named_list(const char *name, struct words *out, struct mh_error *err);

/* Lists of a rows file: of workloads, of ids; names to lists. Private to the study's readers. */

/** A scalar is a list of one. `list->items` is freed with lists_free() or free(), after an error, too. */
int lists_load_items(const struct tree *t, const yaml_node_t *n, struct list *list);

/** A mapping of names to lists into `*count` new ones at `*lists`; `what` names it in errors; NULL: none. */
int lists_load_named(const struct tree *t, const yaml_node_t *map, const char *what, struct list **lists,
                     unsigned *count);

/** NULL when there is none such. */
const struct list *lists_find(const struct list *lists, unsigned count, const char *name);

void lists_free(struct list *lists, unsigned count);

#endif
