/* Numbers as people write and read them. */
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

#endif
