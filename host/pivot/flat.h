/* The points themselves, a line each. */
#ifndef HOST_PIVOT_FLAT_H
#define HOST_PIVOT_FLAT_H

#include <stdio.h>

#include "base/doc.h"
#include "selection.h"

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
