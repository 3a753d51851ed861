/*
 * A cell of a recording: a recorded value, and the runs that it came from. Each kind of recording (`schema` of the JSON
 * file) finds them by the code that recorded it, in the studies, presets and images of this build.
 */
#ifndef TESTS_RECORDED_CELL_H
#define TESTS_RECORDED_CELL_H

#include <jansson.h>

#include "reproduce/series.h"

struct cell {
    const struct cell_kind *kind;
    const char *results; /**< the store */
    char name[400];      /**< "fig11-mask, SC+FWT, seed 3" */
    const json_t *was;   /**< as recorded, part of the file */
    struct kept_sim **sims;
    unsigned sim_count, room;
    void *own; /**< of the kind */
};

struct cell_kind {
    const char *schema;

    /** Cells in the file; 0: it does not say enough to run one again. */
    size_t (*count)(const json_t *file);

    /**
     * Opens cell `n` of the file: sets `name` and `was`, and adds its runs. -1 and `err`: the study has it no more, or
     * asks for another run now. cell_close() follows either way.
     */
    int (*open)(struct cell *c, const json_t *file, size_t n, struct mh_error *err);

    /** What the runs say, in the form in which it is recorded. A new reference. */
    json_t *(*value)(const struct cell *c);

    /** `own` may be NULL. */
    void (*close)(struct cell *c);
};

extern const struct cell_kind cell_rows, cell_sensitivity, cell_latency, cell_search;

/** By the file's schema; NULL: of no kind. */
const struct cell_kind *cell_kind_of(const json_t *file);

void cell_close(struct cell *c);

/** `own`, of `size` bytes, all 0. */
void *cell_own(struct cell *c, size_t size);

/** Adds the runs of a point, alone runs too. -1 and `err`: the point cannot be run. */
int cell_add_point(struct cell *c, const struct point *p, struct mh_error *err);

/** Adds all runs behind one workload of a series with one seed. */
int cell_add_series(struct cell *c, const struct series *s, unsigned workload, struct mh_error *err);

/** A member's text; "" without one. */
const char *cell_text(const json_t *object, const char *key);

/** A member's number; 0 without one. */
uint64_t cell_count(const json_t *object, const char *key);

/** The texts of a list into `texts`. Returns how many there are, `most` at most. */
unsigned cell_texts(const json_t *list, const char **texts, unsigned most);

#endif
