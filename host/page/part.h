/* A page as its parts write it, and the files that it is made of. What a file is says its content, not its name. */
#ifndef HOST_PAGE_PART_H
#define HOST_PAGE_PART_H

#include <jansson.h>

#include "base/doc.h"
#include "base/file.h"

enum input_kind {
    INPUT_RUNS,    /**< memhelm-result-1 or memhelm-compare-1: `json` */
    INPUT_STUDY,   /**< memhelm-reproduce-1: `json` */
    INPUT_LATENCY, /**< memhelm-latency-2: `json` */
    INPUT_OTHER,   /**< another schema of memhelm: `json` */
    INPUT_POINTS,  /**< SQLite: a sweep's */
    INPUT_TIMELINE /**< CSV: an epoch log; with `json` memhelm-timeline-1: events */
};

struct input {
    const char *path;
    char name[HOST_PATH]; /**< of the file, without directory and suffix */
    enum input_kind kind;
    json_t *json; /**< NULL: it is none */
};

/** -1 and `err`: it cannot be read, or a page cannot be made of it. */
int input_open(struct input *in, const char *path, struct mh_error *err);
void input_close(struct input *in);

/** A text of a JSON object; "" where there is none. */
const char *input_text(const json_t *o, const char *key);

/** A number; NaN where there is none. */
double input_number(const json_t *o, const char *key);

enum { PART_TITLE = 200 };

struct part {
    struct doc doc; /**< where it is written: HTML, headings below level 2 */
    FILE *nav;      /**< the list of contents */
    char figures[HOST_PATH];
    unsigned sections, drawn; /**< so far; drawn: of `figures` */
    bool zooms;               /**< there is a timeline, which needs the script */
};

/** Begins a section with a heading, which the list of contents has. */
void part_begin(struct part *p, const char *title);
void part_end(struct part *p);

/** Begins what a reader opens if interested; a browser needs no script for that. Paper has it open. */
void part_fold(struct part *p, const char *title);
void part_fold_end(struct part *p);

/** Name of the next figure, `NN-what`: a file of `figures` without suffix. */
void part_figure_name(struct part *p, const char *what, char name[PART_TITLE]);

/** Puts the figure of that name, which was drawn into `figures`, into the page as part_figure() does. */
int part_drawn(struct part *p, const char *name, const char *words, struct mh_error *err);

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

/** All epoch logs and files of events. */
int part_timeline(struct part *p, const struct input *in, unsigned count, struct mh_error *err);

/** Any other JSON: its values, and its lists as tables. */
void part_other(struct part *p, const struct input *in);

#endif
