/*
 * A figure of bars: groups along the x axis, in each a bar of every series that has a value there, and on its left the
 * paper's, grey. Bars that the paper has a value for, and all of a small figure, have their numbers above.
 */
#ifndef HOST_REPRODUCE_FIGURE_H
#define HOST_REPRODUCE_FIGURE_H

#include <stdbool.h>

#include "memhelm/error.h"

enum {
    FIGURE_SERIES = 8 /**< as there are colours */,
    FIGURE_TEXT = 24,
    FIGURE_NAME = 64,
    FIGURE_HEIGHT = 330 /**< of the y axis, pixels */
};

/** What a series has in a group; NaN: no bar. */
struct figure_cell {
    double ours;
    double low, high; /**< the paper's, a range or a number; a bar from 0 unless it is a range */
    char ours_text[FIGURE_TEXT], paper_text[FIGURE_TEXT]; /**< above the bars; the paper's words */
};

/** Strings belong to the caller. */
struct figure {
    const char *name; /**< of the files */
    const char *title, *axis;
    const char *series[FIGURE_SERIES];
    unsigned series_count;
    bool log;       /**< the y axis; values of 0 or less then have no bar */
    double cut;     /**< higher bars end there and say their number; 0: none */
    unsigned apart; /**< groups from this one on stand apart from those before; 0: all are alike */
    char (*groups)[FIGURE_NAME];
    struct figure_cell *cells; /**< FIGURE_SERIES of each group */
    unsigned group_count, room;
};

/** Of series `series` in the group of that name, a new one behind the others if there is none. NULL: out of memory. */
struct figure_cell *figure_cell(struct figure *f, const char *group, unsigned series);

/** Where a bar is: pixels to the right, values upwards. */
struct figure_bar {
    unsigned group, series;
    bool paper;
    double left, right, low, high;
    double value;     /**< that is shown; NaN: the paper has words alone */
    const char *text; /**< NULL: none */
};

/** All bars, those of a group beside each other, and the axes around them. */
struct figure_layout {
    struct figure_bar *bars; /**< by group; freed by figure_layout_free() */
    unsigned bar_count;
    double width;     /**< of the axis */
    bool upright;     /**< numbers are written upwards */
    double low, high; /**< of the y axis */
};

int figure_lay_out(const struct figure *f, struct figure_layout *out, struct mh_error *err);
void figure_layout_free(struct figure_layout *l);

/** Writes DIR/NAME.dat and .gp, and .svg and .png by gnuplot. A figure without a bar is said and left out. */
int figure_write(const struct figure *f, const char *dir, struct mh_error *err);

void figure_free(struct figure *f);

#endif
