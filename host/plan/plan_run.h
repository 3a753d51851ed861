/* The runs of a plan that have no result yet, each kept in the store when it ends. */
#ifndef HOST_PLAN_PLAN_RUN_H
#define HOST_PLAN_PLAN_RUN_H

#include "plan.h"
#include "run/store.h"

/** Fills in the results that are kept: those sims are SIM_DONE, `kept`. Returns how many. */
unsigned plan_load(const struct plan *p, struct store *st);

/**
 * At most `jobs` at once. A result that cannot be kept is still used; that is said once. 0, or the number of the signal
 * that ended it early.
 */
int plan_run(const struct plan *p, struct store *st, unsigned jobs);

#endif
