/* A page as its parts write it. */
#ifndef HOST_PAGE_PART_H
#define HOST_PAGE_PART_H

#include "base/doc.h"
#include "input.h"

enum { PART_TITLE = 200 };

struct part {
    struct doc doc; /**< where it is written: HTML, headings below level 2 */
    FILE *nav;      /**< the list of contents */
    char figures[HOST_PATH];
    unsigned sections, drawn; /**< so far; drawn: of `figures` */
};

/** Begins a section with a heading, which the list of contents has. */
void part_begin(struct part *p, const char *title);
void part_end(struct part *p);

/** Begins what a reader opens if interested; a browser needs no script for that. Paper has it open. */
void part_fold(struct part *p, const char *title);
void part_fold_end(struct part *p);

/** Name of the next figure, `NN-what`: a file of `figures` without suffix. */
void part_figure_name(struct part *p, const char *what, char name[PART_TITLE]);

/**
 * Puts an SVG file into the page as an image, of which a browser runs and loads nothing. `words` are its alternative
 * text and its caption.
 */
int part_figure(struct part *p, const char *path, const char *words, struct mh_error *err);

/** Adds all pictures next to the file whose name is `name` followed by a match of the pattern `end`. */
int part_figures(struct part *p, const struct input *in, const char *name, const char *end, struct mh_error *err);

/* --- What parts there are. */

/** Runs of `run` and `compare`: a section for each workload and configuration. */
int part_runs(struct part *p, const struct input *in, unsigned count, struct mh_error *err);

/** A paper's evaluation. */
int part_study(struct part *p, const struct input *in, struct mh_error *err);

/** What decisions on the mcu cost (memhelm latency). */
int part_latency(struct part *p, const struct input *in, struct mh_error *err);

/** A sweep. */
int part_points(struct part *p, const struct input *in, struct mh_error *err);

/** All epoch logs, in one figure. */
int part_epochs(struct part *p, const struct input *in, unsigned count, struct mh_error *err);

/** Any other JSON: its values, and its lists as tables. */
void part_other(struct part *p, const struct input *in);

#endif
