/* A figure of a pivot while it is made: what its kinds share. */
#ifndef HOST_PIVOT_DRAWING_H
#define HOST_PIVOT_DRAWING_H

#include "base/gnuplot.h"
#include "draw.h"
#include "words.h"

/* Pixels. */
enum {
    DRAWING_WIDTH = 960,
    DRAWING_LEFT = 96,
    DRAWING_POWERS = 40, /**< more to the left, for numbers with powers of ten */
    DRAWING_RIGHT = 28,
    DRAWING_HEAD = 62,    /**< title and what is drawn; lines of the key come below */
    DRAWING_ABOVE = 30,   /**< a panel: its title */
    DRAWING_HEIGHT = 250, /**< of a panel's axis */
    DRAWING_LEAST = 560   /**< of a width: there are words above */
};

enum { DRAWING_PANELS = 8, DRAWING_LINES = 32, DRAWING_BARS = GNUPLOT_COLOURS };

struct drawing {
    const struct pivot *t;
    const struct draw_options *o;
    const char *name;
    struct gnuplot g;
    unsigned *order; /**< rows from left to right */
    double *place;   /**< [row]: where it is on the x axis */
    bool numeric;    /**< the x axis has numbers, not names at equal distances */
    bool log_x;
    double width, height;      /**< of the figure */
    double left, right, below; /**< of a panel's axis */
    double axis_height;
    bool slanted; /**< names below the x axis have no room beside each other */
    unsigned key_rows;
};

/** A number as it is drawn: gains in percent. */
double drawing_value(const struct drawing *d, double value);
double drawing_half(const struct drawing *d, double half);

/** The label of a row, or of a column: a series' name, the value's where there is but one. */
void drawing_row(const struct drawing *d, unsigned row, char text[WORDS_LABEL]);
void drawing_series(const struct drawing *d, unsigned value, unsigned column, char text[WORDS_LABEL]);

/** "gain [%]", or the metric's own name. */
void drawing_axis(const struct drawing *d, unsigned value, char text[WORDS_LABEL]);

/** What a mark is a mean of, and what marks those that lack points; below the title. */
void drawing_notes(const struct drawing *d, char text[WORDS_LABEL]);

/** Opens a terminal and the panels in it, with the title above; drawing_end() closes them. */
void drawing_begin(struct drawing *d, bool png);
void drawing_end(struct drawing *d);

/** Title and margins of the panel of a value. */
void drawing_panel(struct drawing *d, unsigned value);

/** Of lines and bars: names or numbers of the x axis, the range of the y axis, grid and zero. */
void drawing_x_axis(struct drawing *d);
void drawing_y_axis(struct drawing *d, unsigned value);

/** Pixels of a text in gnuplot's own font, about. */
double drawing_text_width(const char *text);

/** Data and script of lines and bars, and of a heat map. */
void draw_series(struct drawing *d);
void draw_heat(struct drawing *d);

/** Sets what a heat map needs: width, left, right, axis_height. */
void draw_heat_room(struct drawing *d);

#endif
