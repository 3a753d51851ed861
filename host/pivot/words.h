/* Values of points, levels and cells in words. */
#ifndef HOST_PIVOT_WORDS_H
#define HOST_PIVOT_WORDS_H

#include "base/number.h"
#include "column_list.h"
#include "plan/measure.h"

enum { WORDS_LABEL = 256 };

/** A value as the file has it; "-" when it is missing. Numbers are written into `number`. */
const char *words_value(const struct points_value *v, char number[NUMBER_TEXT]);

/** The values of a row in these columns, joined by a comma. */
void words_label(const struct points *p, const struct column_list *columns, unsigned row, char text[WORDS_LABEL]);

/** Names of columns, the same. */
void words_names(const struct points *p, const struct column_list *columns, char text[WORDS_LABEL]);

/**
 * A mean and half its interval (NaN: none): "1.234", "+3.1 +- 0.4 %" of a gain, "1.031x" of a ratio; "-" of NaN. A gain
 * is given as it is, 0.031.
 */
void words_mean(enum relation relation, double value, double half, char *text, size_t size);

#endif
