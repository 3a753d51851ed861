/* Budgets as JSON: memhelm-budget-1. */
#ifndef HOST_BUDGET_BUDGET_JSON_H
#define HOST_BUDGET_BUDGET_JSON_H

#include "excess.h"

/** The same bytes for the same images, reference set and limits. */
int budget_write_json(const struct budget *b, const struct excess *list, unsigned count, const char *path,
                      struct mh_error *err);

#endif
