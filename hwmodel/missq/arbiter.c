#include "missq/missq.h"
#include "noc/noc.h"

/*
 * The arbiter of an SM's sub-queues: which head enters the crossbar next. A head may go when it has been there for the
 * arbiter's latency, its tenant has an issue credit, its bank a credit, and the port's wire is free. Of those that may,
 * tenants with ISSUE_FIRST go first, in turn; then the others, in turn. A head that was there for ISSUE_PATIENCE whole
 * intervals takes its turn among the first: strict priority has no bound on how long it waits.
 *
 * A head whose bank has no credit stands in line there, and others pass it. A credit that comes back is its own: it
 * pays its issue credit at once and keeps both until it goes. Without an issue credit by then it has lost its place.
 *
 * With queues at the inputs of the crossbar (noc.queues) the place there stands for the bank's credit: one request in
 * each virtual channel, which no other passes. When it goes the next is chosen, so that the input loses no cycle.
 */

/* MISS_QUEUES 0 leaves the requests that are queued to the arbiter, which keeps to no rate any more. */
static bool has_rate(const struct mh_gpu *g)
{
    return g->knobs.miss_queues;
}

/* `cycle`, here and below, is a NoC cycle that starts in this GPU cycle. */
static void go_to(const struct mh_gpu *g, struct mh_miss_queue *q, uint64_t cycle)
{
    uint64_t at = g->missq->gpu_rate ? g->wheel.now : cycle;

    if (at < q->interval_end)
        return;
    q->interval = at / g->cfg.l1d.rate_interval;
    q->interval_end = (q->interval + 1) * g->cfg.l1d.rate_interval;
}

static struct mh_issue_credits *credits_of(const struct mh_gpu *g, struct mh_miss_queue *q, uint32_t tenant)
{
    struct mh_issue_credits *c = &q->of[tenant].credits;

    mh_credits_at(c, q->interval, g->missq->rate[tenant]);
    return c;
}

void mh_missq_settle(struct mh_gpu *g, uint32_t sm)
{
    struct mh_miss_queue *q = &g->missq->sm[sm];

    go_to(g, q, mh_noc_seen(g->noc, g->wheel.now));
    for (uint32_t t = 0; t < g->tenants; t++)
        credits_of(g, q, t);
}

static bool can_pay(const struct mh_gpu *g, struct mh_miss_queue *q, uint32_t tenant)
{
    return !has_rate(g) || mh_credits_enough(credits_of(g, q, tenant));
}

static void pay(const struct mh_gpu *g, struct mh_miss_queue *q, uint32_t tenant)
{
    if (has_rate(g))
        mh_credits_take(credits_of(g, q, tenant));
    q->of[tenant].paid = true;
}

static const struct mh_req *head_of(const struct mh_gpu *g, const struct mh_virtual_queue *v)
{
    return &g->req[v->head];
}

/* NoC cycle in which the head is ready, less than 2^31 from `cycle`. */
static uint64_t ready_at(const struct mh_gpu *g, const struct mh_virtual_queue *v, uint64_t cycle)
{
    return cycle + (uint64_t)(int64_t)(int32_t)(head_of(g, v)->ready - (uint32_t)cycle);
}

/* Takes what it needs, if all is there: then it goes at once. */
static bool may_go(struct mh_gpu *g, uint32_t sm, uint32_t tenant, uint64_t cycle)
{
    struct mh_miss_queue *q = &g->missq->sm[sm];
    struct mh_virtual_queue *v = &q->of[tenant];

    if (!v->count || v->waiting || v->paid)
        return v->paid;
    if (ready_at(g, v, cycle) > cycle || !can_pay(g, q, tenant))
        return false;
    v->waiting = !mh_noc_claim(g->noc, sm, head_of(g, v)->bank);
    if (!v->waiting)
        pay(g, q, tenant);
    return !v->waiting;
}

static bool goes_first(const struct mh_gpu *g, const struct mh_miss_queue *q, uint32_t tenant)
{
    const struct mh_virtual_queue *v = &q->of[tenant];
    uint32_t patience = g->knobs.issue_patience;

    return g->knobs.issue_first[tenant] || (patience && v->count && q->interval - v->head_since > patience);
}

/* The first tenant, in the arbiter's order, for which the test is true; MH_NONE: there is none. */
typedef bool head_test(struct mh_gpu *g, uint32_t sm, uint32_t tenant, uint64_t arg);

static uint32_t first(struct mh_gpu *g, uint32_t sm, head_test *test, uint64_t arg)
{
    const struct mh_miss_queue *q = &g->missq->sm[sm];

    for (int class = 1; class >= 0; class --)
        for (uint32_t i = 0, t = q->last[class]; i < g->tenants; i++) {
            t = t + 1 < g->tenants ? t + 1 : 0;
            if ((int)goes_first(g, q, t) == class && test(g, sm, t, arg))
                return t;
        }
    return MH_NONE;
}

static void send(struct mh_gpu *g, uint32_t sm, uint32_t tenant, uint64_t cycle)
{
    struct mh_miss_queue *q = &g->missq->sm[sm];
    struct mh_virtual_queue *v = &q->of[tenant];
    uint32_t req = v->head;

    q->last[goes_first(g, q, tenant)] = (uint8_t)tenant;
    v->head = g->req[req].next;
    v->count--;
    v->paid = false;
    v->limit = v->count > v->share ? v->count : v->share;
    v->head_since = q->interval;
    q->held--;
    mh_noc_launch(g, req, cycle);
    mh_sm_kick(g, sm);
}

/* NoC cycle from which the head may go, if its bank has a credit then; UINT64_MAX: there is none, or it stands in line.
 */
static uint64_t next_of(const struct mh_gpu *g, struct mh_miss_queue *q, uint32_t tenant, uint64_t cycle)
{
    struct mh_virtual_queue *v = &q->of[tenant];

    if (!v->count || v->waiting)
        return UINT64_MAX;
    uint64_t ready = ready_at(g, v, cycle);

    if (can_pay(g, q, tenant))
        return ready;
    uint64_t start = mh_credits_next(&v->credits, g->missq->rate[tenant]) * g->cfg.l1d.rate_interval;

    return mh_max64(ready, g->missq->gpu_rate ? mh_noc_enter(g->noc, start) : start);
}

static uint64_t next_of_all(const struct mh_gpu *g, struct mh_miss_queue *q, uint64_t cycle)
{
    uint64_t next = UINT64_MAX;

    for (uint32_t t = 0; t < g->tenants; t++)
        next = mh_min64(next, next_of(g, q, t, cycle));
    return next;
}

/* With a faster clock of the NoC, several of its cycles start in this one of the GPU. */
static bool is_now(const struct mh_gpu *g, uint64_t cycle)
{
    return cycle < mh_noc_enter(g->noc, g->wheel.now + 1);
}

static void wake_in(struct mh_gpu *g, uint32_t sm, uint64_t cycle)
{
    struct mh_miss_queue *q = &g->missq->sm[sm];
    uint64_t at = mh_max64(mh_noc_starts(g->noc, cycle), g->wheel.now);

    if (q->wakes_at <= at)
        return;
    q->wakes_at = at;
    mh_wheel_add(&g->wheel, at, MH_EVENT(EV_MISSQ, sm));
}

void mh_missq_wake(struct mh_gpu *g, uint32_t sm, uint32_t tenant, uint64_t ready)
{
    struct mh_miss_queue *q = &g->missq->sm[sm];

    go_to(g, q, mh_noc_enter(g->noc, g->wheel.now));
    q->of[tenant].head_since = q->interval;
    wake_in(g, sm, mh_max64(ready, mh_noc_wire(g->noc, sm)));
}

void mh_missq_run(struct mh_gpu *g, uint32_t sm)
{
    struct mh_miss_queue *q = &g->missq->sm[sm];
    uint64_t cycle = mh_max64(mh_noc_enter(g->noc, g->wheel.now), mh_noc_wire(g->noc, sm));

    while (q->held && is_now(g, cycle)) {
        go_to(g, q, cycle);
        uint32_t tenant = first(g, sm, may_go, cycle);

        if (tenant != MH_NONE) {
            send(g, sm, tenant, cycle);
            cycle = mh_noc_wire(g->noc, sm);
        } else {
            cycle = next_of_all(g, q, cycle);
        }
    }
    if (q->held && cycle != UINT64_MAX)
        wake_in(g, sm, cycle);
}

void mh_missq_arbitrate(struct mh_gpu *g, uint32_t sm)
{
    struct mh_miss_queue *q = &g->missq->sm[sm];

    /* Another one was needed earlier, and saw to everything. */
    if (q->wakes_at != g->wheel.now)
        return;
    q->wakes_at = UINT64_MAX;
    mh_missq_run(g, sm);
}

/* --- Credits of banks that come back. */

static bool is_in_line(struct mh_gpu *g, uint32_t sm, uint32_t tenant, uint64_t bank)
{
    const struct mh_virtual_queue *v = &g->missq->sm[sm].of[tenant];

    return v->waiting && head_of(g, v)->bank == bank;
}

static bool can_take(struct mh_gpu *g, uint32_t sm, uint32_t tenant, uint64_t bank)
{
    return is_in_line(g, sm, tenant, bank) && can_pay(g, &g->missq->sm[sm], tenant);
}

void mh_missq_credit(struct mh_gpu *g, uint32_t port, uint32_t bank)
{
    struct mh_miss_queue *q = &g->missq->sm[port];

    go_to(g, q, mh_noc_enter(g->noc, g->wheel.now));
    uint32_t tenant = first(g, port, can_take, bank);

    if (tenant != MH_NONE) {
        (void)mh_noc_claim(g->noc, port, bank); /* there is one */
        pay(g, q, tenant);
    } else {
        tenant = first(g, port, is_in_line, bank);
    }
    MH_CHECK(tenant != MH_NONE);
    q->of[tenant].waiting = false;
    mh_missq_run(g, port);
}

/*
 * Which channel it was does not matter: heads of others find theirs taken again. The arbiter acts in the next NoC
 * cycle, the first in which a packet behind that one could cross.
 */
void mh_missq_place(struct mh_gpu *g, uint32_t sm, uint64_t cycle)
{
    struct mh_miss_queue *q = &g->missq->sm[sm];

    if (!q->held)
        return;
    for (uint32_t t = 0; t < g->tenants; t++)
        q->of[t].waiting = false;
    wake_in(g, sm, cycle + 1);
}
