#include "missq/missq.h"

#include "noc/noc.h"

/*
 * Places per tenant, and the requests in them. A queued request keeps its place. When shares change, a tenant
 * above its new share takes no place until it is below; all together never hold more than l1d.miss_queue.
 */

static bool is_empty(const struct mh_gpu *g, uint32_t sm)
{
    return !g->missq->sm[sm].held && mh_noc_idle(g->noc, sm);
}

bool mh_missq_full(const struct mh_gpu *g, uint32_t sm, uint32_t tenant)
{
    const struct mh_miss_queue *q = &g->missq->sm[sm];

    if (q->divided != g->knobs.miss_queues)
        return !is_empty(g, sm);
    if (!q->divided)
        return !mh_noc_room(g->noc, sm);
    return q->of[tenant].count == q->of[tenant].limit || q->held == g->cfg.l1d.miss_queue;
}

/* The port's own queue is open while the order is its own, and stays so. */
void mh_missq_open(struct mh_gpu *g, uint32_t sm)
{
    bool shut = g->missq->sm[sm].divided || g->knobs.miss_queues;

    mh_noc_set_places(g->noc, sm, shut ? 0 : g->cfg.l1d.miss_queue);
}

/* Between the two orders the queue is empty: no request of the one passes those of the other. */
bool mh_missq_room(struct mh_gpu *g, uint32_t sm, uint32_t tenant)
{
    struct mh_miss_queue *q = &g->missq->sm[sm];

    if (q->divided != g->knobs.miss_queues && is_empty(g, sm)) {
        q->divided = g->knobs.miss_queues;
        mh_missq_open(g, sm);
    }
    return !mh_missq_full(g, sm, tenant);
}

static void append(struct mh_gpu *g, struct mh_virtual_queue *v, uint32_t req)
{
    if (v->count++)
        g->req[v->tail].next = req;
    else
        v->head = req;
    v->tail = req;
}

/* The arbiter's latency is from here to the first cycle in which the request may enter the crossbar. */
void mh_missq_push(struct mh_gpu *g, uint32_t id)
{
    struct mh_req *req = &g->req[id];
    struct mh_miss_queue *q = &g->missq->sm[req->port];
    struct mh_virtual_queue *v = &q->of[req->tenant];

    if (!q->divided) {
        mh_noc_push(g, id);
        return;
    }
    uint64_t ready = mh_noc_enter(g->noc, g->wheel.now) + g->cfg.l1d.arbiter;

    mh_noc_route(g->noc, id);
    req->ready = (uint32_t)ready;
    append(g, v, id);
    q->held++;
    MH_CHECK(v->count <= v->limit && q->held <= g->cfg.l1d.miss_queue);
    if (v->count == 1)
        mh_missq_wake(g, req->port, req->tenant, ready);
}

/* --- Shares. */

/* One that has left counts until nothing of it is in an LSU any more: what is there still needs places. */
static bool has_share(const struct mh_gpu *g, uint32_t sm, uint32_t tenant)
{
    const struct mh_tenant_cfg *c = &g->cfg.tenants[tenant];
    const struct mh_tenant *t = &g->tenant[tenant];

    return (t->presence == MH_PRESENT || t->draining) && sm - c->sm_first < c->sm_count;
}

static void give_share(struct mh_virtual_queue *v, uint32_t share)
{
    v->share = share;
    v->limit = v->count > share ? v->count : share;
}

/* Left-over sub-queues go to the lowest tenants, one each: 8 for 3 tenants are 3, 3 and 2. */
static void divide_shared(struct mh_gpu *g, uint32_t sm)
{
    const uint32_t entries = g->cfg.l1d.miss_queue / g->cfg.l1d.subqueues;
    uint32_t there = 0, i = 0;

    for (uint32_t t = 0; t < g->tenants; t++)
        there += has_share(g, sm, t);
    for (uint32_t t = 0; t < g->tenants; t++) {
        uint32_t part = has_share(g, sm, t) ? mh_config_part(g->cfg.l1d.subqueues, there, i++) : 0;

        give_share(&g->missq->sm[sm].of[t], part * entries);
    }
}

/* Where tenants have SMs of their own the SM's present tenant has all of it: SM_ROOT waits until the queue is
 * empty. */
void mh_missq_divide(struct mh_gpu *g)
{
    for (uint32_t sm = 0; g->subqueues && sm < g->cfg.sm.count; sm++) {
        if (g->shared_sms)
            divide_shared(g, sm);
        for (uint32_t t = 0; t < g->tenants && !g->shared_sms; t++)
            give_share(&g->missq->sm[sm].of[t], g->cfg.l1d.miss_queue);
        mh_sm_kick(g, sm);
    }
}

uint32_t mh_missq_held(const struct mh_gpu *g)
{
    uint32_t held = 0;

    for (uint32_t sm = 0; g->subqueues && sm < g->cfg.sm.count; sm++) {
        held += g->missq->sm[sm].held;
        for (uint32_t t = 0; t < g->tenants; t++)
            held -= g->missq->sm[sm].of[t].paid;
    }
    return held;
}

/* With the lowest ISSUE_RATE, 1/256 of a request, in cycles of the slower clock. */
uint64_t mh_missq_longest_wait(const struct mh_config *cfg)
{
    uint64_t gpu = cfg->clock.gpu_hz, noc = cfg->clock.noc_hz ? cfg->clock.noc_hz : gpu;
    uint64_t cycles = (uint64_t)MH_RATE_ONE * cfg->l1d.rate_interval;

    if (!cfg->l1d.subqueues)
        return 0;
    return cfg->l1d.rate_clock == MH_RATE_NOC ? cycles * gpu / noc + 1 : cycles;
}
