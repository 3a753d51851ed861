#include "translate/l2tlb.h"

#include "engine/gpu.h"
#include "engine/ring.h"
#include "engine/request.h"
#include "engine/upstream.h"
#include "translate/tlb.h"
#include "translate/instruction.h"
#include "translate/iommu.h"
#include "translate/steal.h"
#include "translate/walk.h"
#include "waits/waits.h"

/* Parts of a look-up: once more for entries that cover several pages. */
#define IN_LOOK_UP inline __attribute__((always_inline))

/*
 * Every request takes the same time from its credit to the look-up (ours). So the order of arrival is known here, and
 * the port can be claimed.
 */
static void send(struct mh_gpu *g, uint32_t mshr, uint32_t tenant)
{
    uint64_t at = g->wheel.now + g->l2tlb->way;
    uint64_t *port_free = mh_l2tlb_copy_of(g, tenant)->port_free;

    if (at < port_free[0])
        at = port_free[0];
    mh_ports_take(port_free, g->cfg.l2tlb.ports, 1, at + 1);
    mh_wheel_add(&g->wheel, at, MH_EVENT(EV_L2TLB, mshr));
}

bool mh_l2tlb_ask(struct mh_gpu *g, uint32_t sm, uint32_t mshr, uint32_t tenant)
{
    struct mh_l2tlb_part *part = &g->l2tlb->part[tenant];
    struct mh_l2tlb_lane *lane = &g->l2tlb->lane[part->lane];

    if (lane->credits <= 0) {
        mh_ring_push(&lane->waiters, sm);
        return false;
    }
    lane->credits--;
    part->sent++;
    send(g, mshr, tenant);
    return true;
}

/* If the SM finds no credit for its next request, it queues again behind the others: SMs take turns. */
static void wake_waiter(struct mh_gpu *g, struct mh_l2tlb_lane *lane)
{
    mh_lsu_credit(g, mh_ring_pop(&lane->waiters));
}

static void give_credit(struct mh_gpu *g, uint32_t tenant)
{
    struct mh_l2tlb_part *part = &g->l2tlb->part[tenant];
    struct mh_l2tlb_lane *lane = &g->l2tlb->lane[part->lane];

    lane->credits++;
    part->sent--;
    if (lane->waiters.count && lane->credits > 0)
        wake_waiter(g, lane);
}

static void reply(struct mh_gpu *g, uint32_t mshr, struct mh_tlb_mshr *e, uint32_t ppn, uint64_t ready)
{
    mh_lsu_answer(g, mshr, e, ppn, ready + g->cfg.noc.tlb_latency);
}

/* In order of arrival: answers go out in this order. */
static void wait_for(struct mh_gpu *g, struct mh_walk *w, uint32_t mshr, struct mh_tlb_mshr *e)
{
    e->next_waiter = MH_NONE;
    if (w->head == MH_NONE)
        w->head = mshr;
    else
        mh_tlb_mshr(g, w->tail)->next_waiter = mshr;
    w->tail = mshr;
}

/*
 * A free MSHR for a page that misses, on its way to a walk; MH_NONE: there is none, or no room for its walk. It takes
 * the walk's place in this cycle, though the miss is known only when the look-up is done. With an IOMMU no room is
 * asked for here: the miss waits for it there.
 */
static IN_LOOK_UP uint32_t allocate(struct mh_gpu *g, const struct mh_tlb_mshr *e)
{
    struct mh_l2tlb *t = g->l2tlb;
    struct mh_l2tlb_part *part = &t->part[e->tenant];
    uint32_t id = t->free_walk;
    uint64_t known = g->wheel.now + t->latency;
    bool iommu = g->cfg.iommu.l1_entries;

    if (id == MH_NONE || part->held >= part->may_hold || (!iommu && !mh_walk_room(g, e->tenant)))
        return MH_NONE;
    part->held++;
    t->free_walk = t->walk[id].next_free;
    t->walk[id] = (struct mh_walk){.key = e->key,
                                   .vpn = e->vpn,
                                   .head = MH_NONE,
                                   .missed = g->wheel.now,
                                   .instruction = e->instruction,
                                   .tenant = e->tenant};
    mh_index_put(&t->index, e->key, id);
    if (iommu)
        mh_iommu_send(g, id, known);
    else
        mh_walk_begin(g, id, known);
    return id;
}

bool mh_l2tlb_prefetch(struct mh_gpu *g, uint32_t key, uint32_t vpn)
{
    struct mh_tlb_mshr e = {key, vpn, .instruction = MH_NO_INSTRUCTION, .tenant = (uint8_t)mh_tenant_of_key(key)};

    return allocate(g, &e) != MH_NONE;
}

static IN_LOOK_UP bool miss(struct mh_gpu *g, uint32_t mshr, struct mh_tlb_mshr *e)
{
    int pending = mh_index_find(&g->l2tlb->index, e->key);
    uint32_t id = pending >= 0 ? (uint32_t)pending : allocate(g, e);

    if (id == MH_NONE)
        return false;
    g->tenant[e->tenant].count.l2tlb_merge += pending >= 0;
    mh_waits_joined(g, mshr, id, pending < 0);
    wait_for(g, &g->l2tlb->walk[id], mshr, e);
    return true;
}

/* False: it misses, and nothing can take the miss now. Such a look-up is not counted, as it comes again. */
static IN_LOOK_UP bool look_up(struct mh_gpu *g, uint32_t mshr, struct mh_tlb_mshr *e, bool wide)
{
    struct mh_l2tlb_copy *copy = mh_l2tlb_copy_of(g, e->tenant);
    struct mh_counters *c = &g->tenant[e->tenant].count;
    int64_t ppn = wide ? mh_wide_lookup(copy->wide, e->key) : mh_tlb_lookup(&copy->tlb, e->key);
    bool in_tlb = ppn >= 0;

    /* In hardware both are probed at once (MASK sec. 5.2). */
    if (!in_tlb)
        ppn = mh_assoc_lookup(&copy->bypass, e->key);
    if (ppn < 0 && !miss(g, mshr, e))
        return false;
    c->l2tlb_access++;
    mh_l2tlb_count_warp(g, mshr, e);
    c->l2tlb_hit += in_tlb;
    c->bypass_hit += !in_tlb && ppn >= 0;
    if (ppn >= 0)
        reply(g, mshr, e, (uint32_t)ppn, g->wheel.now + g->l2tlb->latency);
    return true;
}

static bool look_up_plain(struct mh_gpu *g, uint32_t mshr, struct mh_tlb_mshr *e)
{
    return look_up(g, mshr, e, false);
}

static bool look_up_wide(struct mh_gpu *g, uint32_t mshr, struct mh_tlb_mshr *e)
{
    return look_up(g, mshr, e, true);
}

void mh_l2tlb_choose(struct mh_l2tlb *t, const struct mh_config *cfg)
{
    t->look_up = t->copy[0].wide ? look_up_wide : look_up_plain;
    t->apart = t->copy[0].wide || !cfg->l2tlb.entries;
}

/*
 * Behind a stalled look-up all wait, hits too: a lane keeps its order. A waiting look-up keeps its credit, which bounds
 * the lane.
 */
void mh_l2tlb_access(struct mh_gpu *g, uint32_t mshr)
{
    struct mh_l2tlb *t = g->l2tlb;
    struct mh_tlb_mshr *e = mh_tlb_mshr(g, mshr);
    struct mh_ring *stalled = &t->lane[t->part[e->tenant].lane].stalled;

    if (stalled->count || !t->look_up(g, mshr, e)) {
        mh_ring_push(stalled, mshr);
        t->stalled++;
    } else {
        give_credit(g, e->tenant);
    }
}

/* Of one lane, at most `ports` look-ups; returns how many there were. */
static uint32_t retry_lane(struct mh_gpu *g, struct mh_l2tlb_lane *lane, uint32_t ports)
{
    struct mh_l2tlb *t = g->l2tlb;
    uint32_t done = 0;

    while (lane->stalled.count && done < ports) {
        uint32_t mshr = mh_ring_peek(&lane->stalled);
        struct mh_tlb_mshr *e = mh_tlb_mshr(g, mshr);

        if (!t->look_up(g, mshr, e))
            break;
        mh_ring_pop(&lane->stalled);
        t->stalled--;
        give_credit(g, e->tenant);
        done++;
    }
    return done;
}

static void schedule_retry(struct mh_gpu *g, uint64_t cycle)
{
    if (!g->l2tlb->stalled || g->l2tlb->retry_event)
        return;
    g->l2tlb->retry_event = true;
    mh_wheel_add(&g->wheel, cycle, MH_EVENT(EV_L2TLB_RETRY, 0));
}

/*
 * Lanes that share a copy share its ports; another lane is first each time. The next cycle goes on only where ports ran
 * out: a head that found no MSHR, or no room, waits for the end of a walk.
 */
void mh_l2tlb_retry(struct mh_gpu *g, uint32_t none)
{
    struct mh_l2tlb *t = g->l2tlb;
    uint32_t ports = g->cfg.l2tlb.ports, left = ports, lane = t->turn;
    bool more = false;

    (void)none;
    t->retry_event = false;
    for (uint32_t i = 0; i < t->lanes; i++) {
        uint32_t done = retry_lane(g, &t->lane[lane], left);

        more |= done == left && t->lane[lane].stalled.count;
        left = t->copies > 1 ? ports : left - done;
        lane = lane + 1 < t->lanes ? lane + 1 : 0;
    }
    t->turn = lane + 1 < t->lanes ? lane + 1 : 0;
    if (more)
        schedule_retry(g, g->wheel.now + 1);
}

static inline void fill_bypass(struct mh_l2tlb_copy *copy, struct mh_counters *c, uint32_t key, uint32_t ppn)
{
    mh_assoc_fill(&copy->bypass, key, ppn);
    c->bypass_fill++;
}

/* Without an L2 TLB there is nothing to fill. */
static __attribute__((noinline, cold)) void fill_apart(struct mh_gpu *g, const struct mh_walk *w, uint32_t ppn,
                                                       bool in_tlb)
{
    struct mh_l2tlb_copy *copy = mh_l2tlb_copy_of(g, w->tenant);
    struct mh_counters *c = &g->tenant[w->tenant].count;

    if (!copy->wide)
        return;
    if (!in_tlb) {
        fill_bypass(copy, c, w->key, ppn);
        return;
    }
    mh_wide_fill(copy->wide, w->key, ppn);
    c->l2tlb_fill++;
}

static void fill(struct mh_gpu *g, const struct mh_walk *w, uint32_t ppn, bool token)
{
    struct mh_l2tlb_copy *copy = mh_l2tlb_copy_of(g, w->tenant);
    struct mh_counters *c = &g->tenant[w->tenant].count;

    mh_check_translation(g, w->tenant, w->vpn, ppn);
    if (g->l2tlb->apart) {
        fill_apart(g, w, ppn, token || !g->cfg.l2tlb.bypass_entries);
        return;
    }
    if (token || !g->cfg.l2tlb.bypass_entries) {
        mh_tlb_fill(&copy->tlb, w->key, ppn);
        c->l2tlb_fill++;
    } else {
        fill_bypass(copy, c, w->key, ppn);
    }
}

/*
 * Warps that waited for a walk; for a hit in the IOMMU there was none. A warp counts once per memory instruction
 * (ours): twice with two loads that wait for the page, and not at all if it joins while the answer is on its way.
 */
static void count_stalled(struct mh_counters *c, uint32_t warps)
{
    c->stalled_warps += warps;
    if (warps > c->stalled_peak)
        c->stalled_peak = warps;
}

static void release(struct mh_gpu *g, uint32_t walk)
{
    struct mh_l2tlb *t = g->l2tlb;
    struct mh_walk *w = &t->walk[walk];

    mh_index_del(&t->index, w->key);
    w->next_free = t->free_walk;
    t->free_walk = walk;
    t->part[w->tenant].held--;
    /* An event: first the walker that has ended this walk takes a waiting one, then stalled look-ups ask for room. */
    schedule_retry(g, g->wheel.now);
}

void mh_l2tlb_translated(struct mh_gpu *g, uint32_t walk, uint32_t ppn)
{
    struct mh_l2tlb *t = g->l2tlb;
    struct mh_walk *w = &t->walk[walk];
    bool token = false;
    uint32_t stalled = 0;

    for (uint32_t m = w->head, next; m != MH_NONE; m = next) {
        struct mh_tlb_mshr *e = mh_tlb_mshr(g, m);

        next = e->next_waiter;
        token |= e->token;
        stalled += e->warps;
        mh_waits_walked(g, walk, m, false);
        reply(g, m, e, ppn, g->wheel.now);
    }
    if (w->depth)
        count_stalled(&g->tenant[w->tenant].count, stalled);
    fill(g, w, ppn, token);
    release(g, walk);
}

void mh_l2tlb_faulted(struct mh_gpu *g, uint32_t walk)
{
    release(g, walk);
}

/* --- Parts of the tenants. */

/*
 * What a tenant has of `whole`: all of it, if it has a copy of its own or shares the one lane; else its part of the
 * walkers, or with walk.private an equal part. Never 0, or its requests would wait for ever.
 */
static uint32_t part_of(const struct mh_gpu *g, uint32_t whole, uint32_t tenant)
{
    const struct mh_l2tlb *t = g->l2tlb;
    uint32_t part = whole / t->tenants;

    if (t->copies > 1 || t->lanes == 1)
        return whole;
    if (g->steal->on)
        part = whole * g->steal->owns[tenant] / g->steal->walkers;
    return part ? part : 1;
}

/* Moves every request into its lane. A lane keeps its order; lanes that become one are joined tenant by tenant. */
static void change_lanes(struct mh_gpu *g)
{
    struct mh_l2tlb *t = g->l2tlb;

    for (uint32_t i = 0; i < t->tenants; i++) {
        struct mh_l2tlb_lane *lane = &t->lane[i];

        for (uint32_t n = lane->stalled.count; n; n--) {
            uint32_t mshr = mh_ring_pop(&lane->stalled);

            mh_ring_push(&t->lane[t->part[mh_tlb_mshr(g, mshr)->tenant].lane].stalled, mshr);
        }
        for (uint32_t n = lane->waiters.count; n; n--) {
            uint32_t sm = mh_ring_pop(&lane->waiters);

            mh_ring_push(&t->lane[t->part[mh_lsu_next_tenant(g, sm)].lane].waiters, sm);
        }
    }
}

/* What a tenant has under way counts against its new part: below 0 it gets no credit until enough have come back. */
static void divide(struct mh_gpu *g)
{
    struct mh_l2tlb *t = g->l2tlb;

    for (uint32_t i = 0; i < t->tenants; i++)
        t->lane[i].credits = (int32_t)(t->lanes > 1 || !i ? part_of(g, g->cfg.l2tlb.queue, i) : 0);
    for (uint32_t i = 0; i < t->tenants; i++) {
        struct mh_l2tlb_part *part = &t->part[i];

        part->lane = (uint8_t)(t->lanes > 1 ? i : 0);
        part->may_hold = t->one_table ? g->cfg.l2tlb.mshrs : part_of(g, g->cfg.l2tlb.mshrs, i);
        t->lane[part->lane].credits -= (int32_t)part->sent;
    }
}

void mh_l2tlb_apply(struct mh_gpu *g)
{
    struct mh_l2tlb *t = g->l2tlb;

    t->lanes = !t->one_lane && (g->steal->on || g->cfg.l2tlb.private || g->cfg.walk.private) ? t->tenants : 1;
    t->turn = 0;
    divide(g);
    change_lanes(g);
    /* A part that has grown has credits for SMs that wait, and MSHRs for look-ups that are stalled. */
    for (uint32_t i = 0; i < t->lanes; i++)
        while (t->lane[i].credits > 0 && t->lane[i].waiters.count)
            wake_waiter(g, &t->lane[i]);
    schedule_retry(g, g->wheel.now);
}
