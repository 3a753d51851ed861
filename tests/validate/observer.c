#include "validate/observer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "script.h"

const char *const observed_names[OBSERVED] = {
    "LSU queue",  "L1 TLB MSHRs", "L2 TLB stalled", "L2 TLB MSHRs",        "walk buffer",
    "walkers",    "L1D MSHRs",    "miss queue",     "walkers' port queue", "L2 bank queue",
    "L2 stalled", "L2 requests",  "L2 MSHRs",       "DRAM read queue",     "DRAM write queue",
};

/* Requests that have entered the queues of the banks, by number: from `looked_up` on they are still there. */
struct arrivals {
    uint64_t entered, looked_up;
};

struct observer {
    struct mh_gpu *g;
    struct pool pool[OBSERVED];
    uint64_t *mark; /* by handle of the pool that is looked at: cycle + 1 at which it was free, or in a ring */
    bool *injected; /* by request: it has left its port's queue */
    struct arrivals arrivals;
    uint64_t lookups; /* of the L2, from its counters; valid once `looked` */
    bool looked;
    struct mh_counters start;
    uint64_t walks; /* sum of the gauges */
};

static void *allocate(size_t count, size_t size)
{
    void *p = calloc(count, size);

    if (!p) {
        fprintf(stderr, "observer: out of memory\n");
        abort();
    }
    return p;
}

static struct mh_counters sum_of_tenants(struct mh_gpu *g)
{
    struct mh_counters each[MH_MAX_TENANTS], sum = {0};

    mh_blocks_counters(g, each);
    for (uint32_t t = 0; t < g->tenants; t++)
        for (uint32_t i = 0; i < MH_COUNTERS; i++)
            ((uint64_t *)&sum)[i] += ((uint64_t *)&each[t])[i];
    return sum;
}

uint64_t observer_lookups(const struct mh_counters *c)
{
    return c->l2_access + pte_accesses(c).sum + c->pte_bypass;
}

static uint32_t request_capacity(const struct mh_gpu *g)
{
    uint32_t n = g->noc->live;

    for (uint32_t i = g->noc->free_req; i != MH_NONE; i = g->req[i].next)
        n++;
    return n;
}

static void init_pools(struct observer *o, uint32_t requests)
{
    const struct mh_config *c = &o->g->cfg;
    const uint32_t capacity[OBSERVED] = {
        [OBSERVED_LSU] = c->sm.count * o->g->sm[0].lsu_size,
        [OBSERVED_L1TLB_MSHR] = c->sm.count * c->l1tlb.mshrs,
        [OBSERVED_L2TLB_STALL] = c->sm.count * c->l1tlb.mshrs,
        [OBSERVED_L2TLB_MSHR] = c->l2tlb.mshrs,
        [OBSERVED_WALK_BUFFER] = c->l2tlb.mshrs,
        [OBSERVED_WALKERS] = c->l2tlb.mshrs,
        [OBSERVED_L1D_MSHR] = c->sm.count * c->l1d.mshrs,
        [OBSERVED_MISS_QUEUE] = requests,
        [OBSERVED_PTE_QUEUE] = requests,
        [OBSERVED_BANK_QUEUE] = requests,
        [OBSERVED_L2_STALL] = requests,
        [OBSERVED_REQUESTS] = requests,
        [OBSERVED_L2_MSHR] = c->l2.banks * c->l2.mshrs,
        [OBSERVED_DRAM_READ] = c->l2.banks * c->l2.mshrs,
        [OBSERVED_DRAM_WRITE] = c->dram.channels * (c->dram.queue > c->dram.normal ? c->dram.queue : c->dram.normal),
    };
    uint32_t largest = 0;

    for (int i = 0; i < OBSERVED; i++) {
        pool_init(&o->pool[i], capacity[i]);
        largest = capacity[i] > largest ? capacity[i] : largest;
    }
    o->mark = allocate(largest, sizeof *o->mark);
}

struct observer *observer_new(struct mh_gpu *g)
{
    struct observer *o = allocate(1, sizeof *o);
    uint32_t requests = request_capacity(g);

    o->g = g;
    init_pools(o, requests);
    o->injected = allocate(requests, sizeof *o->injected);
    observer_reset(o);
    return o;
}

void observer_free(struct observer *o)
{
    for (int i = 0; i < OBSERVED; i++)
        pool_free(&o->pool[i]);
    free(o->mark);
    free(o->injected);
    free(o);
}

void observer_reset(struct observer *o)
{
    for (int i = 0; i < OBSERVED; i++)
        pool_reset(&o->pool[i]);
    o->start = sum_of_tenants(o->g);
    o->walks = 0;
}

static struct pool *begin(struct observer *o, enum observed which)
{
    struct pool *p = &o->pool[which];

    pool_begin(p, mh_gpu_now(o->g));
    memset(o->mark, 0, p->capacity * sizeof *o->mark);
    return p;
}

/* --- SMs. */

/* A place of the ring is taken again in the cycle in which it is left: the key is what the instruction is about. */
static void look_at_lsus(struct observer *o)
{
    struct pool *p = begin(o, OBSERVED_LSU);
    uint64_t n = 0;

    for (uint32_t s = 0; s < o->g->cfg.sm.count; s++) {
        const struct mh_sm *sm = &o->g->sm[s];

        for (uint32_t i = 0; i < sm->lsu_count; i++) {
            uint32_t place = (sm->lsu_head + i) % sm->lsu_size;
            const struct mh_lsu_op *op = &sm->lsu[place];
            pool_see(p, s * sm->lsu_size + place,
                     (uint64_t)op->lines.at[0].line << 32 | op->lines.count << 20 | (uint32_t)op->use.warp << 8 |
                         op->use.slot);
        }
        n += sm->lsu_count;
    }
    pool_end(p, n);
}

static void look_at_tlb_mshrs(struct observer *o)
{
    struct pool *p = begin(o, OBSERVED_L1TLB_MSHR);
    uint32_t each = o->g->cfg.l1tlb.mshrs, n = p->capacity;

    for (uint32_t s = 0; s < o->g->cfg.sm.count; s++) {
        const struct mh_sm *sm = &o->g->sm[s];

        for (uint32_t m = sm->free_tlb_mshr; m != MH_NONE; m = sm->tlb_mshr[m].next_free, n--)
            o->mark[s * each + m] = 1;
        for (uint32_t m = 0; m < each; m++)
            if (!o->mark[s * each + m])
                pool_see(p, s * each + m, sm->tlb_mshr[m].key);
    }
    pool_end(p, n);
}

static void look_at_l1d_mshrs(struct observer *o)
{
    struct pool *p = begin(o, OBSERVED_L1D_MSHR);
    uint32_t each = o->g->cfg.l1d.mshrs, n = p->capacity;

    for (uint32_t s = 0; s < o->g->cfg.sm.count; s++) {
        const struct mh_sm *sm = &o->g->sm[s];

        for (uint32_t m = sm->free_l1_mshr; m != MH_NONE; m = sm->l1_mshr[m].next_free, n--)
            o->mark[s * each + m] = 1;
        for (uint32_t m = 0; m < each; m++)
            if (!o->mark[s * each + m])
                pool_see(p, s * each + m, sm->l1_mshr[m].line);
    }
    pool_end(p, n);
}

/* --- Translation. */

static void look_at_ring(struct pool *p, const struct mh_ring *r, const uint32_t *key, size_t stride)
{
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t handle = r->item[(r->head + i) & r->mask];
        pool_see(p, handle, key ? *(const uint32_t *)((const char *)key + handle * stride) : 0);
    }
}

static void look_at_l2tlb(struct observer *o)
{
    const struct mh_l2tlb *t = o->g->l2tlb;
    struct pool *p = begin(o, OBSERVED_L2TLB_STALL);

    for (uint32_t i = 0; i < t->tenants; i++)
        look_at_ring(p, &t->lane[i].stalled, NULL, 0);
    pool_end(p, t->stalled);
    p = begin(o, OBSERVED_L2TLB_MSHR);
    uint32_t n = p->capacity;
    for (uint32_t w = t->free_walk; w != MH_NONE; w = t->walk[w].next_free, n--)
        o->mark[w] = 1;
    for (uint32_t w = 0; w < p->capacity; w++)
        if (!o->mark[w])
            pool_see(p, w, t->walk[w].key);
    pool_end(p, n);
}

/* An MSHR in front of an IOMMU has begun to walk once it has a depth, and is done when it has its translation. */
static bool walking(const struct mh_walk *w, bool iommu)
{
    return !iommu || (w->depth && !w->ppn);
}

/* Of the MSHRs just seen, those that walk and do not wait for a walker have one. */
static void look_at_walks(struct observer *o)
{
    const struct mh_l2tlb *t = o->g->l2tlb;
    const struct pool *mshrs = &o->pool[OBSERVED_L2TLB_MSHR];
    const struct mh_walk_queue *waiting = &o->g->walkers[0].waiting;
    struct pool *p = begin(o, OBSERVED_WALK_BUFFER);

    for (uint32_t w = waiting->oldest; w != MH_NO_WALK; w = t->walk[w].younger)
        pool_see(p, w, t->walk[w].key);
    pool_end(p, waiting->count);
    p = begin(o, OBSERVED_WALKERS);
    for (uint32_t i = 0; i < mshrs->count; i++) {
        uint32_t w = mshrs->present[i];
        if (!t->walk[w].waits && walking(&t->walk[w], o->g->cfg.iommu.l1_entries))
            pool_see(p, w, t->walk[w].key);
    }
    pool_end(p, mh_config_walkers(&o->g->cfg) - o->g->walkers[0].idle);
    for (uint32_t i = 0; i < o->g->tenants; i++)
        o->walks += o->g->tenant[i].count.walks_live;
}

/* --- Requests to the L2. */

/* noc.queues: input. Lists. */
static void look_at_inputs(struct pool *p, const struct mh_noc *n, uint32_t port)
{
    for (uint32_t vc = 0; vc < n->inputs->crossbar[MH_WAY_THERE].shape.vcs; vc++)
        for (uint32_t r = mh_inputs_head(n->inputs, MH_WAY_THERE, port, vc); r != MH_NONE; r = n->req[r].next)
            pool_see(p, r, n->req[r].line);
}

static void look_at_ports(struct observer *o)
{
    const struct mh_noc *n = o->g->noc;
    uint32_t sms = o->g->cfg.sm.count;

    for (uint32_t walkers = 0; walkers < 2; walkers++) {
        struct pool *p = begin(o, walkers ? OBSERVED_PTE_QUEUE : OBSERVED_MISS_QUEUE);
        uint64_t count = 0;

        for (uint32_t i = walkers ? sms : 0; i < (walkers ? n->ports : sms); i++) {
            look_at_ring(p, &n->port[i].queue, &n->req->line, sizeof *n->req);
            if (n->inputs)
                look_at_inputs(p, n, i);
            count += mh_noc_waiting(n, i);
        }
        pool_end(p, count);
    }
}

/* A request that is alive and in no port's queue for the first time has just been injected. */
static void look_at_requests(struct observer *o)
{
    const struct mh_noc *n = o->g->noc;
    struct pool *p = begin(o, OBSERVED_REQUESTS);

    for (uint32_t r = n->free_req; r != MH_NONE; r = n->req[r].next)
        o->mark[r] = 1;
    for (uint32_t r = 0; r < p->capacity; r++) {
        const struct mh_req *q = &n->req[r];

        if (o->mark[r])
            continue;
        if (pool_see(p, r, (uint64_t)q->line << 32 | q->owner << 16 | (uint32_t)q->kind << 12 | q->port))
            o->injected[r] = false;
        const struct pool *queue = &o->pool[q->port < o->g->cfg.sm.count ? OBSERVED_MISS_QUEUE : OBSERVED_PTE_QUEUE];
        if (o->injected[r] || queue->entry[r].seen == p->now + 1)
            continue;
        o->injected[r] = true;
        o->arrivals.entered++;
    }
    pool_end(p, n->live);
}

/*
 * A bank's counters say that it has looked one up, or passed it on to DRAM; which one does not matter to the mean, so
 * the oldest is taken. Of the requests that were there before the first look, only so many were on their way to a bank
 * as there are credits out, or pass the cache without one; the others were on their way back.
 */
static void look_at_banks(struct observer *o)
{
    struct mh_counters now = sum_of_tenants(o->g);
    struct pool *p = begin(o, OBSERVED_BANK_QUEUE);
    struct arrivals *a = &o->arrivals;
    uint32_t waiting = o->g->noc->passing;

    for (uint32_t b = 0; b < o->g->noc->banks; b++)
        waiting += o->g->noc->places - o->g->noc->bank[b].credits;
    a->looked_up = o->looked ? a->looked_up + observer_lookups(&now) - o->lookups : a->entered - waiting;
    o->looked = true;
    o->lookups = observer_lookups(&now);
    for (uint64_t i = a->looked_up; i < a->entered; i++)
        pool_see(p, (uint32_t)(i % p->capacity), i);
    pool_end(p, waiting);
}

/* Past the L2 a line is read again and again, so an MSHR may be taken for it in the cycle in which it left it. */
static void look_at_l2(struct observer *o)
{
    const struct mh_l2 *l2 = o->g->l2;
    struct pool *p = begin(o, OBSERVED_L2_STALL);
    uint64_t stalled = 0;

    for (uint32_t b = 0; b < l2->banks; b++) {
        look_at_ring(p, &l2->bank[b].stalled, &o->g->req->line, sizeof *o->g->req);
        stalled += l2->bank[b].stalled.count;
    }
    pool_end(p, stalled);
    p = begin(o, OBSERVED_L2_MSHR);
    uint32_t n = p->capacity;
    for (uint32_t b = 0; b < l2->banks; b++) {
        const struct mh_l2_bank *bank = &l2->bank[b];

        for (uint32_t m = bank->free_mshr; m != MH_NONE; m = bank->mshr[m].next_free, n--)
            o->mark[b * l2->mshrs + m] = 1;
        for (uint32_t m = 0; m < l2->mshrs; m++)
            if (!o->mark[b * l2->mshrs + m])
                pool_see(p, b * l2->mshrs + m, (uint64_t)bank->mshr[m].line << 32 | (uint32_t)bank->mshr[m].since);
    }
    pool_end(p, n);
}

/* --- All of it. */

void observer_run(struct observer *o, uint64_t until)
{
    while (mh_gpu_now(o->g) < until) {
        mh_gpu_advance(o->g, mh_gpu_now(o->g) + 1);
        look_at_lsus(o);
        look_at_tlb_mshrs(o);
        look_at_l1d_mshrs(o);
        look_at_l2tlb(o);
        look_at_walks(o);
        look_at_ports(o);
        look_at_requests(o);
        look_at_banks(o);
        look_at_l2(o);
        observer_look_at_dram(o->g, &o->pool[OBSERVED_DRAM_READ], &o->pool[OBSERVED_DRAM_WRITE]);
    }
}

/* --- What was seen. */

const struct pool *observer_pool(const struct observer *o, enum observed which)
{
    return &o->pool[which];
}

struct mh_counters observer_counters(const struct observer *o)
{
    struct mh_counters c = sum_of_tenants(o->g);

    for (uint32_t i = 0; i < MH_COUNTERS; i++)
        ((uint64_t *)&c)[i] -= ((const uint64_t *)&o->start)[i];
    return c;
}

double observer_walks(const struct observer *o)
{
    return (double)o->walks / (double)o->pool[0].samples;
}
