/* A figure of a pivot while it is made: what draw.c has measured, for draw_panels.c. */
#ifndef HOST_PIVOT_DRAWING_H
#define HOST_PIVOT_DRAWING_H

#include "base/figure.h"
#include "draw.h"
#include "show.h"

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

/** A number as it is drawn: gains in percent. */
double drawing_value(const struct drawing *d, double value);
double drawing_half(const struct drawing *d, double half);

/** The label of a row, or of a column: a series' name, the value's where there is but one. */
void drawing_row(const struct drawing *d, unsigned row, char text[WORDS_LABEL]);
void drawing_series(const struct drawing *d, unsigned value, unsigned column, char text[WORDS_LABEL]);

/** What a mark is a mean of, and what marks those that lack points; below the title. */
void drawing_notes(const struct drawing *d, char text[WORDS_LABEL]);

/** Width of the widest number of a heat map's colour scale, pixels. */
double drawing_scale_width(const struct drawing *d);

/** Data and layers of the panel of each value. */
void drawing_panels(struct drawing *d);

#endif
