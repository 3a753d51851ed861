/*
 * Runs gnuplot for figure.h, which writes its scripts: script and data are left in files, so that others can draw them
 * again. No name of a file reaches gnuplot here: to it "|cmd" is a command.
 */
#ifndef HOST_BASE_GNUPLOT_H
#define HOST_BASE_GNUPLOT_H

#include <stdio.h>

#include "file.h"
#include "memhelm/error.h"

/** Can `dir` be made and gnuplot be started? For an error before hours of simulation, not after. */
int gnuplot_check(const char *dir, struct mh_error *err);

enum { GNUPLOT_NAME = 100 };

/**
 * Splits a figure's path, the value of `option`, into its directory and its name without .svg. The directory of `-`,
 * standard output, is "". -1 and `err` when the path does not end in .svg, or its name is longer than GNUPLOT_NAME.
 */
int gnuplot_place(const char *option, const char *path, char dir[HOST_PATH], char name[HOST_PATH],
                  struct mh_error *err);

/** A figure's data and script, as they grow. */
struct gnuplot {
    FILE *data, *script;
    char *data_text, *script_text;
    size_t data_size, script_size;
};

int gnuplot_open(struct gnuplot *g, struct mh_error *err);

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

/** Terminal of PNGs whose script measures texts; with this scale they are as large as in the SVG. */
#define GNUPLOT_PNG "png fontscale 0.75"

/** A file of the figure in its script, quoted: the data ("dat") or a picture ("svg", "png"). */
void gnuplot_file(FILE *out, const char *suffix);

/** One more cell of a row of data, after a tab; NaN is '?', gnuplot's missing value if the script says so. */
void gnuplot_value(struct gnuplot *g, double v);

/**
 * Writes DIR/NAME.dat and .gp, in which files of DIR have no path, draws DIR/NAME.svg and .png, those that the script
 * names, and frees what gnuplot_open() took. Without a directory the SVG alone goes to standard output.
 */
int gnuplot_finish(struct gnuplot *g, const char *dir, const char *name, struct mh_error *err);

/** Frees what gnuplot_open() took; nothing is written. */
void gnuplot_drop(struct gnuplot *g);

#endif
