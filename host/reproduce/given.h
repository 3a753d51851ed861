/* What a call gives in the place of the rows' own workloads, and recordings: checked before anything runs. */
#ifndef HOST_REPRODUCE_GIVEN_H
#define HOST_REPRODUCE_GIVEN_H

#include "plan.h"

/** -1 and `err`: which of the recordings that the workloads name cannot be read, and where they were looked for. */
int given_recordings(const struct workload *workloads, unsigned count, struct mh_error *err);

/**
 * Are `workloads` (as on the command line, or names of lists) such as the study's GPU takes? -1 and `err`, as of
 * `memhelm run`, for an unknown kernel or size and for a recording that is not there.
 */
int given_check(const struct study *s, const char *const *workloads, unsigned count, const struct plan_options *o,
                struct mh_error *err);

#endif
