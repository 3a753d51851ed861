/* Lists of workloads of built-in studies, for who wants no rows. */
#ifndef HOST_REPRODUCE_STUDY_NAMED_H
#define HOST_REPRODUCE_STUDY_NAMED_H

#include "base/words.h"
#include "memhelm/error.h"

/**
 * Adds the workloads of `STUDY:LIST`, as --workload takes them, that are not there yet. -1 and `err` (what there is)
 * without such a study or list.
 */
int study_named_list(const char *name, struct words *out, struct mh_error *err);

#endif
