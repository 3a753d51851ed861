/* A pivot for people: on the terminal, as Markdown or on a page. */
#ifndef HOST_PIVOT_SHOW_H
#define HOST_PIVOT_SHOW_H

#include "base/doc.h"
#include "pivot.h"
#include "words.h"

/**
 * A table for each value, or one of all values if there are no columns; with --spread one line for each cell. Below:
 * what a cell is a mean of, and once each reason why points are missing.
 */
void show_pivot(const struct pivot *t, const struct doc *d);

/** The same without a heading of its own. */
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
