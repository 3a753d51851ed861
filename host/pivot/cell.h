/* Means that one can ask for, what the points of a cell come to, and why some are missing. */
#ifndef HOST_PIVOT_CELL_H
#define HOST_PIVOT_CELL_H

#include <stdbool.h>

#include "base/mean.h"

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

/** Of `count` values, which may be sorted; NaN of none. A geometric mean of a value of 0 or less is NaN, too. */
double mean_of(enum mean_kind kind, double *values, unsigned count);

/* --- * What the points of a cell come to. As `reproduce` does it: first a mean over all but the seeds, of each seed;
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

#endif
