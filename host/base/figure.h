/*
 * A figure: one or more panels of layers over blocks of data, drawn by gnuplot as SVG, PNG, PDF and EPS of one size.
 * What is described here is written once and drawn for all pictures. Nothing else in the program writes gnuplot's
 * language.
 */
#ifndef HOST_BASE_FIGURE_H
#define HOST_BASE_FIGURE_H

#include <stdbool.h>
#include <stdio.h>

#include "file.h"
#include "memhelm/error.h"

/* --- gnuplot: script and data are left in files, so that others can draw them again. No name of a file reaches
 * gnuplot: to it "|cmd" is a command. */

/** Can `dir` be made and gnuplot be started? For an error before hours of simulation, not after. */
int gnuplot_check(const char *dir, struct mh_error *err);

enum { GNUPLOT_NAME = 100 };

/**
 * Splits a figure's path, the value of `option`, into its directory and its name without .svg or another picture's end.
 * The directory of `-`, standard output, is "". -1 and `err` when the path does not end so, or its name is longer than
 * GNUPLOT_NAME.
 */
int gnuplot_place(const char *option, const char *path, char dir[HOST_PATH], char name[HOST_PATH],
                  struct mh_error *err);

/** Is it such a path, could it be written, is gnuplot there? For an error before the run. */
int gnuplot_check_file(const char *option, const char *path, struct mh_error *err);

/** A figure's data and script, as they grow. */
struct gnuplot {
    FILE *data, *script;
    char *data_text, *script_text;
    size_t data_size, script_size;
};

void gnuplot_open(struct gnuplot *g);

/** Colours of curves and bars, Okabe and Ito's, which colour-blind people can tell apart. */
enum { GNUPLOT_COLOURS = 8 };
extern const char *const gnuplot_colours[GNUPLOT_COLOURS];

/**
 * Writes `text` in single quotes, which gnuplot takes literally; without `noenhanced` in the command _ and ^ still
 * change the font. Characters that XML forbids, and "]]>", are replaced.
 */
void gnuplot_quote(FILE *out, const char *text);

/** Writes `text` as a cell of the data; quotes, tabs, line ends and a leading # are replaced. */
void gnuplot_cell(FILE *data, const char *text);

/** Kinds of pictures, which are their suffixes; the last one is NULL. */
extern const char *const *const gnuplot_pictures;

/** Terminal of PNGs whose script measures texts; with this scale they are as large as in the SVG. */
#define GNUPLOT_PNG "png fontscale 0.75"

/** A file of the figure in its script, quoted: the data ("dat") or a picture. */
void gnuplot_file(FILE *out, const char *suffix);

/** One more cell of a row of data, after a tab; NaN is '?', gnuplot's missing value if the script says so. */
void gnuplot_value(struct gnuplot *g, double v);

/**
 * Writes DIR/NAME.dat and .gp, in which files of DIR have no path, draws the pictures that the script names, and frees
 * what gnuplot_open() took. Without a directory the SVG alone goes to standard output.
 */
int gnuplot_finish(struct gnuplot *g, const char *dir, const char *name, struct mh_error *err);

/** Frees what gnuplot_open() took; nothing is written. */
void gnuplot_drop(struct gnuplot *g);

/* --- A figure. */

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

/** Pixels of one column of a two-column paper (3.35 inches), or of both (7): `columns` 1 or 2; its texts are 9 points.
 */
double figure_paper_width(unsigned columns);

/** An empty figure; figure_finish() or figure_drop() frees it. `heading`: names of the data's columns. */
void figure_open(struct figure *f, const char *heading);

/** Writes DIR/NAME.dat, .gp and the pictures, and frees the figure; "" as DIR: the SVG goes to standard output. */
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

/** A metric or counter in words: "weighted_speedup" is weighted speedup, "l2tlb_hit / ipc" is L2 TLB hit / IPC. */
void figure_words(const char *name, char *text, size_t size);

/** Pixels of a text in gnuplot's own font, about. */
double figure_text_width(const char *text);

#endif
