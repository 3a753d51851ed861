#include "noc/noc.h"

#include "engine/gpu.h"
#include "noc/halves.h"
#include "noc/packet.h"

static uint32_t walkers(const struct mh_config *cfg)
{
    return mh_config_walkers(cfg) * mh_config_walk_sets(cfg);
}

/* Requests exist in port queues, in bank queues (credits), and as reads, acknowledged stores, atomics with a result and
 * walks that wait for their reply. */
static uint32_t max_requests(const struct mh_config *cfg)
{
    uint32_t sectors = cfg->l1d.sector_bytes ? cfg->memory.line_bytes / cfg->l1d.sector_bytes : 1;
    uint32_t inputs = cfg->l1d.subqueues ? cfg->noc.vcs : 0; /* behind sub-queues, with queues at the inputs */
    uint32_t results = cfg->l2.atomics == MH_ATOMICS_BANK ? cfg->sm.pending : 0;
    uint32_t sm = cfg->l1d.miss_queue + inputs + cfg->l1d.mshrs * sectors + cfg->l1d.store_buffer + results;

    return cfg->sm.count * sm + cfg->l2.banks * mh_config_bank_places(cfg) + walkers(cfg);
}

static int init_requests(struct mh_noc *n, uint32_t count)
{
    n->req = mh_aligned_zeros(count * sizeof *n->req);
    n->reqs = n->req ? count : 0;
    for (uint32_t i = 0; n->req && i < count; i++)
        n->req[i] = (struct mh_req){.next = i + 1 < count ? i + 1 : MH_NONE, .kind = MH_REQ_KINDS};
    return n->req ? 0 : -1;
}

static void init_clock(struct mh_noc *n, const struct mh_config *cfg)
{
    n->clock = mh_clock(cfg->clock.noc_hz, cfg->clock.gpu_hz);
    /* Rounded up once, not at every packet: else a wire would lose cycles. */
    n->latency = (uint32_t)mh_ratio_ceil(&n->clock.to, cfg->noc.latency);
}

/* The sectors of a line behind a header; a page table entry of 8 bytes, one flit; an acknowledgement, none. */
static void init_flits(struct mh_noc *n)
{
    for (uint32_t s = 0; s < 1 << MH_MAX_SECTORS; s++) {
        uint32_t bytes = mh_bits(s) << MH_SECTOR_SHIFT;
        uint8_t data = (uint8_t)(1 + (bytes + n->flit_bytes - 1) / n->flit_bytes);

        n->request_flits[MH_REQ_READ][s] = n->request_flits[MH_REQ_PTE][s] = 1;
        n->request_flits[MH_REQ_WRITE][s] = n->request_flits[MH_REQ_ATOMIC][s] = data;
        n->request_flits[MH_REQ_ATOMIC_READ][s] = n->reply_flits[MH_REQ_ATOMIC_READ][s] = data;
        n->reply_flits[MH_REQ_READ][s] = data;
        n->reply_flits[MH_REQ_PTE][s] = 2;
        n->reply_flits[MH_REQ_WRITE][s] = n->reply_flits[MH_REQ_ATOMIC][s] = 1;
    }
}

int mh_noc_init(struct mh_noc *n, const struct mh_config *cfg)
{
    int bad;

    n->ports = cfg->sm.count + cfg->noc.walker_ports;
    n->banks = cfg->l2.banks;
    n->wires = cfg->l2.ports;
    mh_interleave_tenants(n->interleave, cfg);
    n->queue_latency = cfg->l2.queue_latency;
    n->places = mh_config_bank_places(cfg);
    n->bypass_wires = cfg->l2.bypass_wires && cfg->noc.queues != MH_QUEUES_INPUT;
    n->flit_bytes = cfg->noc.flit_bytes;
    init_clock(n, cfg);
    init_flits(n);
    n->acks = cfg->l1d.store_buffer != 0;
    n->special = cfg->noc.queues == MH_QUEUES_INPUT || cfg->l2.halves > 1;
    n->port = mh_aligned_zeros(n->ports * sizeof *n->port);
    n->bank = mh_aligned_zeros(n->banks * sizeof *n->bank);
    bad = !n->port || !n->bank || init_requests(n, max_requests(cfg)) || mh_halves_init(n, cfg);
    if (cfg->l2.sector_bytes)
        bad |= !(n->bytes = calloc(max_requests(cfg), sizeof *n->bytes));
    for (uint32_t i = 0; !bad && i < n->ports; i++)
        /* Each walker has a place at each port of theirs, so these never push back. */
        bad |= mh_ring_init(&n->port[i].queue, i < cfg->sm.count ? cfg->l1d.miss_queue : walkers(cfg));
    for (uint32_t b = 0; !bad && b < n->banks; b++) {
        n->bank[b].credits = n->places;
        /* A port in FIFO order waits once, one with sub-queues for each of its tenants. */
        bad |= mh_ring_init(&n->bank[b].waiters, cfg->l1d.subqueues ? n->ports * MH_MAX_TENANTS : n->ports);
    }
    return bad ? -1 : 0;
}

void mh_noc_free(struct mh_noc *n)
{
    for (uint32_t i = 0; n->port && i < n->ports; i++)
        mh_ring_free(&n->port[i].queue);
    for (uint32_t b = 0; n->bank && b < n->banks; b++)
        mh_ring_free(&n->bank[b].waiters);
    mh_inputs_free(n);
    free(n->halves);
    free(n->port);
    free(n->bank);
    free(n->req);
    free(n->bytes);
}

void mh_noc_release(struct mh_noc *n, uint32_t req)
{
    n->req[req].kind = MH_REQ_KINDS;
    n->req[req].next = n->free_req;
    n->free_req = req;
    n->live--;
}

#define IN_SEND static inline __attribute__((always_inline))

IN_SEND void cross(struct mh_gpu *g, struct mh_noc *n, struct mh_port *p, uint32_t req, bool passes, uint64_t start)
{
    const struct mh_req *r = &n->req[req];
    uint32_t flits = n->request_flits[r->kind][r->sectors];

    p->inject_free = start + flits;
    mh_packet_there(g, n, req, passes, start, flits);
}

IN_SEND void inject(struct mh_gpu *g, struct mh_noc *n, struct mh_port *p, uint32_t req, bool special)
{
    const bool passes = mh_noc_passes(n, &n->req[req]);

    if (passes)
        n->passing++;
    else
        n->bank[n->req[req].bank].credits--;
    uint64_t start = mh_max64(mh_noc_enter(n, g->wheel.now), p->inject_free);

    if (__builtin_expect(special, 0))
        mh_halves_there(g, n, req, start);
    else
        cross(g, n, p, req, passes, start);
}

void mh_noc_launch(struct mh_gpu *g, uint32_t req, uint64_t start)
{
    struct mh_port *p = &g->noc->port[g->noc->req[req].port];

    MH_CHECK(!p->queue.count && p->inject_free <= start && mh_noc_starts(g->noc, start) == g->wheel.now);
    if (g->noc->inputs) {
        p->inject_free = start + 1;
        mh_inputs_push(g, MH_WAY_THERE, req);
    } else if (g->noc->halves) {
        mh_halves_there(g, g->noc, req, start);
    } else {
        cross(g, g->noc, p, req, mh_noc_passes(g->noc, &g->noc->req[req]), start);
    }
}

/* False: the request has to wait, for its port's wire or for a credit of its bank. */
IN_SEND bool may_enter(struct mh_gpu *g, struct mh_noc *n, struct mh_port *p, const struct mh_req *r)
{
    struct mh_bank_port *b = &n->bank[r->bank];

    /* With a faster clock of the NoC, a wire that is free in a later NoC cycle of this GPU cycle is free in time. */
    if (p->inject_free >= mh_noc_enter(n, g->wheel.now + 1)) {
        p->inject_event = true;
        mh_wheel_add(&g->wheel, mh_noc_starts(n, p->inject_free), MH_EVENT(EV_INJECT, r->port));
        return false;
    }
    if (!b->credits && !mh_noc_passes(n, r)) {
        p->waiting = true;
        mh_ring_push(&b->waiters, r->port);
        return false;
    }
    return true;
}

void mh_noc_inject(struct mh_gpu *g, uint32_t port)
{
    struct mh_noc *n = g->noc;
    struct mh_port *p = &n->port[port];

    p->inject_event = false;
    while (p->queue.count) {
        uint32_t req = mh_ring_peek(&p->queue);

        if (!may_enter(g, n, p, &n->req[req]))
            return;
        mh_ring_pop(&p->queue);
        inject(g, n, p, req, n->special);
        if (port < g->cfg.sm.count) /* its LSU may wait for a place in the queue */
            mh_sm_kick(g, port);
    }
}

static inline void find_bank(const struct mh_noc *n, struct mh_req *r)
{
    r->bank = (uint16_t)mh_noc_bank(n, r->tenant, r->line);
}

void mh_noc_route(const struct mh_noc *n, uint32_t req)
{
    find_bank(n, &n->req[req]);
    if (n->halves)
        mh_halves_choose(n->halves, &n->req[req]);
}

/* A port that awaits neither an event nor a credit has an empty queue: the request may enter in this cycle. */
IN_SEND void enter(struct mh_gpu *g, struct mh_noc *n, struct mh_port *p, uint32_t req, bool special)
{
    if (!p->waiting && !p->inject_event && may_enter(g, n, p, &n->req[req]))
        inject(g, n, p, req, special);
    else
        mh_ring_push(&p->queue, req);
}

static __attribute__((noinline, cold)) void push_special(struct mh_gpu *g, struct mh_noc *n, struct mh_port *p,
                                                         uint32_t req)
{
    if (n->inputs) {
        mh_inputs_push(g, MH_WAY_THERE, req);
        return;
    }
    mh_halves_choose(n->halves, &n->req[req]);
    enter(g, n, p, req, true);
}

void mh_noc_push(struct mh_gpu *g, uint32_t req)
{
    struct mh_noc *n = g->noc;
    struct mh_port *p = &n->port[n->req[req].port];

    MH_CHECK(mh_noc_room(n, n->req[req].port));
    find_bank(n, &n->req[req]);
    if (__builtin_expect(n->special, 0))
        push_special(g, n, p, req);
    else
        enter(g, n, p, req, false);
}

uint32_t mh_noc_send(struct mh_gpu *g, const struct mh_req *req)
{
    uint32_t id = mh_noc_new(g->noc);

    g->req[id] = *req;
    mh_noc_push(g, id);
    return id;
}

/*
 * A port's own queue uses the credit at once: its wire was free when it began to wait, and nothing has left since.
 * Sub-queues may decline it.
 */
static __attribute__((noinline)) void offer_credit(struct mh_gpu *g, uint32_t bank)
{
    struct mh_noc *n = g->noc;
    struct mh_bank_port *b = &n->bank[bank];

    while (b->credits && b->waiters.count) {
        uint32_t port = mh_ring_pop(&b->waiters);

        if (n->port[port].waiting) {
            n->port[port].waiting = false;
            mh_noc_inject(g, port);
        } else {
            mh_missq_credit(g, port, bank);
        }
    }
}

void mh_noc_hold(struct mh_gpu *g, uint32_t bank)
{
    g->noc->bank[bank].credits--; /* wraps where the request's own is the only one out */
}

void mh_noc_credit(struct mh_gpu *g, uint32_t bank)
{
    struct mh_bank_port *b = &g->noc->bank[bank];

    b->credits++;
    MH_CHECK(b->credits <= g->noc->places);
    if (g->noc->inputs) {
        if (b->credits == 1)
            mh_inputs_credit(g, bank);
    } else if (b->waiters.count) {
        offer_credit(g, bank);
    }
}

void mh_noc_passed(struct mh_gpu *g, const struct mh_req *r)
{
    if (mh_noc_passes(g->noc, r))
        g->noc->passing--;
    else
        mh_noc_credit(g, r->bank);
}

bool mh_noc_claim(struct mh_noc *n, uint32_t port, uint32_t bank)
{
    struct mh_bank_port *b = &n->bank[bank];

    if (n->inputs)
        return mh_inputs_free_at(n->inputs, port, bank);
    if (b->credits) {
        b->credits--;
        return true;
    }
    mh_ring_push(&b->waiters, port);
    return false;
}

/* Replies past the cache are ready sooner after their bank has them than others: until it leaves, none knows its place
 * on the walkers' port. */
static inline bool may_be_passed(const struct mh_gpu *g, const struct mh_req *r)
{
    return g->noc->bypass_wires && g->knobs.l2_bypass && r->kind == MH_REQ_PTE;
}

static __attribute__((noinline)) void reply_later(struct mh_gpu *g, uint32_t bank, uint32_t req, uint64_t cycle)
{
    g->noc->req[req].bank = (uint16_t)bank;
    g->noc->replies++;
    mh_wheel_add(&g->wheel, cycle, MH_EVENT(EV_REPLY, req));
}

/*
 * A reply that its bank's wire does not hold up leaves before any that is ready later. If no earlier one waits to leave
 * for the same port, its place on the port's wire is known now: that saves an event. One that is `far` waits.
 */
static inline __attribute__((always_inline)) void reply(struct mh_gpu *g, struct mh_noc *n, uint32_t bank, uint32_t req,
                                                        uint64_t cycle, bool far)
{
    struct mh_req *r = &n->req[req];
    struct mh_port *p = &n->port[r->port];
    uint32_t flits = n->reply_flits[r->kind][r->sectors];
    uint64_t ready = mh_noc_enter(n, cycle);
    uint64_t end = mh_packet_wire(n, &n->bank[bank], mh_noc_passes(n, r), MH_WIRE_OUT, ready, flits);
    uint64_t start = end - flits;

    if (start == ready && !p->replies && !far && !may_be_passed(g, r)) {
        mh_packet_back(g, n, req, start);
        return;
    }
    r->departs = (uint32_t)start;
    n->replies++;
    p->replies++;
    mh_wheel_add(&g->wheel, mh_noc_leave(n, start), MH_EVENT(EV_REPLY, req));
}

static __attribute__((noinline, cold)) void reply_special(struct mh_gpu *g, struct mh_noc *n, uint32_t bank,
                                                          uint32_t req, uint64_t cycle)
{
    if (n->inputs)
        reply_later(g, bank, req, cycle);
    else
        reply(g, n, bank, req, cycle, mh_halves_far(n->halves, &n->req[req]));
}

void mh_noc_reply(struct mh_gpu *g, uint32_t bank, uint32_t req, uint64_t cycle)
{
    struct mh_noc *n = g->noc;

    if (__builtin_expect(n->special, 0))
        reply_special(g, n, bank, req, cycle);
    else
        reply(g, n, bank, req, cycle, false);
}

static __attribute__((noinline, cold)) void depart_special(struct mh_gpu *g, struct mh_noc *n, uint32_t req)
{
    if (n->inputs)
        mh_inputs_push(g, MH_WAY_BACK, req);
    else
        mh_halves_back(g, n, req);
}

void mh_noc_depart(struct mh_gpu *g, uint32_t req)
{
    struct mh_noc *n = g->noc;

    if (__builtin_expect(n->special, 0)) {
        depart_special(g, n, req);
        return;
    }
    n->replies--;
    n->port[n->req[req].port].replies--;
    mh_packet_back(g, n, req, mh_packet_departs(g, n, req));
}

bool mh_noc_carries(const struct mh_noc *n, mh_line_test *test, const void *ctx)
{
    for (uint32_t i = 0; i < n->reqs; i++)
        if (n->req[i].kind < MH_REQ_PTE && test(ctx, n->req[i].line))
            return true;
    return false;
}
