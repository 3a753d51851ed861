#include "dram/memory.h"
#include "dram/packed.h"
#include "engine/gpu.h"

#include <stdlib.h>
#include <string.h>

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

/* Compares reads per instruction as cross products, without a division. A tenant that read and issued nothing has
 * infinitely many. The second condition puts one that did neither before all that read. */
static int fewer(const struct mh_mpki_counts *c, uint32_t a, uint32_t b)
{
    return c->reads[a] * c->instr[b] < c->reads[b] * c->instr[a] || (!c->reads[a] && c->reads[b]);
}

/* Tenants that are not there have read nothing. They put all that read behind them alike, which changes no order. */
void mh_mpki_order(const struct mh_mpki_counts *counts, uint8_t priority[MH_MAX_TENANTS])
{
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) {
        priority[t] = 0;
        for (uint32_t other = 0; other < MH_MAX_TENANTS; other++)
            priority[t] += fewer(counts, other, t);
    }
}

void mh_mpki_interval(struct mh_mpki *m, const struct mh_mpki_counts *so_far, uint8_t priority[MH_MAX_TENANTS])
{
    struct mh_mpki_counts since;

    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) {
        since.reads[t] = so_far->reads[t] - m->before.reads[t];
        since.instr[t] = so_far->instr[t] - m->before.instr[t];
    }
    m->before = *so_far;
    mh_mpki_order(&since, priority);
}

int mh_tap_init(struct mh_memory *m, const struct mh_config *cfg)
{
    m->tap.channel = cfg->run.log_dram ? cfg->run.log_dram_channel : UINT32_MAX;
    if (!cfg->run.log_dram)
        return 0;
    m->tap.entered = calloc((size_t)m->banks_per_channel * cfg->l2.mshrs * MH_MAX_SECTORS, sizeof *m->tap.entered);
    return m->tap.entered ? 0 : -1;
}

void mh_tap_free(struct mh_memory *m)
{
    free(m->tap.entered);
}

/* Tags of a channel's banks follow each other: the remainder is the MSHR's place among theirs. */
static uint64_t *entered(const struct mh_gpu *g, uint32_t tag)
{
    struct mh_tap *tap = &g->memory->tap;
    uint32_t sectors = tag >> MH_ASKED_SECTORS, mshr = tag & MH_ASKED_MSHR;

    if (tag & (MH_TAG_MIGRATE | MH_TAG_EXTRA))
        return &tap->migrated;
    return &tap->entered[mshr % (g->memory->banks_per_channel * g->cfg.l2.mshrs) * MH_MAX_SECTORS +
                         (sectors ? (uint32_t)__builtin_ctz(sectors) : 0)];
}

void mh_tap_enter(struct mh_gpu *g, uint64_t cycle, const struct mh_dram_request *r)
{
    const struct mh_observer *obs = &g->memory->tap.obs;

    if (!r->write)
        *entered(g, r->tag) = cycle;
    if (obs->dram_enter)
        obs->dram_enter(obs->ctx, cycle, r->addr, r->write);
}

void mh_tap_serve(struct mh_gpu *g, uint32_t tag, uint64_t finish, bool row_hit)
{
    const struct mh_observer *obs = &g->memory->tap.obs;
    bool write = tag & MH_TAG_WRITE;

    if (obs->dram_serve)
        obs->dram_serve(obs->ctx, write ? 0 : *entered(g, tag), finish, write, row_hit);
}
