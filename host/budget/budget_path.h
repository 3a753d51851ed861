/* The longest decision of an image for each source: where it was spent, and the path that it took. */
#ifndef HOST_BUDGET_BUDGET_PATH_H
#define HOST_BUDGET_BUDGET_PATH_H

#include <jansson.h>

#include "budget.h"

/** A line for each source that made decisions, and a table of who called whom. */
void budget_report_paths(const struct budget *b, unsigned image, FILE *out);

/** [depth, function, calls, cycles with those it calls, by itself]; calls null: not known, a real: a mean. */
json_t *budget_path_json(const struct budget_image *i, const struct profile *p, const struct series *s);

#endif
