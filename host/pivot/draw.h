/* A pivot as a figure: a panel for each value, in SVG and PNG by gnuplot. */
#ifndef HOST_PIVOT_DRAW_H
#define HOST_PIVOT_DRAW_H

#include "base/figure.h"
#include "show.h"

enum draw_kind { DRAW_LINES, DRAW_BARS, DRAW_HEAT };

struct draw_options {
    enum draw_kind kind;
    bool log_x, log_y; /**< asked for; lines over numbers that grow by factors have a logarithmic x axis anyway */
    const char *title; /**< NULL: the sweep's name */
    unsigned columns;  /**< 1 or 2, of a paper, whose caption is the title (lines and bars); 0: of a screen */
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

/* --- A figure while it is made: what draw.c has measured, for draw_panels.c. */

enum { DRAWING_PANELS = 8, DRAWING_LINES = 32, DRAWING_BARS = GNUPLOT_COLOURS };

struct drawing {
    const struct pivot *t;
    const struct draw_options *o;
    struct figure f;
    unsigned *order; /**< rows from left to right */
    double *place;   /**< [row]: where it is on the x axis */
    bool numeric;    /**< the x axis has numbers, not names at equal distances */
    bool log_x;
    double left, right;              /**< pixels between a panel's axes and the figure's edges */
    double first, axis_height, step; /**< pixels: top of the first panel's axes, their height, from panel to panel */
    bool slanted;                    /**< names below the x axis do not fit in one line */
    unsigned key_rows;
};

/** A number as it is drawn: gains in percent. Half an interval, 0 where there is none. */
double drawing_value(const struct drawing *d, double value);
double drawing_half(const struct drawing *d, double half);

/** Least and most of what is drawn of a value, with intervals or without; least > most: nothing is. */
struct drawing_range {
    double least, most;
};

struct drawing_range drawing_range(const struct drawing *d, unsigned value, bool intervals);

/** The label of a row, or of a column: a series' name, the value's where there is but one. */
void drawing_row(const struct drawing *d, unsigned row, char text[WORDS_LABEL]);
void drawing_series(const struct drawing *d, unsigned value, unsigned column, char text[WORDS_LABEL]);

/** A value and what it is related to, in words; the value alone in one column of a paper. */
void drawing_value_name(const struct drawing *d, unsigned value, char text[WORDS_LABEL]);

/** What a mark is a mean of, and what marks those that lack points; below the title. */
void drawing_notes(const struct drawing *d, char text[WORDS_LABEL]);

/** Width of the widest number beside a heat map's colours, pixels. */
double drawing_scale_width(const struct drawing *d);

/** Data and layers of the panel of each value. */
void drawing_panels(struct drawing *d);

#endif
