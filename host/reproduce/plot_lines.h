/* Figures of lines from grids over an axis. */
#ifndef HOST_REPRODUCE_PLOT_LINES_H
#define HOST_REPRODUCE_PLOT_LINES_H

#include "reproduce.h"

/** Draws a plot that has panels, with the grids of the call; nothing when none of them is in it. */
int plot_lines(const struct reproduction *r, const struct plot *p, const char *axis, const char *dir,
               struct mh_error *err);

#endif
