/* The files for flame graphs and KCachegrind of a budget's run. */
#ifndef HOST_BUDGET_BUDGET_FLAME_H
#define HOST_BUDGET_BUDGET_FLAME_H

#include "budget.h"

/**
 * Writes request->flame and request->callgrind, of the workload that is marked `check`, at the last clock, of the first
 * image. -1 and `err` when that run did not pass or a file cannot be written.
 */
int budget_write_flames(const struct budget *b, struct mh_error *err);

#endif
