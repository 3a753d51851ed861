#include <string.h>

#include "cache/l2.h"
#include "cache/l2_report.h"
#include "cache/l2_sectors.h"
#include "engine/gpu.h"

static int init_bank(struct mh_l2 *l2, struct mh_l2_bank *b, const struct mh_config *cfg)
{
    b->mshr = calloc(l2->mshrs, sizeof *b->mshr);
    if (!b->mshr)
        return -1;
    for (uint32_t i = 0; i < l2->mshrs; i++)
        b->mshr[i].next_free = i + 1 < l2->mshrs ? i + 1 : MH_NONE;
    /* Whatever is stalled has a credit of the bank, or is a walker's only read: there are so many of them. */
    return mh_index_init(&b->index, l2->mshrs) || mh_ring_init(&b->stalled, mh_config_bank_places(cfg)) ||
           (cfg->l2.bypass_wires && mh_ring_init(&b->passing, mh_config_walkers(cfg) * mh_config_walk_sets(cfg)));
}

/* The MSHRs are those of the bank, whoever has how many: each index has room for all. */
static int init_bypass(struct mh_l2 *l2, const struct mh_config *cfg)
{
    l2->sample = cfg->l2.sample;
    l2->bypass = calloc(l2->banks, sizeof *l2->bypass);
    for (uint32_t b = 0; l2->bypass && b < l2->banks; b++)
        if (mh_index_init(&l2->bypass[b], l2->mshrs))
            return -1;
    return l2->bypass ? 0 : -1;
}

static int init(struct mh_gpu *g)
{
    const struct mh_config *cfg = &g->cfg;
    struct mh_l2 *l2 = g->l2;

    l2->by_mshrs = mh_divisor(cfg->l2.mshrs);
    l2->banks = cfg->l2.banks;
    mh_interleave_tenants(l2->interleave, cfg);
    l2->sets = cfg->l2.bytes / l2->banks / cfg->l2.ways / cfg->memory.line_bytes;
    l2->index = mh_sets(l2->sets, MH_SETS_FOLD);
    l2->ports = cfg->l2.ports;
    l2->clock = mh_clock(cfg->clock.noc_hz, cfg->clock.gpu_hz);
    l2->acks = cfg->l1d.store_buffer != 0;
    l2->bypass_wires = cfg->l2.bypass_wires && strcmp(cfg->noc.queues, "input");
    l2->latency = cfg->l2.latency;
    l2->through = !strcmp(cfg->l2.stores, "through");
    l2->partition = cfg->l2.partition;
    l2->mshrs = cfg->l2.mshrs;
    l2->bank = mh_aligned_zeros(l2->banks * sizeof *l2->bank);
    for (uint32_t b = 0; l2->bank && b < l2->banks; b++)
        if (init_bank(l2, &l2->bank[b], cfg))
            return -1;
    g->sectors = cfg->l2.sector_bytes;
    return !l2->bank || mh_tags_init(&l2->tags, l2->banks * l2->sets, cfg->l2.ways) || init_bypass(l2, cfg) ||
                   mh_l2_sectors_init(l2, cfg)
               ? -1
               : 0;
}

static void free_all(struct mh_gpu *g)
{
    struct mh_l2 *l2 = g->l2;

    for (uint32_t b = 0; l2->bank && b < l2->banks; b++) {
        mh_index_free(&l2->bank[b].index);
        mh_ring_free(&l2->bank[b].stalled);
        mh_ring_free(&l2->bank[b].passing);
        free(l2->bank[b].mshr);
    }
    for (uint32_t b = 0; l2->bypass && b < l2->banks; b++)
        mh_index_free(&l2->bypass[b]);
    free(l2->bypass);
    free(l2->bank);
    mh_tags_free(&l2->tags);
    mh_l2_sectors_free(l2);
}

const struct mh_block mh_block_l2 = {MH_BLOCK_STATE(l2, 1), .init = init, .free = free_all, .check = mh_l2_check,
                                     .oldest = mh_l2_oldest};
