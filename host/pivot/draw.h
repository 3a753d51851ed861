/* A pivot as a figure: a panel for each value, in SVG and PNG by gnuplot. */
#ifndef HOST_PIVOT_DRAW_H
#define HOST_PIVOT_DRAW_H

#include "pivot.h"

enum draw_kind { DRAW_LINES, DRAW_BARS, DRAW_HEAT };

struct draw_options {
    enum draw_kind kind;
    bool log_x, log_y; /**< asked for; lines over numbers that grow by factors have a logarithmic x axis anyway */
    const char *title; /**< NULL: the sweep's name */
};

/**
 * Writes DIR/NAME.dat and .gp, and .svg and .png by gnuplot. Lines and bars: rows are the x axis, columns the series,
 * error bars the 95 % intervals; a heat map: rows are y, columns x. A cell without a mean is a gap; a ring marks one
 * that lacks points. -1 and `err`: there is nothing to draw, too much of it, or gnuplot cannot.
 */
int draw_pivot(const struct pivot *t, const struct draw_options *o, const char *dir, const char *name,
               struct mh_error *err);

/** Do these values, ascending, grow by factors rather than by steps? */
bool draw_is_geometric(const double *values, unsigned count);

#endif
