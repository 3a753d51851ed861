/* The native twin: the same policies as an image, loaded into this process, with decisions that take no time. */
#ifndef HOST_RUN_TWIN_H
#define HOST_RUN_TWIN_H

#include "sim.h"

/** Simulates `s` to its end in this process, writes its result; returns the exit code (enum mh_end, or 4 = failed). */
int twin_run(const struct sim *s);

#endif
