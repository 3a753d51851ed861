/* A pivot for people: on the terminal or as Markdown. */
#ifndef HOST_PIVOT_SHOW_H
#define HOST_PIVOT_SHOW_H

#include <stdio.h>

#include "pivot.h"
#include "words.h"

/**
 * A table for each value, or one of all values if there are no columns; with --spread one line for each cell. Below:
 * what a cell is a mean of, and once each reason why points are missing.
 */
void show_pivot(const struct pivot *t, bool markdown, FILE *out);

/** "weighted_speedup", or "weighted_speedup, gain over image=baseline". */
void show_value_name(const struct selection *s, unsigned value, char text[WORDS_LABEL]);

/** "geometric mean over workload (14), then mean of seed (5) and its 95 % interval"; "" when nothing is averaged. */
void show_means(const struct pivot *t, enum mean_kind kind, char text[WORDS_LABEL]);

/** A cell in words: its mean, interval, and "(12 of 14)" when points are missing; "" when the file has none of it. */
void show_cell(const struct pivot *t, const struct cell *c, char text[WORDS_LABEL]);

/** The reasons, a line each that begins with `before`. */
void show_reasons(const struct reasons *r, const char *before, FILE *out);

#endif
