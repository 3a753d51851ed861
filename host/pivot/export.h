/* Pivots for programs, and the points themselves, a line each. */
#ifndef HOST_PIVOT_EXPORT_H
#define HOST_PIVOT_EXPORT_H

#include <jansson.h>
#include <stdio.h>

#include "base/doc.h"
#include "pivot.h"
#include "selection.h"

/**
 * CSV: a line for each row; for each column and value the mean, half its 95 % interval ("interval"), and how many
 * points are "missing". Gains are fractions: 0.031. Empty: there is none. With --spread the quartiles and so on, too.
 */
void export_csv(const struct pivot *t, FILE *out);

/** JSON: what was asked for, rows of cells, reasons, and what made the points. -1 and `err`: out of memory. */
int export_json(const struct pivot *t, FILE *out, struct mh_error *err);

/** A cell of CSV: in quotes where it must be. */
void export_csv_text(const char *text, FILE *out);

/** A text or a number, in full precision, as a cell of CSV; nothing for a missing value. */
void export_csv_value(const struct points_value *v, FILE *out);

/** A value of a point: text, whole number, real or null. */
json_t *export_json_value(const struct points_value *v);

/** {name, spec, made_by} of the sweep. */
json_t *export_json_sweep(const struct points *p);

/* --- The points themselves, a line each. */

struct flat {
    const struct selection *selection;
    struct column_list columns; /**< that are shown */
    unsigned *rows;             /**< the chosen ones in their order, or sorted */
};

/**
 * `show`: names of columns; NULL: axes, metrics and, if a point has one, the reason. Metrics are those of the
 * selection: related to the base, if there is one. -1 and `err`: there is no such column. flat_free() frees it.
 */
int flat_of(struct flat *f, const struct selection *s, const char *show, struct mh_error *err);
void flat_free(struct flat *f);

void flat_show(const struct flat *f, const struct doc *d);
void flat_csv(const struct flat *f, FILE *out);
int flat_json(const struct flat *f, FILE *out, struct mh_error *err);

#endif
