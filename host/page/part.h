/* A page as its parts write it, and the files that it is made of. What a file is says its content, not its name. */
#ifndef HOST_PAGE_PART_H
#define HOST_PAGE_PART_H

#include <jansson.h>
#include <stdbool.h>

#include "base/file.h"
#include "base/table.h"
#include "memhelm/record.h"

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

/* A run as memhelm-result-1 has it; how its configuration differs from its preset and from that of other runs. */

enum { RUN_LABEL = 200 };

struct run_file {
    const json_t *json; /**< the file's, which must stay */
    const char *file;
    char image[RUN_LABEL];    /**< with " (twin)" behind it where the group has both machines */
    char workload[RUN_LABEL]; /**< MVT+GUPS */
    bool passed, has_waits;
    unsigned group;       /**< runs of the same configuration have the same number, from 0 on */
    bool again;           /**< another run of the group is this one; what only one of them has measured, that one has */
    json_t *config;       /**< without what only measures (settings_of_results()) */
    struct mh_config cfg; /**< what explain_run needs of it, and preset, design, run */
    struct mh_result result; /**< if `has_waits` */
};

/** All runs of the files, in their order; run_files_free() them. -1 and `err`: one is not as its schema says. */
int run_files_read(const struct input *in, unsigned inputs, struct run_file **runs, unsigned *count,
                   struct mh_error *err);

void run_files_free(struct run_file *runs, unsigned count);

/** A metric of the run, such as weighted_speedup; NaN: there is none. `tenant` -1: of all. */
double run_file_metric(const struct run_file *r, int tenant, const char *name);

/* --- Settings. */

/** " -p dws -w MVT+GUPS --cycles 300000 --seed 1 -s l2tlb.entries=1024": options of a call that runs the same. */
char *settings_options(const struct run_file *r);

/** The configuration without what only measures: runs that differ in nothing else are one. The caller has it. */
json_t *settings_of_results(const struct run_file *r);

/** Up to three keys in which `of` differs from `beside`, with the values of `of`: "l2tlb.entries 4096, run.seed 2". */
void settings_beside(const json_t *of, const json_t *beside, char *text, size_t size);

/* --- What determines the numbers of a page: images, sources, settings. */

/** A table of the runs' images: machine, core, hashes, commit. */
void made_by_images(const struct doc *d, const struct run_file *const *runs, unsigned count);

/** What the configuration has otherwise than its preset and design, then its tenants. */
void made_by_settings(const struct doc *d, const struct run_file *r);

/** Commit, model and machine of any JSON of memhelm that has `made_by`; nothing of others. */
void made_by_words(const struct doc *d, const json_t *o);

/*
 * What changes during runs, as tracks over GPU cycles: inline SVG, which shows the whole run by itself. The script
 * timeline.js changes scales alone. Runs of a page have one time axis, and tracks of one name have one scale.
 */

enum timeline_shape {
    TIMELINE_STEPS, /**< a value holds until the next one */
    TIMELINE_FLAGS, /**< as high as the value, as wide as it lasts */
    TIMELINE_MISSED /**< in the bad colour, as high as the track; the value is ignored */
};

enum { TIMELINE_LINES = 256, /**< of a run */ TIMELINE_NEXT = -1 };

struct timeline;
struct timeline_line;

struct timeline *timeline_new(void);
void timeline_free(struct timeline *t);

/** Begins a run under a heading. */
void timeline_run(struct timeline *t, const char *name);

/**
 * The run's line of that name in the track of that name; both are made if there are none. `name` "": it is the only
 * one. `colour` is a number from 0 on; TIMELINE_NEXT: lines of the track before it. NULL: the run has TIMELINE_LINES.
 */
struct timeline_line *timeline_line(struct timeline *t, const char *track, const char *name, enum timeline_shape shape,
                                    int colour);

/** A value and the GPU cycles that it holds. Nothing if the value is NaN or the line NULL. */
void timeline_add(struct timeline_line *l, double from, double to, double value);

void timeline_write(const struct timeline *t, const struct doc *d);

#endif
