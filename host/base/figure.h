/*
 * A figure: one or more panels of layers over blocks of data, drawn by gnuplot as SVG and PNG of the same size. What is
 * described here is written once and drawn for both pictures. Nothing else in the program writes gnuplot's language.
 */
#ifndef HOST_BASE_FIGURE_H
#define HOST_BASE_FIGURE_H

#include <stdbool.h>
#include <stdio.h>

#include "gnuplot.h"

struct figure {
    double width, height; /**< pixels; before margins and labels are set */
    /* The rest is figure.c's. */
    struct gnuplot g;
    FILE *body;
    char *text;
    size_t size;
    unsigned blocks, layers; /* so far; layers: of the panel */
    bool panels;             /* several, each with margins of its own */
};

/** An empty figure; figure_finish() or figure_drop() frees it. `heading`: names of the data's columns. */
void figure_open(struct figure *f, const char *heading);

/** Writes DIR/NAME.dat, .gp, .svg and .png, and frees the figure; "" as DIR: the SVG goes to standard output. */
int figure_finish(struct figure *f, const char *dir, const char *name, struct mh_error *err);
void figure_drop(struct figure *f);

/* --- Data. */

/** Begins a block, under a comment that names it, and returns its number. */
unsigned figure_block(struct figure *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The first cell of a row: a text or a number. */
void figure_row(struct figure *f, const char *text);
void figure_row_at(struct figure *f, double number);

/** `count` more cells, and the row's end; NaN is a missing value. */
void figure_values(struct figure *f, unsigned count, const double *values);
void figure_block_end(struct figure *f);

/* --- Frames. */

/** Several panels: the title of all, `note` below it, and the place of the key, `key_rows` high (0: there is none). */
void figure_title(struct figure *f, const char *title, const char *note, unsigned key_rows);

/** The edges of a panel's axes in pixels from the left and from the top. */
void figure_edges(struct figure *f, double left, double right, double top, double bottom);

/** A line of gnuplot's; with figure_quoted() `before 'text' after`. */
void figure_line(struct figure *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void figure_quoted(struct figure *f, const char *before, const char *text, const char *after);

/** Ticks of an axis ("x", "y", "x2") with names; `how`: other words of gnuplot's. */
void figure_ticks(struct figure *f, const char *axis, const char *how);
void figure_tick(struct figure *f, const char *name, double place);
void figure_ticks_end(struct figure *f);

/* --- Layers, from the lowest to the highest. */

/**
 * Draws block `block`: `how` is gnuplot's `using` and `with`, such as "1:2 with lines". `colour` NULL: of the data;
 * `title` NULL: not in the key.
 */
void figure_layer(struct figure *f, unsigned block, const char *how, const char *colour, const char *title);

/** An entry of the key alone, with `how` instead of data: "lines lw 2". */
void figure_key(struct figure *f, const char *how, const char *colour, const char *title);

/** A layer without data, such as "100 with lines notitle". */
void figure_constant(struct figure *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Ends the panel: what comes is the next one's. */
void figure_panel_end(struct figure *f);

/** Pixels of a text in gnuplot's own font, about. */
double figure_text_width(const char *text);

#endif
