/* Bar plots of a study by gnuplot, each as SVG and PNG, with the data and the script that made them beside. */
#ifndef HOST_REPRODUCE_PLOT_H
#define HOST_REPRODUCE_PLOT_H

#include "reproduce.h"

/**
 * What `plots` of the rows file say, with the rows and grids of the call; of a grid that none of them has, a group of
 * bars per workload; and STUDY-rows: the paper's effects beside ours.
 */
int plot_write(const struct reproduction *r, const char *dir, struct mh_error *err);

#endif
