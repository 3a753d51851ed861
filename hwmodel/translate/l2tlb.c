#include "translate/l2tlb.h"

#include "engine/ports.h"
#include "gpu/gpu.h"

static int init_walks(struct mh_l2tlb *t, uint32_t mshrs)
{
    t->walk = mh_aligned_zeros(mshrs * sizeof *t->walk);
    for (uint32_t i = 0; t->walk && i < mshrs; i++)
        t->walk[i].next_free = i + 1 < mshrs ? i + 1 : MH_NONE;
    return t->walk ? 0 : -1;
}

int mh_l2tlb_init(struct mh_l2tlb *t, const struct mh_config *cfg)
{
    uint32_t entries = cfg->l2tlb.entries;

    t->credits = cfg->l2tlb.queue;
    t->latency = entries ? cfg->l2tlb.latency : 0;
    /* Without an L2 TLB: one set, which nothing ever fills. */
    return mh_tlb_init(&t->tlb, entries ? entries : cfg->l2tlb.ways, cfg->l2tlb.ways) ||
           init_walks(t, cfg->l2tlb.mshrs) || mh_assoc_init(&t->bypass, cfg->l2tlb.bypass_entries) ||
           mh_index_init(&t->index, cfg->l2tlb.mshrs) || mh_ring_init(&t->waiters, cfg->sm.count) ||
           mh_ring_init(&t->stalled, cfg->l2tlb.queue);
}

void mh_l2tlb_free(struct mh_l2tlb *t)
{
    mh_tlb_free(&t->tlb);
    free(t->walk);
    mh_assoc_free(&t->bypass);
    mh_index_free(&t->index);
    mh_ring_free(&t->waiters);
    mh_ring_free(&t->stalled);
}

void mh_l2tlb_send(struct mh_gpu *g, struct mh_sm *sm)
{
    struct mh_l2tlb *t = &g->l2tlb;

    while (sm->tlb_queue.count && !sm->tlb_waiting) {
        if (!t->credits) {
            sm->tlb_waiting = true;
            mh_ring_push(&t->waiters, sm->id);
            return;
        }
        t->credits--;
        uint32_t mshr = mh_ring_pop(&sm->tlb_queue);
        uint64_t at = g->wheel.now + g->cfg.l1tlb.latency + g->cfg.noc.tlb_latency;

        if (at < t->port_free[0])
            at = t->port_free[0];
        mh_ports_take(t->port_free, g->cfg.l2tlb.ports, 1, at + 1);
        mh_wheel_add(&g->wheel, at, MH_EVENT(EV_L2TLB, sm->id * g->cfg.l1tlb.mshrs + mshr));
    }
}

static void give_credit(struct mh_gpu *g)
{
    struct mh_l2tlb *t = &g->l2tlb;

    t->credits++;
    if (t->waiters.count) {
        struct mh_sm *sm = &g->sm[mh_ring_pop(&t->waiters)];

        sm->tlb_waiting = false;
        mh_l2tlb_send(g, sm);
    }
}

static void reply(struct mh_gpu *g, uint32_t mshr, struct mh_tlb_mshr *e, uint32_t ppn, uint64_t ready)
{
    MH_CHECK(g->pages.state[ppn] == MH_PT_LEFT ||
             ppn == mh_pt_translate(&g->pages, g->tenant[e->tenant].page_root, e->vpn));
    e->ppn = ppn;
    e->stale = false;
    mh_wheel_add(&g->wheel, ready + g->cfg.noc.tlb_latency, MH_EVENT(EV_TLB_FILL, mshr));
}

static void wait_for(struct mh_gpu *g, struct mh_walk *w, uint32_t mshr, struct mh_tlb_mshr *e)
{
    e->next_waiter = MH_NONE;
    if (w->head == MH_NONE)
        w->head = mshr;
    else
        mh_tlb_mshr(g, w->tail)->next_waiter = mshr;
    w->tail = mshr;
}

/* A free MSHR for a page that misses, on its way to a walk; MH_NONE: there is none, or no room for its walk. */
static uint32_t allocate(struct mh_gpu *g, const struct mh_tlb_mshr *e)
{
    struct mh_l2tlb *t = &g->l2tlb;
    uint32_t id = t->free_walk;
    uint64_t known = g->wheel.now + t->latency;
    bool iommu = g->cfg.iommu.l1_entries;

    if (id == MH_NONE || (!iommu && !mh_walk_room(&g->walkers)))
        return MH_NONE;
    t->free_walk = t->walk[id].next_free;
    t->walk[id] = (struct mh_walk){.key = e->key,
                                   .vpn = e->vpn,
                                   .head = MH_NONE,
                                   .since = g->wheel.now,
                                   .instruction = e->instruction,
                                   .tenant = e->tenant};
    mh_index_put(&t->index, e->key, id);
    if (iommu)
        mh_iommu_send(g, id, known);
    else
        mh_walk_begin(g, id, known);
    return id;
}

static bool miss(struct mh_gpu *g, uint32_t mshr, struct mh_tlb_mshr *e)
{
    int pending = mh_index_find(&g->l2tlb.index, e->key);
    uint32_t id = pending >= 0 ? (uint32_t)pending : allocate(g, e);

    if (id == MH_NONE)
        return false;
    g->tenant[e->tenant].count.l2tlb_merge += pending >= 0;
    wait_for(g, &g->l2tlb.walk[id], mshr, e);
    return true;
}

static void end_window(struct mh_gpu *g, struct mh_l2tlb_window *w)
{
    for (uint32_t t = 0; t < g->tenants; t++) {
        g->tenant[t].count.l2tlb_warps += w->warps[t];
        g->tenant[t].count.l2tlb_windows++;
    }
    *w = (struct mh_l2tlb_window){0};
}

static void count_warp(struct mh_gpu *g, uint32_t mshr, const struct mh_tlb_mshr *e)
{
    struct mh_l2tlb_window *w = &g->l2tlb.window;
    uint64_t *seen = &w->seen[mh_quotient(&g->l1tlb_mshrs, mshr)];

    w->warps[e->tenant] += !(*seen >> e->warp & 1);
    *seen |= 1ull << e->warp;
    if (++w->look_ups == MH_L2TLB_WINDOW)
        end_window(g, w);
}

/* False: it misses, and nothing can take the miss now. */
static bool look_up(struct mh_gpu *g, uint32_t mshr)
{
    struct mh_l2tlb *t = &g->l2tlb;
    struct mh_tlb_mshr *e = mh_tlb_mshr(g, mshr);
    struct mh_counters *c = &g->tenant[e->tenant].count;
    int64_t ppn = mh_tlb_lookup(&t->tlb, e->key);
    bool in_tlb = ppn >= 0;

    if (!in_tlb)
        ppn = mh_assoc_lookup(&t->bypass, e->key);
    if (ppn < 0 && !miss(g, mshr, e))
        return false;
    c->l2tlb_access++;
    count_warp(g, mshr, e);
    c->l2tlb_hit += in_tlb;
    c->bypass_hit += !in_tlb && ppn >= 0;
    if (ppn >= 0)
        reply(g, mshr, e, (uint32_t)ppn, g->wheel.now + t->latency);
    return true;
}

void mh_l2tlb_access(struct mh_gpu *g, uint32_t mshr)
{
    struct mh_l2tlb *t = &g->l2tlb;

    if (t->stalled.count || !look_up(g, mshr))
        mh_ring_push(&t->stalled, mshr);
    else
        give_credit(g);
}

void mh_l2tlb_retry(struct mh_gpu *g)
{
    struct mh_l2tlb *t = &g->l2tlb;
    uint32_t done = 0;

    t->retry_event = false;
    while (t->stalled.count && done < g->cfg.l2tlb.ports && look_up(g, mh_ring_peek(&t->stalled))) {
        mh_ring_pop(&t->stalled);
        give_credit(g);
        done++;
    }
    if (t->stalled.count && done == g->cfg.l2tlb.ports) {
        t->retry_event = true;
        mh_wheel_add(&g->wheel, g->wheel.now + 1, MH_EVENT(EV_L2TLB_RETRY, 0));
    }
}

static void fill(struct mh_gpu *g, const struct mh_walk *w, uint32_t ppn, bool token)
{
    struct mh_l2tlb *t = &g->l2tlb;
    struct mh_counters *c = &g->tenant[w->tenant].count;

    MH_CHECK(mh_pt_usable(&g->pages, ppn, g->tenant[w->tenant].asid));
    if (!g->cfg.l2tlb.entries)
        return;
    if (token || !g->cfg.l2tlb.bypass_entries) {
        mh_tlb_fill(&t->tlb, w->key, ppn);
        c->l2tlb_fill++;
    } else {
        mh_assoc_fill(&t->bypass, w->key, ppn);
        c->bypass_fill++;
    }
}

/* Warps that waited for a walk; for a hit in the IOMMU there was none. */
static void count_stalled(struct mh_counters *c, uint32_t warps)
{
    c->stalled_warps += warps;
    if (warps > c->stalled_peak)
        c->stalled_peak = warps;
}

void mh_l2tlb_translated(struct mh_gpu *g, uint32_t walk, uint32_t ppn)
{
    struct mh_l2tlb *t = &g->l2tlb;
    struct mh_walk *w = &t->walk[walk];
    bool token = false;
    uint32_t stalled = 0;

    for (uint32_t m = w->head, next; m != MH_NONE; m = next) {
        struct mh_tlb_mshr *e = mh_tlb_mshr(g, m);

        next = e->next_waiter;
        token |= e->token;
        stalled += e->warps;
        reply(g, m, e, ppn, g->wheel.now);
    }
    if (w->depth)
        count_stalled(&g->tenant[w->tenant].count, stalled);
    fill(g, w, ppn, token);
    mh_index_del(&t->index, w->key);
    w->next_free = t->free_walk;
    t->free_walk = walk;
    if (t->stalled.count && !t->retry_event) {
        t->retry_event = true;
        mh_wheel_add(&g->wheel, g->wheel.now, MH_EVENT(EV_L2TLB_RETRY, 0));
    }
}
