/* Budgets as JSON: memhelm-budget-1. */
#ifndef HOST_BUDGET_BUDGET_JSON_H
#define HOST_BUDGET_BUDGET_JSON_H

#include "excess.h"

/**
 * The same bytes for the same images, reference set and limits. Of each image: sizes, owners, stack, checks, what is
 * over, and its runs. Of each run: `mix` and `functions` of the whole run, and of each source and hook its `mix` (all
 * together), `worst_mix` (the longest one), `worst` (functions by own cycles) and `path` (budget_path_json()).
 */
int budget_write_json(const struct budget *b, const struct excess *list, unsigned count, const char *path,
                      struct mh_error *err);

#endif
