/* What a call gives in the place of the rows' own workloads, and recordings: checked before anything runs. */
#ifndef HOST_REPRODUCE_WORKLOAD_CHECK_H
#define HOST_REPRODUCE_WORKLOAD_CHECK_H

#include "plan/plan.h"
#include "study.h"

/**
 * Can the recordings that the workloads name be run on the study's GPU, with the call's assignments? -1 and `err`:
 * which cannot be read, and where they were looked for; or the file that is damaged, and what is wrong with it.
 */
int workload_check_recordings(const struct study *s, const struct workload *workloads, unsigned count,
                              const struct plan_options *o, struct mh_error *err);

/**
 * Are `workloads` (as on the command line, or names of lists) such as the study's GPU takes? -1 and `err`, as of
 * `memhelm run`, for an unknown kernel or size, one that does not fit, and for a recording that is not there or
 * damaged.
 */
int workload_check(const struct study *s, const char *const *workloads, unsigned count, const struct plan_options *o,
                   struct mh_error *err);

#endif
