/* A pivot for programs. */
#ifndef HOST_PIVOT_EXPORT_H
#define HOST_PIVOT_EXPORT_H

#include <jansson.h>
#include <stdio.h>

#include "pivot.h"

/**
 * CSV: a line for each row; for each column and value the mean, half its 95 % interval ("interval"), and how many
 * points are "missing". Gains are fractions: 0.031. Empty: there is none. With --spread the quartiles and so on, too.
 */
void export_csv(const struct pivot *t, FILE *out);

/** JSON: what was asked for, rows of cells, reasons, and what made the points. -1 and `err`: out of memory. */
int export_json(const struct pivot *t, FILE *out, struct mh_error *err);

/** A cell of CSV: in quotes where it must be. */
void export_csv_text(const char *text, FILE *out);

/** The same of a text or a number, which is written in full; nothing of what is missing. */
void export_csv_value(const struct points_value *v, FILE *out);

/** A value of a point: text, whole number, real or null. */
json_t *export_json_value(const struct points_value *v);

/** {name, spec, made_by} of the sweep. */
json_t *export_json_sweep(const struct points *p);

#endif
