/*
 * A file of points: what a sweep ran, a row each, and what came out. SQLite, for `memhelm table` and `plot`, and for
 * whatever else reads SQLite:
 *
 *     sweep    one row: name, spec (JSON: what was asked for), made_by (JSON: model, machine, images), writer (the
 *              process that writes it, or wrote it last), points (how many there are when all has run)
 *     columns  position, name, kind: `axis` (what was varied), `metric` (what was measured), `about` (all else)
 *     points   point (1, 2, ..; the order of the sweep), then these columns. An axis has integers or reals where its
 *              values are numbers, else texts; a metric reals, NULL where there is none: then `reason` says why
 *
 * A point is whole or not there: what was interrupted has none yet.
 */
#ifndef HOST_REPORT_POINTS_H
#define HOST_REPORT_POINTS_H

#include <stdint.h>

#include "memhelm/error.h"

enum { POINTS_COLUMNS = 64 };

enum points_kind { POINTS_AXIS, POINTS_METRIC, POINTS_ABOUT };

struct points_column {
    char *name;
    enum points_kind kind;
};

/** A cell. */
struct points_value {
    const char *text; /**< NULL: `number` counts */
    double number;    /**< NaN: there is none */
};

/* --- Written. */

/** What the file is about. */
struct points_head {
    const char *name;    /**< of the sweep */
    const char *spec;    /**< JSON: what was asked for */
    const char *made_by; /**< JSON: what determines the values besides (report/title.h) */
    const struct points_column *columns;
    unsigned column_count; /**< 1..POINTS_COLUMNS */
    uint64_t points;       /**< when all has run */
};

struct points_writer;

/**
 * Makes the file `path`, or goes on with it if it is of the same spec, and made by the same. One of the same name and
 * another spec, or made by others, loses its points: their runs are in the store. NULL and `err`: it cannot be
 * written, is no file of points, is of another name, or another process writes it.
 */
struct points_writer *points_write(const char *path, const struct points_head *head, struct mh_error *err);

/** Point `number`, in place of an older one: a value for each column. It is on the disk after points_flush(). */
int points_put(struct points_writer *w, uint64_t number, const struct points_value *values, struct mh_error *err);
int points_flush(struct points_writer *w, struct mh_error *err);

void points_write_end(struct points_writer *w);

/* --- Read. */

/** All points, in their order. */
struct points {
    char *name, *spec, *made_by;
    struct points_column columns[POINTS_COLUMNS];
    unsigned column_count;
    struct points_value *values; /**< [row][column]; texts belong to this, equal ones are the same pointer */
    unsigned rows;
    uint64_t asked; /**< rows when all has run; those that are there if the file does not say it */
    void *texts;
};

/** -1 and `err`: there is no such file, or it holds no points. */
int points_read(struct points *p, const char *path, struct mh_error *err);
void points_free(struct points *p);

static inline const struct points_value *points_at(const struct points *p, unsigned row, unsigned column)
{
    return &p->values[(uint64_t)row * p->column_count + column];
}

/** Number of the column, -1 and `err` (with the names that there are) without one. */
int points_column_named(const struct points *p, const char *name, struct mh_error *err);

#endif
