/* The blocks of translation, as engine/block.h has them. */
#include <stdlib.h>

#include "engine/gpu.h"
#include "translate/tlb.h"
#include "translate/gpctlb.h"
#include "translate/iommu.h"
#include "pages/page_table.h"
#include "translate/steal.h"
#include "translate/walk.h"

/* --- Page tables, instructions. */

static int init_pages(struct mh_gpu *g)
{
    return mh_pt_init(g->pages, &g->cfg);
}

static void free_pages(struct mh_gpu *g)
{
    mh_pt_free(g->pages);
}

const struct mh_block mh_block_pages = {MH_BLOCK_STATE(pages, 1), .init = init_pages, .free = free_pages};

static int init_instructions(struct mh_gpu *g)
{
    return mh_instructions_init(g->instructions, &g->cfg);
}

static void free_instructions(struct mh_gpu *g)
{
    mh_instructions_free(g->instructions);
}

const struct mh_block mh_block_instructions = {MH_BLOCK_STATE(instructions, 1), .init = init_instructions,
                                               .free = free_instructions, .settle = mh_instructions_sweep};

/* --- TLBs of the GPCs. */

static int init_gpc(struct mh_gpctlb_one *t, const struct mh_config *cfg)
{
    const struct mh_gpctlb_cfg *c = &cfg->gpctlb;

    t->mshr = calloc(c->mshrs, sizeof *t->mshr);
    for (uint32_t i = 0; t->mshr && i < c->mshrs; i++)
        t->mshr[i].next_free = i + 1 < c->mshrs ? i + 1 : MH_NONE;
    return !t->mshr || mh_wide_init(&t->tlb, c->entries, c->ways, c->index, c->covers) ||
           mh_index_init(&t->index, c->mshrs) || mh_ring_init(&t->stalled, cfg->sm.count * cfg->l1tlb.mshrs);
}

static int init_gpctlb(struct mh_gpu *g)
{
    struct mh_gpctlb *t = g->gpctlb;
    const uint32_t gpcs = g->cfg.sm.gpcs;

    if (!g->cfg.gpctlb.entries)
        return 0;
    t->gpc = calloc(gpcs, sizeof *t->gpc);
    t->gpcs = t->gpc ? gpcs : 0;
    for (uint32_t i = 0, sm = 0; i < t->gpcs; i++) {
        for (uint32_t n = mh_config_part(g->cfg.sm.count, gpcs, i); n; n--)
            t->of_sm[sm++] = (uint8_t)i;
        if (init_gpc(&t->gpc[i], &g->cfg))
            return -1;
    }
    return t->gpc ? 0 : -1;
}

static void free_gpctlb(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->gpctlb->gpcs; i++) {
        struct mh_gpctlb_one *t = &g->gpctlb->gpc[i];

        mh_wide_free(&t->tlb);
        mh_index_free(&t->index);
        mh_ring_free(&t->stalled);
        free(t->mshr);
    }
    free(g->gpctlb->gpc);
}

const struct mh_block mh_block_gpctlb = {MH_BLOCK_STATE(gpctlb, 1), .init = init_gpctlb, .free = free_gpctlb,
                                         .check = mh_gpctlb_check};

/* --- L2 TLB. */

static int init_walks(struct mh_l2tlb *t, uint32_t mshrs)
{
    t->walk = mh_aligned_zeros(mshrs * sizeof *t->walk);
    for (uint32_t i = 0; t->walk && i < mshrs; i++)
        t->walk[i].next_free = i + 1 < mshrs ? i + 1 : MH_NONE;
    return t->walk ? 0 : -1;
}

/* Without an L2 TLB: one set, which nothing ever fills. */
static int init_copy(struct mh_l2tlb_copy *c, const struct mh_config *cfg)
{
    uint32_t entries = cfg->l2tlb.entries;

    if (entries && cfg->l2tlb.covers > 1) {
        c->wide = calloc(1, sizeof *c->wide);
        if (!c->wide || mh_wide_init(c->wide, entries, cfg->l2tlb.ways, cfg->l2tlb.index, cfg->l2tlb.covers))
            return -1;
        entries = 0;
    }
    return mh_tlb_init(&c->tlb, entries ? entries : cfg->l2tlb.ways, cfg->l2tlb.ways, cfg->l2tlb.index) ||
           mh_assoc_init(&c->bypass, cfg->l2tlb.bypass_entries);
}

/*
 * An SM waits for one credit at a time. Each L1 TLB MSHR has one request: no lane can stall more. The credits are no
 * bound: a tenant's part is at least 1, and after a change of owners one tenant may fill its new part while others
 * still hold their old ones.
 */
static int init_lane(struct mh_l2tlb_lane *l, const struct mh_config *cfg)
{
    return mh_ring_init(&l->waiters, cfg->sm.count) || mh_ring_init(&l->stalled, cfg->sm.count * cfg->l1tlb.mshrs);
}

int mh_l2tlb_init(struct mh_l2tlb *t, const struct mh_config *cfg)
{
    t->tenants = cfg->tenants_count;
    t->copies = cfg->l2tlb.private ? t->tenants : 1;
    t->one_lane = cfg->l2tlb.lanes == MH_LANES_ONE;
    t->one_table = cfg->l2tlb.mshr_table == MH_MSHR_TABLE_ONE;
    t->mshrs = cfg->l2tlb.mshrs * t->copies;
    t->way = (cfg->gpctlb.entries ? cfg->gpctlb.latency : cfg->l1tlb.latency) + cfg->noc.tlb_latency;
    t->latency = cfg->l2tlb.entries ? cfg->l2tlb.latency : 0;
    for (uint32_t i = 0; i < t->copies; i++)
        if (init_copy(&t->copy[i], cfg))
            return -1;
    mh_l2tlb_choose(t, cfg);
    for (uint32_t i = 0; i < t->tenants; i++) {
        t->part[i].copy = (uint8_t)(t->copies > 1 ? i : 0);
        if (init_lane(&t->lane[i], cfg))
            return -1;
    }
    return init_walks(t, t->mshrs) || mh_index_init(&t->index, t->mshrs) || mh_ring_init(&t->found, t->mshrs);
}

void mh_l2tlb_free(struct mh_l2tlb *t)
{
    for (uint32_t i = 0; i < MH_MAX_TENANTS; i++) {
        mh_tlb_free(&t->copy[i].tlb);
        if (t->copy[i].wide)
            mh_wide_free(t->copy[i].wide);
        free(t->copy[i].wide);
        mh_assoc_free(&t->copy[i].bypass);
        mh_ring_free(&t->lane[i].waiters);
        mh_ring_free(&t->lane[i].stalled);
    }
    free(t->walk);
    mh_index_free(&t->index);
    mh_ring_free(&t->found);
}

/* g->steal is all zeros until its own init(): one queue for all walkers, as WALK_QUEUES is at reset. */
static int init_l2tlb(struct mh_gpu *g)
{
    if (mh_l2tlb_init(g->l2tlb, &g->cfg))
        return -1;
    mh_l2tlb_apply(g);
    return 0;
}

static void free_l2tlb(struct mh_gpu *g)
{
    mh_l2tlb_free(g->l2tlb);
}

/* A free MSHR keeps its last key. One is in use if the index leads from its key back to it. */
static void oldest_walk(const struct mh_gpu *g, struct mh_oldest *o)
{
    const struct mh_l2tlb *t = g->l2tlb;

    for (uint32_t w = 0; w < t->mshrs; w++)
        if (mh_index_find(&t->index, t->walk[w].key) == (int)w)
            mh_oldest_consider(o, &(struct mh_oldest){mh_path_oldest_walk, mh_walk_since(&t->walk[w]), w, 0, 0});
}

/* Counting goes on above the 6 bits of MASK's counters. Only what is read ends there. */
static void read_stalled(const struct mh_gpu *g, struct mh_counters *out)
{
    for (uint32_t t = 0; t < g->tenants; t++)
        out[t].stalled_peak = mh_gauge_saturated(out[t].stalled_peak);
}

static void restart_stalled(struct mh_gpu *g)
{
    for (uint32_t t = 0; t < g->tenants; t++)
        g->tenant[t].count.stalled_peak = 0;
}

const struct mh_block mh_block_l2tlb = {MH_BLOCK_STATE(l2tlb, 1),  .init = init_l2tlb,    .free = free_l2tlb,
                                        .check = mh_l2tlb_check,   .oldest = oldest_walk, .read = read_stalled,
                                        .restart = restart_stalled};

/* --- IOMMU. */

static int init_iommu(struct mh_gpu *g)
{
    return mh_iommu_init(g->iommu, &g->cfg);
}

static void free_iommu(struct mh_gpu *g)
{
    mh_iommu_free(g->iommu);
}

const struct mh_block mh_block_iommu = {MH_BLOCK_STATE(iommu, 1), .init = init_iommu, .free = free_iommu,
                                        .check = mh_iommu_check};

/* --- Walkers. */

static int init_steal(struct mh_gpu *g)
{
    mh_steal_init(g->steal, &g->cfg);
    return 0;
}

const struct mh_block mh_block_steal = {MH_BLOCK_STATE(steal, 1), .init = init_steal};

static int init_walkers(struct mh_gpu *g)
{
    uint32_t sets = mh_config_walk_sets(&g->cfg);

    g->walk_tells = mh_walk_should_tell(g);
    for (uint32_t i = 0; i < g->tenants; i++)
        g->walkers_of[i] = (uint8_t)(sets > 1 ? i : 0);
    for (uint32_t i = 0; i < sets; i++)
        if (mh_walkers_init(&g->walkers[i], &g->cfg))
            return -1;
    return 0;
}

static void free_walkers(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < MH_MAX_TENANTS; i++)
        mh_walkers_free(&g->walkers[i]);
}

/* Also for the L2 TLB and the IOMMU: their lanes follow the walkers' queues. */
static void apply_walkers(struct mh_gpu *g, const struct mh_knobs *before)
{
    (void)before;
    g->walk_tells = mh_walk_should_tell(g);
    mh_walk_apply(g);
}

/*
 * A walk takes its first cycle off walks_area and adds its last one. For those under way the current cycle stands in
 * for the last. It goes into the copy alone: in the live counter it would be added twice.
 */
static void read_walks(const struct mh_gpu *g, struct mh_counters *out)
{
    for (uint32_t t = 0; t < g->tenants; t++) {
        out[t].walks_area += out[t].walks_live * g->wheel.now;
        out[t].walks_peak = mh_gauge_saturated(out[t].walks_peak);
    }
}

/* Only the maximum starts anew. A count reset to 0 would fall below 0 when walks that are under way end. */
static void restart_walks(struct mh_gpu *g)
{
    for (uint32_t t = 0; t < g->tenants; t++)
        g->tenant[t].count.walks_peak = g->tenant[t].count.walks_live;
}

const struct mh_block mh_block_walkers = {MH_BLOCK_STATE(walkers, MH_MAX_TENANTS),
                                          .init = init_walkers,
                                          .free = free_walkers,
                                          .apply = apply_walkers,
                                          .check = mh_walkers_check,
                                          .read = read_walks,
                                          .restart = restart_walks};
