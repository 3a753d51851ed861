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
#ifndef HOST_REPRODUCE_STUDY_AXIS_H
#define HOST_REPRODUCE_STUDY_AXIS_H

#include "base/yaml_tree.h"
#include "study.h"

/** A number of an axis, as 4 or 1/4, 0 or more. False: it is none. */
bool study_axis_number(const char *text, double *number);

/** Fills axis, columns and their measures, all of `run`; the grid's measure is there. study_axis_free() follows. */
int study_axis_load(const struct tree *t, const yaml_node_t *map, const struct study *s, const struct variant *run,
                    struct grid *g);
void study_axis_free(struct grid *g);

/* The `grids` of a rows file. Private to the study's readers. */

/** After kernels and lists. study_grids_free() follows, after an error, too. */
int study_grids_load(const struct tree *t, struct study *s);
void study_grids_free(struct study *s);

#endif
