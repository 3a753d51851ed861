#include "translate/gpctlb.h"

#include "engine/ring.h"
#include "engine/request.h"
#include "engine/upstream.h"
#include "translate/tlb.h"
#include "waits/waits.h"

/* The TLB that the L1 TLB MSHR asks. */
static struct mh_gpctlb_one *gpc_of(const struct mh_gpu *g, uint32_t mshr)
{
    return &g->gpctlb->gpc[g->gpctlb->of_sm[mh_quotient(&g->l1tlb_mshrs, mshr)]];
}

/* Every request takes the same time from its SM, so the port can be claimed before it arrives. */
void mh_gpctlb_ask(struct mh_gpu *g, uint32_t sm, uint32_t mshr)
{
    uint64_t at = g->wheel.now + g->cfg.l1tlb.latency + g->cfg.gpctlb.wire;
    uint64_t *port_free = g->gpctlb->gpc[g->gpctlb->of_sm[sm]].port_free;

    if (at < port_free[0])
        at = port_free[0];
    mh_ports_take(port_free, g->cfg.gpctlb.ports, 1, at + 1);
    mh_wheel_add(&g->wheel, at, MH_EVENT(EV_GPCTLB, mshr));
}

/* --- Misses. */

static void join(struct mh_gpu *g, struct mh_gpctlb_mshr *m, uint32_t mshr, struct mh_tlb_mshr *e)
{
    enum { MOST_WARPS = 8191 };
    struct mh_tlb_mshr *first = mh_tlb_mshr(g, m->first);

    e->next_waiter = MH_NONE;
    if (m->head == MH_NONE)
        m->head = mshr;
    else
        mh_tlb_mshr(g, m->tail)->next_waiter = mshr;
    m->tail = mshr;
    first->token |= e->token;
    first->warps = (uint16_t)mh_min32(first->warps + e->warps, MOST_WARPS) & MOST_WARPS;
    g->tenant[e->tenant].count.gpctlb_merge++;
}

/* The page goes on to the L2 TLB as a request of the SM. False: no MSHR is free. */
static bool take(struct mh_gpu *g, struct mh_gpctlb_one *t, uint32_t mshr, uint32_t key)
{
    uint32_t id = t->free_mshr;

    if (id == MH_NONE)
        return false;
    t->free_mshr = t->mshr[id].next_free;
    t->mshr[id] = (struct mh_gpctlb_mshr){.first = mshr, .head = MH_NONE, .tail = MH_NONE};
    mh_index_put(&t->index, key, id);
    mh_lsu_ask_l2tlb(g, mshr);
    return true;
}

static bool miss(struct mh_gpu *g, struct mh_gpctlb_one *t, uint32_t mshr, struct mh_tlb_mshr *e)
{
    int pending = mh_index_find(&t->index, e->key);

    if (pending < 0)
        return take(g, t, mshr, e->key);
    join(g, &t->mshr[pending], mshr, e);
    return true;
}

/* False: it misses without a free MSHR. It is not counted, as it comes again. */
static bool look_up(struct mh_gpu *g, struct mh_gpctlb_one *t, uint32_t mshr)
{
    struct mh_tlb_mshr *e = mh_tlb_mshr(g, mshr);
    struct mh_counters *c = &g->tenant[e->tenant].count;
    int64_t ppn = mh_wide_lookup(&t->tlb, e->key);

    if (ppn < 0 && !miss(g, t, mshr, e))
        return false;
    c->gpctlb_access++;
    c->gpctlb_hit += ppn >= 0;
    if (ppn >= 0)
        mh_lsu_pass(g, mshr, e, (uint32_t)ppn, g->wheel.now + g->cfg.gpctlb.latency + g->cfg.gpctlb.wire);
    return true;
}

void mh_gpctlb_access(struct mh_gpu *g, uint32_t mshr)
{
    struct mh_gpctlb_one *t = gpc_of(g, mshr);

    if (t->stalled.count || !look_up(g, t, mshr))
        mh_ring_push(&t->stalled, mshr);
}

static void schedule_retry(struct mh_gpu *g, struct mh_gpctlb_one *t, uint64_t cycle)
{
    if (!t->stalled.count || t->retry_event)
        return;
    t->retry_event = true;
    mh_wheel_add(&g->wheel, cycle, MH_EVENT(EV_GPCTLB_RETRY, (uint32_t)(t - g->gpctlb->gpc)));
}

/* A head that finds no MSHR waits until one is free. */
void mh_gpctlb_retry(struct mh_gpu *g, uint32_t gpc)
{
    struct mh_gpctlb_one *t = &g->gpctlb->gpc[gpc];
    uint32_t left = g->cfg.gpctlb.ports;

    t->retry_event = false;
    for (; left && t->stalled.count && look_up(g, t, mh_ring_peek(&t->stalled)); left--)
        mh_ring_pop(&t->stalled);
    if (!left)
        schedule_retry(g, t, g->wheel.now + 1);
}

/* --- Answers. */

/* Frees the MSHR; returns the requests that have joined it. */
static uint32_t release(struct mh_gpu *g, struct mh_gpctlb_one *t, uint32_t id, uint32_t key)
{
    uint32_t joined = t->mshr[id].head;

    mh_index_del(&t->index, key);
    t->mshr[id].next_free = t->free_mshr;
    t->free_mshr = id;
    schedule_retry(g, t, g->wheel.now);
    return joined;
}

/* A page that has migrated stays until the lines of all have been looked up. */
static void pass_on(struct mh_gpu *g, const struct mh_tlb_mshr *first, uint32_t mshr)
{
    struct mh_tlb_mshr *e = mh_tlb_mshr(g, mshr);

    e->pins |= first->pins;
    mh_lsu_pass(g, mshr, e, first->ppn, g->wheel.now + g->cfg.gpctlb.wire);
}

void mh_gpctlb_filled(struct mh_gpu *g, uint32_t mshr)
{
    struct mh_gpctlb_one *t = gpc_of(g, mshr);
    const struct mh_tlb_mshr *first = mh_tlb_mshr(g, mshr);

    /* Page table entries have changed while the answer was on its way: those that have joined go on waiting. */
    if (first->stale) {
        mh_lsu_ask_l2tlb(g, mshr);
        return;
    }
    int id = mh_index_find(&t->index, first->key);

    MH_CHECK(id >= 0 && t->mshr[id].first == mshr);
    mh_wide_fill(&t->tlb, first->key, first->ppn);
    pass_on(g, first, mshr);
    for (uint32_t m = release(g, t, (uint32_t)id, first->key), next; m != MH_NONE; m = next) {
        next = mh_tlb_mshr(g, m)->next_waiter;
        mh_waits_followed(g, m, mshr);
        pass_on(g, first, m);
    }
}

uint32_t mh_gpctlb_cancel(struct mh_gpu *g, uint32_t mshr)
{
    struct mh_gpctlb_one *t = gpc_of(g, mshr);
    uint32_t key = mh_tlb_mshr(g, mshr)->key;
    int id = mh_index_find(&t->index, key);

    return id >= 0 && t->mshr[id].first == mshr ? release(g, t, (uint32_t)id, key) : MH_NONE;
}

/* --- Flushes. */

void mh_gpctlb_flush(struct mh_gpu *g, uint32_t tenant)
{
    for (uint32_t i = 0; i < g->gpctlb->gpcs; i++)
        mh_wide_flush(&g->gpctlb->gpc[i].tlb, tenant);
}

void mh_gpctlb_flush_sm(struct mh_gpu *g, uint32_t sm, uint32_t tenant)
{
    if (g->gpctlb->gpcs)
        mh_wide_flush(&g->gpctlb->gpc[g->gpctlb->of_sm[sm]].tlb, tenant);
}

void mh_gpctlb_drop(struct mh_gpu *g, uint32_t key)
{
    for (uint32_t i = 0; i < g->gpctlb->gpcs; i++)
        mh_wide_drop(&g->gpctlb->gpc[i].tlb, key);
}

/* --- Reports and checks. */

/* Some request that has gone on: one of them has to come back before a stalled look-up goes on. */
static uint32_t some_first(const struct mh_gpu *g, const struct mh_gpctlb_one *t)
{
    for (uint32_t i = 0; i < g->cfg.gpctlb.mshrs; i++)
        if (mh_index_find(&t->index, mh_tlb_mshr(g, t->mshr[i].first)->key) == (int)i)
            return t->mshr[i].first;
    return MH_NONE;
}

uint32_t mh_gpctlb_tell(const struct mh_gpu *g, uint32_t mshr, FILE *out)
{
    const struct mh_gpctlb_one *t = gpc_of(g, mshr);
    uint32_t gpc = (uint32_t)(t - g->gpctlb->gpc);
    int id = mh_index_find(&t->index, mh_tlb_mshr(g, mshr)->key);

    if (mh_ring_has(&t->stalled, mshr)) {
        fprintf(out, ", stalled at the TLB of GPC %u without an MSHR there", gpc);
        return some_first(g, t);
    }
    if (id < 0 || t->mshr[id].first == mshr)
        return mshr;
    fprintf(out, ", which another SM of GPC %u has asked for", gpc);
    return t->mshr[id].first;
}

#ifdef MH_DEBUG

/* A busy MSHR is found by its key, and its first request waits for that page; the others are free. */
static void check_one(const struct mh_gpu *g, const struct mh_gpctlb_one *t)
{
    uint32_t free = 0, busy = 0;

    for (uint32_t m = t->free_mshr; m != MH_NONE; m = t->mshr[m].next_free)
        free++;
    for (uint32_t i = 0; i < g->cfg.gpctlb.mshrs; i++)
        busy += mh_index_find(&t->index, mh_tlb_mshr(g, t->mshr[i].first)->key) == (int)i;
    MH_CHECK(free + busy == g->cfg.gpctlb.mshrs);
    MH_CHECK(!t->stalled.count || t->retry_event || t->free_mshr == MH_NONE);
}

void mh_gpctlb_check(const struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->gpctlb->gpcs; i++)
        check_one(g, &g->gpctlb->gpc[i]);
}

#endif
