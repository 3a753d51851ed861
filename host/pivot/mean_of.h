/* The means that one can ask for, by name. */
#ifndef HOST_PIVOT_MEAN_OF_H
#define HOST_PIVOT_MEAN_OF_H

#include <stdbool.h>

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

#endif
