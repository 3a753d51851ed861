/* The points that a table or a figure is about, and what each has: filtered, and related to a base if asked for. */
#ifndef HOST_PIVOT_SELECTION_H
#define HOST_PIVOT_SELECTION_H

#include "cell.h"
#include "columns.h"
#include "plan/measure.h"

enum { PIVOT_FILTERS = 32, SELECTION_TEXT = 1024 };

/** What was asked for, in the user's words; NULL, 0: not given. Strings are the caller's. */
struct pivot_request {
    const char *file;
    const char *rows, *columns, *values, *against;
    const char *where[PIVOT_FILTERS];
    unsigned where_count;
    enum relation relation; /**< to the base; RELATION_LEVEL without one */
    enum mean_kind mean;
    bool spread, sort;
};

struct selection {
    const struct pivot_request *request;
    struct points points;
    struct column_list rows, columns, values; /**< `values`: metrics, all if none was asked for */
    struct column_list drawn;   /**< axes of which the sweep has a sample or a list, not every combination */
    struct column_list against; /**< columns that say what the base is */
    bool *chosen;               /**< [row of points] */
    unsigned chosen_count;
    int *base;      /**< [row]: its base's row, -1: it has none; NULL: values stand for themselves */
    bool *speedups; /**< [of `values`]: is it a quotient of two runs, by the expression that the sweep has for it? */
    double *value;  /**< [row][of `values`]; of gains the ratio, a gain more 1; NaN: there is none */
};

/** -1 and `err`: the file cannot be read, or nothing in it is what was asked for. selection_close() frees it. */
int selection_open(struct selection *s, const struct pivot_request *q, struct mh_error *err);
void selection_close(struct selection *s);

static inline double selection_value(const struct selection *s, unsigned row, unsigned value)
{
    return s->value[(uint64_t)row * s->values.count + value];
}

/** Why selection_value() is NaN. */
void selection_reason(const struct selection *s, unsigned row, unsigned value, char text[SELECTION_TEXT]);

/** How the metric's values are averaged: as asked for; else those of ratios and speedups geometrically. */
enum mean_kind selection_mean(const struct selection *s, unsigned value);

/** The same of all values; MEAN_DEFAULT: some are averaged otherwise than others. */
enum mean_kind selection_mean_of_all(const struct selection *s);

/** What is 1 more in selection_value() than what is shown: gains. */
static inline double selection_shift(const struct selection *s)
{
    return s->request->relation == RELATION_GAIN;
}

/* --- What a sweep that has not run to its end asked for, by the spec in its file. */

/**
 * How many points each cell will have. 0: the file does not tell, or is whole, or the points are a sample or a part.
 */
unsigned asked_of_cell(const struct selection *s);

#endif
