/* A pivot for people and for programs, the points themselves, and the words that figures share with them. */
#ifndef HOST_PIVOT_SHOW_H
#define HOST_PIVOT_SHOW_H

#include "base/figure.h"
#include "base/number.h"
#include "base/table.h"
#include "pivot.h"
#include "plan/metrics.h"

enum { WORDS_LABEL = 256 };

/** A value as the file has it; "-" when it is missing. Numbers are written into `number`. */
const char *words_value(const struct points_value *v, char number[NUMBER_TEXT]);

/** The values of a row in these columns, joined by a comma. */
void words_label(const struct points *p, const struct column_list *columns, unsigned row, char text[WORDS_LABEL]);

/** Names of columns, the same. */
void words_names(const struct points *p, const struct column_list *columns, char text[WORDS_LABEL]);

/**
 * A mean and half its interval (NaN: none): "1.234", "+3.1 +- 0.4 %" of a gain, "1.031x" of a ratio; "-" of NaN. A gain
 * is given as it is, 0.031.
 */
void words_mean(enum relation relation, double value, double half, char *text, size_t size);

/* --- A pivot for people: on the terminal, as Markdown or on a page. */

/**
 * A table for each value, or one of all values if there are no columns; with --spread one line for each cell. Below:
 * what a cell is a mean of, and once each reason why points are missing.
 */
void show_pivot(const struct pivot *t, const struct doc *d);

/** The same without a heading of its own. CSV has one table: a line for each row; for each column and value the mean,
 * half its 95 % interval ("interval"), and how many points are "missing". Gains are fractions: 0.031. Empty: there is
 * none. With --spread the quartiles and so on, too. */
void show_values(const struct pivot *t, const struct doc *d);

/** "weighted_speedup", or "weighted_speedup, gain over image=baseline". */
void show_value_name(const struct selection *s, unsigned value, char text[WORDS_LABEL]);

/** "geometric mean over workload (14), then mean of seed (5) and its 95 % interval"; "" when nothing is averaged. */
void show_means(const struct pivot *t, enum mean_kind kind, char text[WORDS_LABEL]);

/** A cell in words: its mean, interval, and "(12 of 14)" when points are missing; "" when the file has none of it. */
void show_cell(const struct pivot *t, const struct cell *c, char text[WORDS_LABEL]);

/** Of a sweep that has not run to its end: how many points are missing, and what to do; else nothing. */
void show_unfinished(const struct points *p, const struct doc *d);

/** The reasons, a point of a list each. */
void show_reasons(const struct reasons *r, const struct doc *d);

/** The workload without which a mean moves, as its column has it; an empty text of -1. */
const struct points_value *show_mover(const struct pivot *t, int mover);

/** JSON: what was asked for, rows of cells, reasons, and what made the points. -1 and `err`: out of memory. */
int export_json(const struct pivot *t, FILE *out, struct mh_error *err);

/* --- The points themselves, a line each. */

struct flat {
    const struct selection *selection;
    struct column_list columns; /**< that are shown */
    unsigned *rows;             /**< the chosen ones in their order, or sorted */
};

/**
 * `show`: names of columns; NULL: axes, metrics and, if a point has one, the reason. Metrics are those of the
 * selection: related to the base, if there is one. -1 and `err`: there is no such column. flat_free() frees it.
 */
int flat_of(struct flat *f, const struct selection *s, const char *show, struct mh_error *err);
void flat_free(struct flat *f);

void flat_show(const struct flat *f, const struct doc *d);
int flat_json(const struct flat *f, FILE *out, struct mh_error *err);

/* A pivot as a figure: a panel for each value, in SVG and PNG by gnuplot. */

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

/** Width of the widest number at a heat map's colour bar, in pixels. */
double drawing_scale_width(const struct drawing *d);

/** Data and layers of the panel of each value. */
void drawing_panels(struct drawing *d);

#endif
