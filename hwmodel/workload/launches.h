/*
 * Some launches of a workload: NAME@launch=2 of a kernel or a trace is the program without the others. Its buffers stay
 * where they are, and what its arrays hold at the start is what the launches before the first have left there.
 */
#ifndef MEMHELM_WORKLOAD_LAUNCHES_H
#define MEMHELM_WORKLOAD_LAUNCHES_H

#include "workload/workload.h"

/**
 * The launches of `w` that `spec` selects; `w` itself where it selects none. Takes `w` over. NULL and `err`: `spec` is
 * wrong, has launches that `w` has not, or memory is short; `w` is destroyed then.
 */
struct mh_workload *mh_launches_select(struct mh_workload *w, const char *spec, struct mh_error *err);

/** The whole workload that `w` has launches of, and which; `w` itself and all of them where it is whole. */
const struct mh_workload *mh_launches_whole(const struct mh_workload *w, struct mh_launch_range *range);

#endif
