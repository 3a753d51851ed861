/* A pivot for people, on the terminal, as Markdown or on a page; and the words that figures share with it. */
#ifndef HOST_PIVOT_SHOW_H
#define HOST_PIVOT_SHOW_H

#include "base/doc.h"
#include "base/number.h"
#include "columns.h"
#include "pivot.h"
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

/* --- A pivot for people: on the terminal, as Markdown or on a page. */

/**
 * A table for each value, or one of all values if there are no columns; with --spread one line for each cell. Below:
 * what a cell is a mean of, and once each reason why points are missing.
 */
void show_pivot(const struct pivot *t, const struct doc *d);

/** show_pivot() without a heading. */
void show_values(const struct pivot *t, const struct doc *d);

/** "weighted_speedup", or "weighted_speedup, gain over image=baseline". */
void show_value_name(const struct selection *s, unsigned value, char text[WORDS_LABEL]);

/** "geometric mean over workload (14), then mean of seed (5) and its 95 % interval"; "" when nothing is averaged. */
void show_means(const struct pivot *t, enum mean_kind kind, char text[WORDS_LABEL]);

/** A cell in words: its mean, interval, and "(12 of 14)" when points are missing; "" when the file has none of it. */
void show_cell(const struct pivot *t, const struct cell *c, char text[WORDS_LABEL]);

/** Of a sweep that has not run to its end: how many points are missing, and what to do; else nothing. */
void show_unfinished(const struct points *p, const struct doc *d);

/** The reasons, a point of a list each. */
void show_reasons(const struct reasons *r, const struct doc *d);

#endif
