/*
 * Which buffers the kernels of a workload use, from their streams. A program's kernel is a function; a workload may
 * launch it often. ETC's compiler marks kernels "that contain the same pointer as shared" (ASPLOS 2019, sec. 4.1).
 */
#ifndef MEMHELM_WORKLOAD_USES_H
#define MEMHELM_WORKLOAD_USES_H

#include "workload/workload.h"

/**
 * Do launches of two kernels use one buffer? Looks at the first, the middle and the last CTA of each kernel's first
 * launch, at no more than a million ops of it (ours). Launches of one name are one kernel. 1: yes, 0: no, -1: out of
 * memory.
 */
int mh_workload_shares(const struct mh_workload *w, uint32_t lanes);

#endif
