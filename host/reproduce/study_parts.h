/* Parts of a file of rows, which study_load.c reads. */
#ifndef HOST_REPRODUCE_STUDY_PARTS_H
#define HOST_REPRODUCE_STUDY_PARTS_H

#include "base/yaml_tree.h"
#include "study.h"

/*
 * The `axis` of a grid: one run at several values of a key of the configuration, or of the workloads' sizes. A value
 * holds for run, against and alone runs. Private to the study's readers.
 *
 *     {id: g, .., run: dws, against: baseline, axis: {key: l1tlb.mshrs, values: [1, 2, 4], marks: {1: MASK, 4: ours}}}
 *     axis: {key: walk.pwc_bytes, values: {64: [walk.pwc_ways=8], 128: []}}
 *     axis: {name: footprint, values: [1/4, 1, 4], sizes: {MM: [512, 1024, 2048], NN: [7, 28, 112]}}
 *
 *     key       it is assigned to each column, after the study's and the grid's `set` and before the run's
 *     values    ascending numbers, which may be A/B. As a mapping: what else a value assigns, such as a size that fits.
 *               A value that the configuration refuses is an error of the file
 *     sizes     kernels, in the rows file's words: the size of each at each value. Other kernels keep theirs
 *     name      what figures have below the axis; needed without a key
 *     marks     numbers between the first value and the last, each with the GPU that has it
 */

/** A number of an axis, as 4 or 1/4, 0 or more. False: it is none. */
bool study_axis_number(const char *text, double *number);

/** Fills axis, columns and their measures, all of `run`; the grid's measure is there. study_axis_free() follows. */
int study_axis_load(const struct tree *t, const yaml_node_t *map, const struct study *s, const struct variant *run,
                    struct grid *g);
/* The `grids` of a rows file. Private to the study's readers. */

/** After kernels and lists. study_grids_free() follows, after an error, too. */
int study_grids_load(const struct tree *t, struct study *s);
void study_grids_free(struct study *s);

/* What is run and measured, as rows and grids of a rows file state it alike. Private to the study's readers. */

/** The keys of a mapping that study_measure_load() reads. */
#define STUDY_MEASURE_KEYS "metric relation against workloads cycles preset design set alone partitions under"

/** Adds a list of assignments; those under `set` of `map`, if it is there. */
int study_sets_add(const struct tree *t, const yaml_node_t *list, struct variant *v);
int study_sets_load(const struct tree *t, const yaml_node_t *map, struct variant *v);

/** An image, or {image, design, ..}. */
int study_variant_load(const struct tree *t, const yaml_node_t *n, struct variant *v);

/** `level`: what the relation to `against` is, where the map does not say so, is a ratio; else a gain. */
int study_measure_load(const struct tree *t, const yaml_node_t *map, const struct study *s, bool level,
                       struct measure *m);

/*
 * The `plots` of a rows file. Private to the study's readers. A plot shows rows and grids that there are; it runs
 * nothing. The paper's bar, grey, stands on the left of ours where a row has a number: a range from end to end, a bound
 * as high as it is; a direction is words. A row of figure `ours` has none.
 *
 *     {id: mask-fig3, title: "..", axis: "..", series: {PWCache: fig3-pwcache}, means: {all: pairs}}
 *     {id: mask-table4, title: "..", axis: "..", series: {MASK: {Fermi: table4-fermi-mask}}}
 *     {id: mask-fig11, title: "..", axis: "..", grid: mask-fig12-14, each: no, paper: {MASK: fig11-mask}}
 *
 *     id            name of its files
 *     axis          of y. Gains and percentages get [%]; a figure has one unit
 *     series        a colour each. NAME: {GROUP: row} is a bar per group. NAME: row, or rows: a bar per workload of the
 *                   first; what all of them say stands at their workload, their mean, or `least` and `most` (over: min,
 *                   max)
 *     grid, paper   instead of series: the grid's columns, and the rows that speak of them
 *     means         groups behind the workloads, NAME: list, averaged as the rows are; of a grid without rows as in
 *                   its table
 *     each          no: means alone, no group per workload
 *     log, cut      log: yes; bars beyond `cut` end there and say their number
 *     panels        instead of all these: lines over an axis. A list of {NAME: grid}, a panel with a line each; they
 *                   have one axis. A line is the mean, with its workloads' median and quartiles.
 *                   NAME: {1/4: 36.0, 24: 317} behind the first grid are published points: numbers within the axis,
 *                   ascending, and what somebody measured there
 *
 * A grid that no plot names has a plain figure: bars, or lines where it has an axis.
 */

/** After rows, grids and lists: what they name is checked. study_plots_free() follows, after an error, too. */
int study_plots_load(const struct tree *t, struct study *s);
void study_plots_free(struct study *s);

#endif
