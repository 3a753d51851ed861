/*
 * A figure of lines: a grid of panels, each with an axis of values at equal distances, lines with quartiles, and marks.
 * Each panel has its own y axis, because effects range from a hundredth to a factor of thirty.
 */
#ifndef HOST_REPRODUCE_LINES_H
#define HOST_REPRODUCE_LINES_H

#include "memhelm/error.h"
#include "study.h"

/** What a line has at a value; NaN: nothing there. */
struct lines_point {
    double mean;
    double low, median, high; /**< of the workloads: first quartile, median, third */
};

struct lines_panel {
    const struct axis *axis;
    struct lines_point points[PLOT_SERIES][AXIS_VALUES];
    const struct plot_point *published[PLOT_SERIES]; /**< drawn as points in the place of a line; NULL: a line */
    unsigned published_count[PLOT_SERIES];
};

/** Strings belong to the caller, axes to the study. */
struct lines {
    const char *name; /**< of the files */
    const char *title, *axis;
    const char *series[PLOT_SERIES]; /**< a colour each, the same in all panels */
    unsigned series_count, panel_count;
    struct lines_panel panels[PLOT_PANELS];
};

/** No panel yet: every point is NaN. */
void lines_init(struct lines *l);

/** Where `number` is on the axis: 0 is its first value, 1 its second; between two by their ratio. */
double lines_place(const struct axis *a, double number);

/** Least and most of what a panel draws, and 0; `range[0] < range[1]`. False when there is nothing. */
bool lines_range(const struct lines_panel *p, unsigned series_count, double range[2]);

/** Writes DIR/NAME.dat and .gp, and .svg and .png by gnuplot. A figure without a point is said and left out. */
int lines_write(const struct lines *l, const char *dir, struct mh_error *err);

#endif
