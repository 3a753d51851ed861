/* Knobs and counters of tenants at all channels: DRAM_RANK, DRAM_MONITOR and what it counts. Private to dram/. */
#ifndef MEMHELM_DRAM_BY_TENANT_H
#define MEMHELM_DRAM_BY_TENANT_H

#include "memhelm/hwmodel.h"

struct mh_gpu;

/* As struct mh_block has them. */
void mh_mem_apply_tenants(struct mh_gpu *g, const struct mh_knobs *before);
void mh_mem_read_tenants(const struct mh_gpu *g, struct mh_counters *out);

#endif
