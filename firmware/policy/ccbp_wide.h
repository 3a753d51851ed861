/* Natural numbers of any width, a word of 32 bits at a time, the lowest first: for sums of fractions. */
#ifndef FIRMWARE_CCBP_WIDE_H
#define FIRMWARE_CCBP_WIDE_H

#include <stdint.h>

/** x times factor, in place; returns the word that does not fit. */
uint32_t ccbp_wide_multiply(uint32_t *x, uint32_t words, uint32_t factor);

/** x plus y times factor, in place; returns the word that does not fit. */
uint32_t ccbp_wide_add(uint32_t *x, const uint32_t *y, uint32_t words, uint32_t factor);

/** Below 0, 0 or above 0, as x is less than y, equal or more. */
int ccbp_wide_compare(const uint32_t *x, const uint32_t *y, uint32_t words);

#endif
