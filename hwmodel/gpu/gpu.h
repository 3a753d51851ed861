/* Making and checking a whole GPU, for unit tests: what hwmodel.h has is for everybody. */
#ifndef MEMHELM_GPU_GPU_H
#define MEMHELM_GPU_GPU_H

#include "memhelm/hwmodel.h"

struct mh_workload;

/**
 * As mh_gpu_create(), with the caller's workloads in place of those the configuration names: for unit tests that run
 * hand-made instruction streams. Tenants may have any SMs in common. Takes ownership of work[0 .. tenants_count - 1],
 * also on failure.
 */
struct mh_gpu *mh_gpu_create_with(const struct mh_config *cfg, struct mh_workload *const work[], struct mh_error *err);

/** Debug builds: panics unless every queue, MSHR and request is accounted for. */
void mh_gpu_check(const struct mh_gpu *g);

#endif
