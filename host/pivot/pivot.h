/* Means that one can ask for, what the points of a cell come to, and why some are missing. */
#ifndef HOST_PIVOT_PIVOT_H
#define HOST_PIVOT_PIVOT_H

#include <stdbool.h>

#include "base/number.h"
#include "plan/metrics.h"
#include "report/points.h"

enum mean_kind {
    MEAN_DEFAULT, /**< geometric for ratios and speedups, else arithmetic */
    MEAN_GEOMETRIC,
    MEAN_ARITHMETIC,
    MEAN_MEDIAN,
    MEAN_LEAST,
    MEAN_MOST
};

/** MEAN_DEFAULT: there is none of that name. */
enum mean_kind mean_named(const char *name);

/** "geometric mean", "least", and so on. */
const char *mean_words(enum mean_kind kind);

/* --- What the points of a cell come to. As `reproduce` does it: first a mean over all but the seeds, of each seed;
 * then the mean of the seeds and its 95 % interval by Student's t. */

/** A point's value. */
struct sample {
    double value;
    int seed;  /**< its level of the seeds; 0 of all if the seed is none of what is averaged over */
    int mover; /**< the same of what --spread leaves out, one after the other: workloads */
};

/** How the values of a cell differ: a mean that one of its workloads makes is no effect. */
struct cell_spread {
    bool known;                 /**< false: fewer than QUARTILES_LEAST workloads, or no mean */
    struct quartiles quartiles; /**< of the workloads' own means */
    int moves_most;             /**< the workload without which the mean is the furthest from what it is */
    double without;             /**< the mean without it */
    int decides; /**< without this workload there is no effect, or one of the other sign; -1: there is none, or no
                    effect */
};

struct cell {
    double value, half; /**< NaN: none; half is NaN of one seed, too */
    unsigned points;    /**< that have a value */
    unsigned of;        /**< that there should be: as many as any cell has, unless the file has none of this one */
    unsigned refused;   /**< values of 0 or less, of which there is no geometric mean */
    struct cell_spread spread;
};

/** `samples` are ordered by seed. Sets value, half and refused. */
void cell_of(const struct sample *samples, unsigned count, enum mean_kind kind, struct cell *out);

/** After cell_of(): sets `spread`. An effect is what is beyond its interval from `neutral`, NaN: nothing is. */
void cell_spread_of(const struct sample *samples, unsigned count, enum mean_kind kind, double neutral,
                    struct cell *out);

/* --- Why values are missing: each reason once, with how many have it. */

enum { REASONS_MOST = 12 /**< of more, only how many */ };

struct reasons {
    struct {
        char *text;
        unsigned count;
    } of[REASONS_MOST];
    unsigned count;
    unsigned others; /**< values whose reason had no room */
};

/** `values` more are missing for the reason `text`. */
void reasons_add(struct reasons *r, const char *text, unsigned values);

void reasons_free(struct reasons *r);

/* Columns of a file of points, as a user names them, and what their rows have. */

struct column_list {
    unsigned at[POINTS_COLUMNS];
    unsigned count;
};

/**
 * Adds the columns that `text`, the value of `option`, names. -1 and `err`: there is no such column, it is there
 * already, or it is none of the kinds: `kinds` has a bit of each, 1 << POINTS_AXIS and so on.
 */
int column_list_add(struct column_list *list, const struct points *p, const char *path, const char *option,
                    const char *text, unsigned kinds, struct mh_error *err);

/** Adds all columns of a kind. */
void column_list_add_kind(struct column_list *list, const struct points *p, enum points_kind kind);

bool column_list_has(const struct column_list *list, unsigned column);

/* --- What different values rows of points have in some columns, and which has which. */

enum { LEVEL_NONE = -1 };

struct levels {
    int *of;          /**< [row of points]: its level, LEVEL_NONE of rows that are not chosen */
    unsigned *sample; /**< [level]: the first row that has it */
    unsigned count;
};

/**
 * The values, one of each column together, of the rows that `chosen` (NULL: all) has, in the order in which the file
 * has them. Without a column all rows are of one level. levels_free() frees it.
 */
void levels_of(struct levels *l, const struct points *p, const struct column_list *columns, const bool *chosen);

/** levels_of() for one column; -1 for no column. */
void levels_of_column(struct levels *l, const struct points *p, int column, const bool *chosen);

/** Orders them: numbers from the least to the most, then texts, in which numbers count as such (a2 before a10). */
void levels_sort(struct levels *l, const struct points *p, const struct column_list *columns);

void levels_free(struct levels *l);

/** Like strcmp(), of two cells in the order of levels_sort(); what is missing comes first. */
int levels_compare(const struct points_value *a, const struct points_value *b);

/* --- Conditions on points: COLUMN=VALUE[,VALUE] and COLUMN!=VALUE[,VALUE] of texts and numbers, COLUMN<VALUE and <=,
 * >, >= of numbers. Numbers may be written as 64K. A value that no point has is refused: it is a slip of the pen. */

enum { WHERE_VALUES = 64, WHERE_TEXT = 1024 };

enum where_sign { WHERE_IS, WHERE_IS_NOT, WHERE_LESS, WHERE_AT_MOST, WHERE_MORE, WHERE_AT_LEAST };

struct where {
    unsigned column;
    enum where_sign sign;
    char text[WHERE_TEXT];            /**< the values, each ended by a 0 */
    const char *values[WHERE_VALUES]; /**< into `text` */
    unsigned count;
};

/** Reads `text`, the value of `option`; -1 and `err`: no such column or value, or it compares texts with < and so on.
 */
int where_read(struct where *w, const struct points *p, const char *path, const char *option, const char *text,
               struct mh_error *err);

/** Does the row fulfil it? A missing number does not, whatever the condition. */
bool where_holds(const struct where *w, const struct points *p, unsigned row);

/* The points that a table or a figure is about, and what each has: filtered, and related to a base if asked for. */

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

/** How all values are averaged; MEAN_DEFAULT if they are not averaged alike. */
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

/* A pivot: the points that have the same values of some columns are one cell, and their mean stands in it. */

enum { PIVOT_CELLS = 1000000 };

struct pivot {
    const struct selection *selection;
    struct levels rows, columns; /**< of selection->rows, selection->columns; one of the latter if there are none */
    struct column_list over;     /**< what is averaged over: all other axes of more than one value */
    unsigned *over_counts;       /**< [of `over`]: how many values */
    int seed, mover;             /**< columns in `over`: the seed; what --spread leaves out. -1: none */
    struct levels movers;
    struct cell *cells;     /**< [value][row][column] */
    struct reasons reasons; /**< of missing points */
};

/** -1 and `err`: it has too many cells, or nothing to spread over. pivot_free() frees it; `s` must stay. */
int pivot_of(struct pivot *t, const struct selection *s, struct mh_error *err);
void pivot_free(struct pivot *t);

static inline const struct cell *pivot_cell(const struct pivot *t, unsigned value, unsigned row, unsigned column)
{
    return &t->cells[((uint64_t)value * t->rows.count + row) * t->columns.count + column];
}

/** How many cells lack some of their points, and how many have a value of 0 or less under a geometric mean. */
struct pivot_faults {
    unsigned lacking, refused;
};

struct pivot_faults pivot_faults(const struct pivot *t);

#endif
