/* Numbers as people write and read them, and what several come to: means, quartiles, intervals. */
#ifndef HOST_BASE_NUMBER_H
#define HOST_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * 500, 2M, 1.5M, 1e6: digits, and K (or k), M or G for thousands and so on, as clocks are written, or a power of ten.
 * False: it is no whole number, or does not fit.
 */
bool number_scaled(const char *text, uint64_t *value);

enum { NUMBER_TEXT = 32 };

/** All of a text is a number: 0.5, -3, 1e6, or as number_scaled() has it. */
bool number_any(const char *text, double *value);

/** 0.031: "+3.1 %"; what rounds to nothing has no sign. */
void number_gain(double gain, char *text, size_t size);

/** With `digits` digits that count; of numbers with more before the point all of those. */
void number_short(double value, int digits, char *text, size_t size);

/** With as few digits as bring the same number back. */
void number_exact(double value, char text[NUMBER_TEXT]);

/* What several values come to: means, and quartiles. */

/** Of `count` values; NaN of none, or when one is NaN. */
double mean_arithmetic(const double *values, unsigned count);

/**
 * The geometric mean of value + `shift`, less `shift`: 1 for gains, which are ratios less 1. A factor of 0 gives 0, one
 * below 0 NaN.
 */
double mean_geometric(const double *values, unsigned count, double shift);

double mean_least(const double *values, unsigned count);
double mean_most(const double *values, unsigned count);

/** Sorts the values. Between two it is halfway. */
double mean_median(double *values, unsigned count);

enum { QUARTILES_LEAST = 3 /**< fewer values have no quartiles */ };

struct quartiles {
    double first, median, third; /**< between two values they are interpolated */
};

/** Of `count` values, which are sorted; false, and nothing set, when there are fewer than QUARTILES_LEAST. */
bool quartiles_of(double *values, unsigned count, struct quartiles *out);

/* The mean of a few values and how well they know it: 95 % interval by Student's t over paired seeds. */

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
