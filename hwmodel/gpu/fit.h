/* Do the buffers of the tenants fit physical memory? Asked before anything is built of them, and of the GPU. */
#ifndef MEMHELM_GPU_FIT_H
#define MEMHELM_GPU_FIT_H

#include "memhelm/config.h"
#include "memhelm/error.h"
#include "workload/workload.h"

/** Of a workload that is there, but for its page table: 0, or -1 and `err`. See mh_gpu_fits(). */
int mh_fit_workload(const struct mh_config *cfg, uint32_t tenant, const struct mh_workload *w, struct mh_error *err);

/** -1 and `err`: the buffers of `tenant`, at least so many bytes, do not fit its share of physical memory. */
int mh_fit_fail(const struct mh_config *cfg, uint32_t tenant, uint64_t bytes, struct mh_error *err);

/** Whether it takes long to make the tenant's data, or its recording has to be read. */
bool mh_fit_is_slow(const struct mh_tenant_cfg *tenant);

#endif
