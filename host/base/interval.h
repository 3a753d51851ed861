/* The mean of a few values and how well they know it: 95 % interval by Student's t over paired seeds. */
#ifndef HOST_BASE_INTERVAL_H
#define HOST_BASE_INTERVAL_H

#include <stdbool.h>

/** Of values that are paired differences, or logarithms of paired ratios: one for each seed. */
struct interval {
    double mean; /**< NaN when a value is NaN or there is none */
    double half; /**< half the width of the 95 % interval of the mean; NaN for fewer than two values */
    unsigned count;
};

/** `values`: `count` of them. Of equal values exactly that, and no width. */
struct interval interval_of(const double *values, unsigned count);

/** Is the mean beyond its interval: is 0 outside of mean -+ half? False when the width is not known. */
bool interval_is_effect(const struct interval *i);

#endif
