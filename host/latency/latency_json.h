/* All that the experiment measured: memhelm-latency-2. */
#ifndef HOST_LATENCY_LATENCY_JSON_H
#define HOST_LATENCY_LATENCY_JSON_H

#include "latency.h"

/**
 * Of each image: what it ran on, its knees, its workloads and its points. In a point, `speedups` has a list per
 * workload of a number per seed; `gains`, `losses`, `loss_halves` and `keeps` have a value per workload. A knee is a
 * clock in Hz or a bus latency, null where none keeps the gain.
 */
int latency_write_json(const struct latency *l, const char *path, struct mh_error *err);

#endif
