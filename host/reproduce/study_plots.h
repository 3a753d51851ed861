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
 *                   have one axis (study_axis.h). A line is the mean, with its workloads' median and quartiles.
 *                   NAME: {1/4: 36.0, 24: 317} behind the first grid are published points: numbers within the axis,
 *                   ascending, and what somebody measured there
 *
 * A grid that no plot names has a plain figure: bars, or lines where it has an axis.
 */
#ifndef HOST_REPRODUCE_STUDY_PLOTS_H
#define HOST_REPRODUCE_STUDY_PLOTS_H

#include "study.h"
#include "base/yaml_tree.h"

/** After rows, grids and lists: what they name is checked. study_plots_free() follows, after an error, too. */
int study_plots_load(const struct tree *t, struct study *s);
void study_plots_free(struct study *s);

#endif
