/* Workloads by class, as figure 9 shows them: numbers over those of one group, or over all. */
#ifndef HOST_SEARCH_GROUPS_H
#define HOST_SEARCH_GROUPS_H

#include "search.h"

/** The groups of a search in the order of their workloads; NULL: there are no more. */
const char *groups_name(const struct search *s, unsigned i);

/** Of the workloads in `group`; NULL: of all. */
void groups_count(const struct search *s, const char *group, unsigned *workloads, unsigned *combinations);

/** Geometric mean of the best values of a metric; NaN while a workload has none. */
double groups_mean(const struct search *s, const char *group, unsigned metric);

#endif
