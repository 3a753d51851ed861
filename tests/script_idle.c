/* Nothing is under way in a GPU. */
#include <stdio.h>
#include <stdlib.h>

#include "script.h"

static void must(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "script: %s\n", what);
        abort();
    }
}

static uint32_t free_entries(const struct mh_sm *sm)
{
    uint32_t n = 0;
    for (uint32_t i = sm->free_pending; i != MH_NONE; i = sm->pending[i].next)
        n++;
    for (uint32_t i = sm->free_tlb_mshr; i != MH_NONE; i = sm->tlb_mshr[i].next_free)
        n++;
    for (uint32_t i = sm->free_l1_mshr; i != MH_NONE; i = sm->l1_mshr[i].next_free)
        n++;
    return n;
}

static void idle_l2(const struct mh_gpu *g)
{
    for (uint32_t b = 0; b < g->cfg.l2.banks; b++) {
        const struct mh_l2_bank *bank = &g->l2->bank[b];
        uint32_t n = 0;
        for (uint32_t i = bank->free_mshr; i != MH_NONE; i = bank->mshr[i].next_free)
            n++;
        must(n == g->cfg.l2.mshrs, "an L2 MSHR is held");
        must(!bank->stalled.count, "an L2 bank is stalled");
        must(g->noc->bank[b].credits == g->noc->places, "a credit of an L2 bank is missing");
    }
    for (uint32_t c = 0; c < g->cfg.dram.channels; c++)
        must(!mh_dram_waiting(g->memory->channel[c].dram), "a DRAM queue is not empty");
}

static void idle_l2tlb(const struct mh_gpu *g)
{
    const struct mh_l2tlb *t = g->l2tlb;
    uint32_t n = 0;
    for (uint32_t i = t->free_walk; i != MH_NONE; i = t->walk[i].next_free)
        n++;
    must(n == t->mshrs, "an L2 TLB MSHR is held");
    for (uint32_t i = 0; i < mh_config_walk_sets(&g->cfg); i++)
        must(g->walkers[i].idle == mh_config_walkers(&g->cfg) && !g->walkers[i].waiting.count, "a walker is busy");
    must(!g->steal->queued, "a walk waits in a walker's queue");
    must(!g->iommu->waiting && !g->iommu->on_their_way, "the IOMMU is busy");
    for (uint32_t i = 0; i < g->tenants; i++)
        must(!t->part[i].sent && !t->part[i].held, "a credit of the L2 TLB is missing");
    must(!t->stalled, "a look-up of the L2 TLB is stalled");
}

static void idle_gpctlb(const struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->gpctlb->gpcs; i++) {
        const struct mh_gpctlb_one *t = &g->gpctlb->gpc[i];
        uint32_t n = 0;
        for (uint32_t m = t->free_mshr; m != MH_NONE; m = t->mshr[m].next_free)
            n++;
        must(n == g->cfg.gpctlb.mshrs, "an MSHR of a GPC's TLB is held");
        must(!t->stalled.count, "a look-up of a GPC's TLB is stalled");
    }
}

static void idle_uvm(const struct mh_uvm *m)
{
    uint32_t here = 0;
    for (uint32_t u = 0; u < m->units; u++) {
        must(m->unit[u].state == MH_UNIT_HOST || m->unit[u].state == MH_UNIT_HERE, "a unit is on its way");
        must(m->unit[u].head == MH_NONE, "somebody is parked with a unit");
        here += m->unit[u].state == MH_UNIT_HERE;
    }
    must(here == m->here && here + m->free_count == m->sets, "a unit is lost");
    must(!m->busy && !m->leaving, "units are to come or to leave");
}

/*
 * The DRAM accesses that requests caused are those that DRAM saw, but for dirty lines that page walks pushed out of the
 * L2: a walk's miss at most one.
 */
static void idle_dram(const struct mh_gpu *g)
{
    uint64_t caused = 0, seen = 0, walks = 0;
    for (uint32_t t = 0; t < g->tenants; t++) {
        const struct mh_counters *c = &g->tenant[t].count;
        caused += c->dram_caused;
        seen += c->dram_read + c->dram_write;
        walks += pte_accesses(c).sum - pte_hits(c).sum;
    }
    must(caused <= seen, "requests caused DRAM accesses that were not");
    must(seen <= caused + walks, "DRAM accesses without a request that caused them");
}

void script_assert_idle(const struct mh_gpu *g)
{
    mh_gpu_check(g);
    for (uint32_t i = 0; i < g->cfg.sm.count; i++) {
        const struct mh_sm *sm = &g->sm[i];
        uint32_t all = g->cfg.sm.pending + g->cfg.l1tlb.mshrs + g->cfg.l1d.mshrs;
        must(!sm->lsu_count && sm->replay_head == MH_NONE, "an LSU has work");
        must(!sm->stores, "a store is not acknowledged");
        must(!sm->results, "the result of an atomic has not come");
        must(free_entries(sm) == all, "an MSHR or a pending line of an SM is held");
    }
    must(g->noc->live == 0, "a request is alive");
    must(g->noc->replies == 0, "a reply is on its way");
    idle_l2(g);
    idle_gpctlb(g);
    idle_l2tlb(g);
    idle_uvm(g->uvm);
    idle_dram(g);
}

void script_end(struct mh_gpu *g)
{
    script_assert_idle(g);
    mh_gpu_destroy(g);
}
