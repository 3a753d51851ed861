/*
 * A run's series as CCBP draws it (figures 3, 4 and 12): what crossbar and DRAM carry in each period, and what replies
 * reads ask the crossbar for, tenants one upon the other, in percent of what they sustain (sec. 3.2). The end of the
 * run, where policies have settled.
 */
#ifndef HOST_REPORT_SERIES_PLOT_H
#define HOST_REPORT_SERIES_PLOT_H

#include "plan/experiment.h"

/** Does `path` end in .svg, could it be written, is gnuplot there? For an error before the run. */
int series_plot_check(const char *path, struct mh_error *err);

/** Draws the first image's run into `path`; data and script lie next to it. Nothing of a run without a result. */
int series_plot_write(const struct experiment *x, const char *path, struct mh_error *err);

#endif
