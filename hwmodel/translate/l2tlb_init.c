#include <stdlib.h>

#include "engine/gpu.h"
#include "engine/request.h"
#include "engine/upstream.h"
#include "translate/l2tlb.h"

/* How much the L2 TLB has of everything. */

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

    return mh_tlb_init(&c->tlb, entries ? entries : cfg->l2tlb.ways, cfg->l2tlb.ways, mh_set_rule(cfg->l2tlb.index)) ||
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
    t->one_lane = !strcmp(cfg->l2tlb.lanes, "one");
    t->one_table = !strcmp(cfg->l2tlb.mshr_table, "one");
    t->mshrs = cfg->l2tlb.mshrs * t->copies;
    t->latency = cfg->l2tlb.entries ? cfg->l2tlb.latency : 0;
    for (uint32_t i = 0; i < t->copies; i++)
        if (init_copy(&t->copy[i], cfg))
            return -1;
    for (uint32_t i = 0; i < t->tenants; i++) {
        t->part[i].copy = (uint8_t)(t->copies > 1 ? i : 0);
        if (init_lane(&t->lane[i], cfg))
            return -1;
    }
    return init_walks(t, t->mshrs) || mh_index_init(&t->index, t->mshrs);
}

void mh_l2tlb_free(struct mh_l2tlb *t)
{
    for (uint32_t i = 0; i < MH_MAX_TENANTS; i++) {
        mh_tlb_free(&t->copy[i].tlb);
        mh_assoc_free(&t->copy[i].bypass);
        mh_ring_free(&t->lane[i].waiters);
        mh_ring_free(&t->lane[i].stalled);
    }
    free(t->walk);
    mh_index_free(&t->index);
}
