#include "translate/iommu.h"

#include "engine/gpu.h"
#include "translate/walk.h"

int mh_iommu_init(struct mh_iommu *m, const struct mh_config *cfg)
{
    const struct mh_iommu_cfg *c = &cfg->iommu;

    if (!c->l1_entries)
        return 0;
    if (c->l2_entries && mh_tlb_init(&m->l2, c->l2_entries, c->l2_ways, cfg->l2tlb.index))
        return -1;
    /* Any queue may have to hold all MSHRs: with one lane they are all in the first. */
    for (uint32_t i = 0; i < cfg->tenants_count; i++)
        if (mh_ring_init(&m->queue[i], cfg->l2tlb.mshrs * (cfg->l2tlb.private ? cfg->tenants_count : 1)))
            return -1;
    return mh_assoc_init(&m->l1, c->l1_entries);
}

void mh_iommu_free(struct mh_iommu *m)
{
    mh_assoc_free(&m->l1);
    mh_tlb_free(&m->l2);
    for (uint32_t i = 0; i < MH_MAX_TENANTS; i++)
        mh_ring_free(&m->queue[i]);
}

void mh_iommu_send(struct mh_gpu *g, uint32_t walk, uint64_t cycle)
{
    g->iommu->on_their_way++;
    mh_wheel_add(&g->wheel, cycle + g->cfg.iommu.latency, MH_EVENT(EV_IOMMU, walk));
}

static void send_back(struct mh_gpu *g, uint32_t walk, uint32_t ppn, uint64_t cycle)
{
    g->l2tlb->walk[walk].ppn = ppn;
    /* The answer is of this cycle: earlier changes are in it, a later one makes it stale. */
    g->l2tlb->walk[walk].restart = false;
    g->iommu->on_their_way++;
    mh_wheel_add(&g->wheel, cycle + g->cfg.iommu.latency, MH_EVENT(EV_IOMMU_BACK, walk));
}

/* One event for all queues: one look-up starts per cycle. */
static void schedule(struct mh_gpu *g)
{
    struct mh_iommu *m = g->iommu;

    if (m->look_up_event)
        return;
    m->look_up_event = true;
    mh_wheel_add(&g->wheel, m->port_free > g->wheel.now ? m->port_free : g->wheel.now, MH_EVENT(EV_IOMMU_HEAD, 0));
}

static uint32_t lane_of(const struct mh_gpu *g, uint32_t walk)
{
    return g->l2tlb->part[g->l2tlb->walk[walk].tenant].lane;
}

void mh_iommu_arrive(struct mh_gpu *g, uint32_t walk)
{
    struct mh_iommu *m = g->iommu;
    uint32_t lane = lane_of(g, walk);

    m->on_their_way--;
    m->waiting++;
    mh_ring_push(&m->queue[lane], walk);
    /* Behind a head without room there is nothing to look up before a walk ends. */
    if (!(m->stalled >> lane & 1))
        schedule(g);
}

/*
 * Both TLBs are asked in one step, though the second one answers later. The page has one MSHR in the L2 TLB, so no
 * other request asks for it meanwhile: only a fill that evicts just this page in between would change the answer.
 * False: it needs a walk and there is no room for one. Nothing has changed or been counted, as the look-up comes again.
 */
static bool look_up(struct mh_gpu *g, uint32_t walk)
{
    struct mh_iommu *m = g->iommu;
    const struct mh_walk *w = &g->l2tlb->walk[walk];
    struct mh_counters *c = &g->tenant[w->tenant].count;
    int64_t ppn = mh_assoc_lookup(&m->l1, w->key);
    bool in_l1 = ppn >= 0, ask_l2 = !in_l1 && m->l2.sets;
    uint64_t done = g->wheel.now + g->cfg.iommu.l1_latency + (ask_l2 ? g->cfg.iommu.l2_latency : 0);

    if (ask_l2)
        ppn = mh_tlb_lookup(&m->l2, w->key);
    if (ppn < 0 && !mh_walk_room(g, w->tenant))
        return false;
    c->iommu_l1_access++;
    c->iommu_l1_hit += in_l1;
    c->iommu_l2_access += ask_l2;
    c->iommu_l2_hit += ask_l2 && ppn >= 0;
    if (ppn < 0) {
        mh_walk_begin(g, walk, done);
    } else {
        mh_assoc_fill(&m->l1, w->key, (uint32_t)ppn);
        send_back(g, walk, (uint32_t)ppn, done);
    }
    return true;
}

/* In turn, of those that are not stalled; MH_NONE: there is none. */
static uint32_t next_queue(const struct mh_gpu *g)
{
    const struct mh_iommu *m = g->iommu;

    for (uint32_t i = 0; i < g->l2tlb->lanes; i++) {
        uint32_t queue = (m->turn + i) % g->l2tlb->lanes;

        if (m->queue[queue].count && !(m->stalled >> queue & 1))
            return queue;
    }
    return MH_NONE;
}

void mh_iommu_look_up(struct mh_gpu *g, uint32_t none)
{
    struct mh_iommu *m = g->iommu;
    uint32_t queue;

    (void)none;
    m->look_up_event = false;
    /* A head that finds no room does not use up the cycle: another queue's is looked up in its place. */
    while ((queue = next_queue(g)) != MH_NONE) {
        if (look_up(g, mh_ring_peek(&m->queue[queue])))
            break;
        m->stalled |= 1u << queue;
    }
    if (queue == MH_NONE)
        return;
    mh_ring_pop(&m->queue[queue]);
    m->waiting--;
    m->turn = queue + 1;
    m->port_free = g->wheel.now + 1;
    if (next_queue(g) != MH_NONE)
        schedule(g);
}

/* Each queue keeps its order. Those that become one follow each other, tenant by tenant. */
void mh_iommu_apply(struct mh_gpu *g)
{
    struct mh_iommu *m = g->iommu;

    m->stalled = 0;
    for (uint32_t i = 0; i < g->tenants; i++)
        for (uint32_t n = m->queue[i].count; n; n--) {
            uint32_t walk = mh_ring_pop(&m->queue[i]);

            mh_ring_push(&m->queue[lane_of(g, walk)], walk);
        }
    if (m->waiting)
        schedule(g);
}

/* Any of them may have room now. The look-up is an event: by then the walk has left its walker. */
void mh_iommu_wake(struct mh_gpu *g)
{
    if (!g->iommu->stalled)
        return;
    g->iommu->stalled = 0;
    schedule(g);
}

void mh_iommu_walked(struct mh_gpu *g, uint32_t walk, uint32_t ppn)
{
    struct mh_iommu *m = g->iommu;
    uint32_t key = g->l2tlb->walk[walk].key;

    mh_assoc_fill(&m->l1, key, ppn);
    if (m->l2.sets)
        mh_tlb_fill(&m->l2, key, ppn);
    send_back(g, walk, ppn, g->wheel.now);
    mh_iommu_wake(g);
}

void mh_iommu_return(struct mh_gpu *g, uint32_t walk)
{
    g->iommu->on_their_way--;
    /* Page table entries have changed while the answer was on its way. */
    if (g->l2tlb->walk[walk].restart)
        mh_iommu_send(g, walk, g->wheel.now);
    else
        mh_l2tlb_translated(g, walk, g->l2tlb->walk[walk].ppn);
}
