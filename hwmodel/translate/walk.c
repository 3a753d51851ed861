#include "translate/walk.h"

#include "cache/l2.h"
#include "control/control.h"
#include "engine/gpu.h"
#include "noc/noc.h"
#include "engine/request.h"
#include "engine/upstream.h"
#include "translate/tlb.h"
#include "translate/iommu.h"
#include "pages/page_table.h"
#include "translate/pwc.h"
#include "translate/steal.h"
#include "waits/waits.h"

int mh_walkers_init(struct mh_walkers *w, const struct mh_config *cfg)
{
    w->idle = mh_config_walkers(cfg);
    w->ports = mh_divisor(cfg->noc.walker_ports);
    w->places = mh_walk_places(cfg);
    mh_walk_queue_init(&w->waiting);
    return mh_pwc_init(w, cfg);
}

void mh_walkers_free(struct mh_walkers *w)
{
    mh_tags_free(&w->pwc);
}

bool mh_walk_room(const struct mh_gpu *g, uint32_t tenant)
{
    const struct mh_walkers *k = &g->walkers[g->walkers_of[tenant]];

    return g->steal->on ? mh_steal_room(g, tenant) : k->idle || k->waiting.count < k->places;
}

/*
 * The walk has a walker from `cycle` on. That may be while the look-up that found the miss goes on: it starts when both
 * are there.
 */
static void start(struct mh_gpu *g, uint32_t walk, uint64_t cycle)
{
    struct mh_walk *w = &g->l2tlb->walk[walk];
    uint64_t ready = mh_walk_since(w) + w->ready;

    w->runs = true;
    mh_waits_walk(g, walk, ready > cycle ? ready : cycle);
    mh_wheel_add(&g->wheel, ready > cycle ? ready : cycle, MH_EVENT(EV_WALK, walk));
}

/* Out of a queue of one walker. The walker asks the tables whose queue it is to be, then searches that. */
static void start_from_queue(struct mh_gpu *g, uint32_t walk)
{
    start(g, walk, g->wheel.now + g->cfg.walk.table_latency + mh_order_latency(g));
}

/* Counts also while all walks wait in one queue. */
static void count_arrival(struct mh_gpu *g, uint32_t tenant)
{
    struct mh_steal *s = g->steal;

    s->enq[tenant]++;
    if (--s->epoch_left)
        return;
    mh_control_walk_epoch(g->control, g->wheel.now, s->enq);
    memset(s->enq, 0, sizeof s->enq);
    s->epoch_left = g->knobs.walk_epoch;
}

/*
 * Into a queue of one walker, or past it. The tables are asked on the way in: an idle walker, too, starts only then.
 * Walkers have queues only where there is one set of them: walkers[0].
 */
static void arrive(struct mh_gpu *g, uint32_t walk)
{
    g->l2tlb->walk[walk].ready += (uint16_t)g->cfg.walk.table_latency;
    if (mh_steal_arrive(g, walk)) {
        g->walkers[0].idle--;
        start(g, walk, g->wheel.now);
    } else {
        mh_order_arrived(g, walk);
    }
}

static void from_root(const struct mh_gpu *g, struct mh_walk *w)
{
    w->node = g->tenant[w->tenant].page_root;
    w->depth = 1;
    w->looked_up = w->restart = false;
}

void mh_walk_begin(struct mh_gpu *g, uint32_t walk, uint64_t cycle)
{
    struct mh_walk *w = &g->l2tlb->walk[walk];
    struct mh_tenant *t = &g->tenant[w->tenant];
    struct mh_walkers *k = mh_walkers_of(g, w->tenant);

    MH_CHECK(mh_walk_room(g, w->tenant));
    w->begun = (uint32_t)(g->wheel.now - w->missed);
    w->ready = (uint16_t)(cycle - g->wheel.now);
    mh_waits_queued(g, walk, cycle);
    from_root(g, w);
    w->record = mh_instruction_walk(g, w->instruction, w->tenant, w->missed);
    t->count.walks_area -= g->wheel.now;
    if (++t->count.walks_live > t->count.walks_peak)
        t->count.walks_peak = t->count.walks_live;
    count_arrival(g, w->tenant);
    if (g->steal->on) {
        arrive(g, walk);
    } else if (!k->idle) {
        t->count.walks_foreign += mh_walk_queue_foreign(&k->waiting, w->tenant);
        mh_walk_queue_push(&k->waiting, g->l2tlb->walk, walk);
        mh_order_arrived(g, walk);
    } else {
        k->idle--;
        /* Served at once counts as served last (ours: the paper leaves it open). */
        k->waiting.last = w->instruction;
        start(g, walk, g->wheel.now);
    }
}

/* A walker of the set takes the walk that the order picks, or becomes idle. */
static void take_oldest(struct mh_gpu *g, struct mh_walkers *k)
{
    uint32_t next = mh_order_pick(g, &k->waiting);

    if (next == MH_NO_WALK) {
        k->idle++;
        return;
    }
    mh_order_leave(g, &k->waiting, next);
    start(g, next, g->wheel.now + mh_order_latency(g));
}

/* Likewise for a walker with its own queue. */
static void take_next(struct mh_gpu *g, uint32_t walker)
{
    uint32_t next = mh_steal_next(g, walker);

    if (next == MH_NO_WALK)
        g->walkers[0].idle++;
    else
        start_from_queue(g, next);
}

static void release_walker(struct mh_gpu *g, struct mh_walk *w)
{
    struct mh_walkers *k = mh_walkers_of(g, w->tenant);

    w->runs = false;
    if (g->steal->on)
        take_next(g, w->walker);
    else
        take_oldest(g, k);
}

/*
 * A reply with an entry is two flits. So a bank with two ports sends an entry a cycle, and walks that start a cycle
 * apart stay so; with one port it sends one in two cycles.
 */
static void read_entry(struct mh_gpu *g, uint32_t walk)
{
    const struct mh_walk *w = &g->l2tlb->walk[walk];
    const uint32_t id = mh_noc_new(g->noc);
    struct mh_req *r = &g->req[id];

    *r = (struct mh_req){.line = mh_pt_line(g->pages, w->node, w->vpn, w->depth),
                         .owner = walk,
                         .port = (uint16_t)(g->cfg.sm.count + mh_remainder(&g->walkers[0].ports, walk)),
                         .kind = MH_REQ_PTE,
                         .tenant = w->tenant,
                         .sectors = mh_pt_sector(g->pages, w->vpn, w->depth),
                         .depth = w->depth};

    mh_check_walk(g, w);
    if (g->knobs.l2_bypass || g->cfg.walk.uncached)
        r->bypass = mh_l2_bypasses(g, r);
    mh_noc_push(g, id);
}

static void count_walk(struct mh_gpu *g, const struct mh_walk *w)
{
    struct mh_counters *c = &g->tenant[w->tenant].count;

    c->walks++;
    c->walks_live--;
    c->walks_area += g->wheel.now;
    c->walk_cycles += g->wheel.now - mh_walk_since(w);
    mh_instruction_walked(g->instructions, w->record, g->wheel.now);
}

static void finish(struct mh_gpu *g, uint32_t walk, uint32_t ppn)
{
    struct mh_walk *w = &g->l2tlb->walk[walk];

    count_walk(g, w);
    if (g->walk_tells)
        mh_walk_found(g, w);
    if (g->cfg.iommu.l1_entries)
        mh_iommu_walked(g, walk, ppn);
    else
        mh_l2tlb_translated(g, walk, ppn);
    /*
     * Last: the walker takes another walk at once, stolen or not. The MSHR may be free by now, but nothing takes it in
     * this event.
     */
    release_walker(g, w);
}

static __attribute__((noinline, cold)) void tell_fault(struct mh_gpu *g, uint32_t walk)
{
    for (uint32_t m = g->l2tlb->walk[walk].head; m != MH_NONE; m = mh_tlb_mshr(g, m)->next_waiter)
        mh_waits_walked(g, walk, m, true);
}

/* The page is in host memory. Requests for it are parked with its unit: walker and MSHR are free at once. */
static void fault(struct mh_gpu *g, uint32_t walk)
{
    struct mh_walk *w = &g->l2tlb->walk[walk];

    count_walk(g, w);
    if (mh_waits_on(g))
        tell_fault(g, walk); /* first: then the list is the unit's */
    if (w->head != MH_NONE)  /* else a prefetch, and its page has left meanwhile */
        mh_uvm_fault(g, walk);
    mh_l2tlb_faulted(g, walk);
    mh_iommu_wake(g);
    release_walker(g, w);
}

/* The look-up of the walk itself: the entries that it pinned while it waited are pinned by it no longer. */
static void ask_pwc(struct mh_gpu *g, struct mh_walk *w)
{
    struct mh_pwc_found f = mh_pwc_look_up(g, w->tenant, w->node, w->vpn, MH_PWC_DOWN, w->pinned);

    w->looked_up = true;
    w->pinned = 0;
    w->node = f.node;
    w->depth = f.depth;
    mh_instruction_reads(g->instructions, w->record, mh_pt_leaf(g->pages, w->key) - w->depth + 1u);
}

/*
 * A walk's first step is its look-up in the page walk cache, which answers as of now and takes pwc_latency. Then it
 * reads, one entry after the other. Without such a cache it reads at once.
 */
void mh_walk_step(struct mh_gpu *g, uint32_t walk)
{
    struct mh_walk *w = &g->l2tlb->walk[walk];

    if (w->restart)
        from_root(g, w);
    if (w->looked_up) {
        read_entry(g, walk);
        return;
    }
    ask_pwc(g, w);
    if (g->walkers[0].pwc.sets)
        mh_wheel_add(&g->wheel, g->wheel.now + g->cfg.walk.pwc_latency, MH_EVENT(EV_WALK, walk));
    else
        read_entry(g, walk);
}

void mh_walk_entry(struct mh_gpu *g, uint32_t walk)
{
    struct mh_walk *w = &g->l2tlb->walk[walk];

    /* What it has read may be out of date. It keeps its walker, and starts again with the look-up. */
    if (w->restart) {
        mh_walk_step(g, walk);
        return;
    }
    uint32_t entry = mh_pt_entry(g->pages, w->node, w->vpn, w->depth);

    MH_CHECK(entry != MH_PT_NONE || (g->paging && w->depth == g->pages->levels));
    if (entry & MH_PT_PAGE) {
        if (entry == MH_PT_NONE)
            fault(g, walk);
        else
            finish(g, walk, entry & ~MH_PT_PAGE);
        return;
    }
    /* Upper levels only: the leaf is for the TLBs. */
    mh_pwc_fill(g, w->tenant, w->node, w->vpn, w->depth);
    w->node = entry;
    w->depth++;
    read_entry(g, walk);
}

/* --- Knobs. */

/* Walks under way get walkers in the order of their MSHRs; those that wait go into queues in order of arrival. */
static void divide_queue(struct mh_gpu *g)
{
    struct mh_steal *s = g->steal;
    struct mh_walk_queue *waiting = &g->walkers[0].waiting;
    uint32_t walker = 0;

    s->on = true;
    s->idle = s->all;
    memcpy(s->serves, s->owner, sizeof s->serves);
    for (uint32_t id = 0; id < g->l2tlb->mshrs; id++)
        if (g->l2tlb->walk[id].runs)
            mh_steal_give(g, id, walker++);
    while (waiting->count) {
        uint32_t id = waiting->oldest;

        mh_walk_queue_remove(waiting, g->l2tlb->walk, id);
        mh_steal_enter(g, id);
    }
}

/* Queues have no order among them: the cycle of arrival decides. */
static void unite_queues(struct mh_gpu *g)
{
    g->steal->on = false;
    while (g->steal->queued)
        mh_walk_queue_push(&g->walkers[0].waiting, g->l2tlb->walk, mh_steal_oldest(g));
}

/* Other owners, or another WALK_STEAL, let a walker take what it could not. It counts as busy while it looks. */
static void wake_idle_walkers(struct mh_gpu *g)
{
    struct mh_walkers *k = &g->walkers[0];
    struct mh_walker_set idle = g->steal->idle;

    if (g->steal->on) {
        for (uint32_t w = mh_walker_set_next(&idle, 0); w != MH_NO_WALKER; w = mh_walker_set_next(&idle, w + 1)) {
            k->idle--;
            take_next(g, w);
        }
    }
    while (!g->steal->on && k->idle && k->waiting.count) {
        k->idle--;
        take_oldest(g, k);
    }
}

static void set_walk_epoch(struct mh_gpu *g, uint32_t walks)
{
    struct mh_steal *s = g->steal;

    /* A COMMIT that does not change the knob does not disturb the epoch under way. */
    if (walks == s->epoch)
        return;
    s->epoch = walks;
    s->epoch_left = walks ? walks : UINT64_MAX;
    memset(s->enq, 0, sizeof s->enq);
}

void mh_walk_apply(struct mh_gpu *g)
{
    bool on = g->knobs.walk_queues;

    set_walk_epoch(g, g->knobs.walk_epoch);
    if (!on && !g->steal->on)
        return;
    mh_steal_set_owners(g);
    if (on && !g->steal->on)
        divide_queue(g);
    else if (!on)
        unite_queues(g);
    wake_idle_walkers(g);
    /* Last: parts of L2 TLB and lanes follow the owners in force. */
    mh_l2tlb_apply(g);
    if (g->cfg.iommu.l1_entries)
        mh_iommu_apply(g);
}
