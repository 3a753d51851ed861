/*
 * The second round of a search: the combinations that another search, in a shorter window, found the best, once more in
 * a longer one. A surface of thousands of combinations can be had in short windows alone, and there kernels of several
 * launches show their first ones and caches are cold: the best of a short window need not be that of a long one.
 */
#ifndef HOST_SEARCH_FINALISTS_H
#define HOST_SEARCH_FINALISTS_H

#include "plan/oracle.h"
#include "search.h"

/**
 * Keeps of the workload's combinations the best request->finalists by each metric that has finals (best.h), and number
 * `even`, -1: none. -1 and `err`: the first round has not this workload, or is of another GPU.
 */
int finalists_keep(struct oracles *first, const struct search_request *r, struct search_workload *w, int even,
                   struct mh_error *err);

#endif
