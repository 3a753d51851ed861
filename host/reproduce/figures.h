/* Figures of a study: bars and lines. */
#ifndef HOST_REPRODUCE_FIGURES_H
#define HOST_REPRODUCE_FIGURES_H

#include <stdbool.h>

#include "memhelm/error.h"
#include "study.h"

/*
 * A figure of bars: groups along the x axis, in each a bar of every series that has a value there, and on its left the
 * paper's, grey. Bars that the paper has a value for, and all of a small figure, have their numbers above.
 */

enum {
    BARS_SERIES = 8 /**< as there are colours */,
    BARS_TEXT = 24,
    BARS_NAME = 64,
    BARS_HEIGHT = 330 /**< of the y axis, pixels */
};

/** What a series has in a group; NaN: no bar. */
struct bars_cell {
    double ours;
    double low, high; /**< the paper's, a range or a number; a bar from 0 unless it is a range */
    char ours_text[BARS_TEXT], paper_text[BARS_TEXT]; /**< above the bars; the paper's words */
    bool alone;                                       /**< no paper has it: its number stands above it */
};

/** Strings belong to the caller. */
struct bars {
    const char *name; /**< of the files */
    const char *title, *axis;
    const char *series[BARS_SERIES];
    unsigned series_count;
    bool log;       /**< the y axis; values of 0 or less then have no bar */
    double cut;     /**< higher bars end there and say their number; 0: none */
    unsigned apart; /**< groups from this one on stand apart from those before; 0: all are alike */
    char (*groups)[BARS_NAME];
    struct bars_cell *cells; /**< BARS_SERIES of each group */
    unsigned group_count, room;
};

/** Of series `series` in the group of that name, a new one behind the others if there is none. */
struct bars_cell *bars_cell(struct bars *f, const char *group, unsigned series);

/** Where a bar is: pixels to the right, values upwards. */
struct bar {
    unsigned group, series;
    bool paper;
    double left, right, low, high;
    double value;     /**< that is shown; NaN: the paper has words alone */
    const char *text; /**< NULL: none */
};

/** All bars, in groups, and the axes around them. */
struct bars_layout {
    struct bar *bars; /**< by group; freed by bars_layout_free() */
    unsigned bar_count;
    double width;     /**< of the axis */
    bool upright;     /**< numbers are written upwards */
    double low, high; /**< of the y axis */
};

void bars_lay_out(const struct bars *f, struct bars_layout *out);
void bars_layout_free(struct bars_layout *l);

/** Writes DIR/NAME.dat and .gp, and .svg and .png by gnuplot. A figure without a bar is said and left out. */
int bars_write(const struct bars *f, const char *dir, struct mh_error *err);

void bars_free(struct bars *f);

/*
 * A figure of lines: a grid of panels, each with an axis of values at equal distances, lines with quartiles, and marks.
 * Each panel has its own y axis, because effects range from a hundredth to a factor of thirty.
 */

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
