#include "dram/memory.h"

#include <string.h>

#include "dram/packed.h"
#include "engine/gpu.h"

/* The channel's event of this cycle goes on with what was served, and with what comes next. */
static void set_ranks(struct mh_gpu *g)
{
    struct mh_memory *m = g->memory;
    uint64_t now = mh_ratio_floor(&m->to_dram, g->wheel.now);
    uint32_t rank[MH_MAX_TENANTS];

    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) /* those that are not there tell nobody apart */
        rank[t] = g->knobs.dram_rank[t < g->tenants ? t : 0];
    for (uint32_t i = 0; i < m->channels; i++) {
        mh_dram_set_ranks(m->channel[i].dram, now, rank);
        mh_mem_soon(g, i);
    }
}

static void set_watch(struct mh_gpu *g)
{
    struct mh_memory *m = g->memory;
    uint64_t now = mh_ratio_floor(&m->to_dram, g->wheel.now);

    for (uint32_t i = 0; i < m->channels; i++) {
        mh_dram_set_watch(m->channel[i].dram, now, g->knobs.dram_monitor);
        mh_mem_soon(g, i);
    }
}

void mh_mem_apply_tenants(struct mh_gpu *g, const struct mh_knobs *before)
{
    if (memcmp(before->dram_rank, g->knobs.dram_rank, sizeof before->dram_rank))
        set_ranks(g);
    if (before->dram_monitor != g->knobs.dram_monitor)
        set_watch(g);
}

void mh_mem_read_tenants(const struct mh_gpu *g, struct mh_counters *out)
{
    const struct mh_memory *m = g->memory;
    uint64_t now = mh_ratio_floor(&m->to_dram, g->wheel.now);

    for (uint32_t t = 0; t < g->tenants && !g->sectors; t++) { /* whole lines are not counted twice */
        out[t].dram_read_sectors = (out[t].dram_read + out[t].dram_walk) * m->sectors[0];
        out[t].dram_write_sectors = out[t].dram_write * m->sectors[0];
    }
    for (uint32_t i = 0; i < m->channels; i++)
        for (uint32_t t = 0; t < g->tenants; t++) {
            struct mh_dram_watched w = mh_dram_watched(m->channel[i].dram, now, t);

            out[t].dram_alone_reads += w.reads;
            out[t].dram_alone_hits += w.hits;
            out[t].dram_banks_area += w.area;
            out[t].dram_banks_cycles += w.cycles;
        }
}
