#include "noc/noc.h"

#include "engine/gpu.h"
#include "noc/halves.h"
#include "noc/packet.h"

void mh_noc_release(struct mh_noc *n, uint32_t req)
{
    n->req[req].kind = MH_REQ_KINDS;
    n->req[req].next = n->free_req;
    n->free_req = req;
    n->live--;
}

#define IN_SEND static inline __attribute__((always_inline))

IN_SEND void cross(struct mh_gpu *g, struct mh_noc *n, struct mh_port *p, uint32_t req, uint64_t start, bool special)
{
    const struct mh_req *r = &n->req[req];
    uint32_t flits = n->request_flits[r->kind][r->sectors];

    if (special && n->halves) {
        mh_halves_there(g, n, req, start);
        return;
    }
    p->inject_free = start + flits;
    mh_packet_there(g, n, req, mh_noc_passes(n, r), start, flits, !special);
}

void mh_noc_launch(struct mh_gpu *g, uint32_t req, uint64_t start)
{
    struct mh_port *p = &g->noc->port[g->noc->req[req].port];

    MH_CHECK(!p->queue.count && p->inject_free <= start && mh_noc_starts(g->noc, start) == g->wheel.now);
    if (g->noc->inputs) {
        p->inject_free = start + 1;
        mh_inputs_push(g, MH_WAY_THERE, req);
    } else {
        cross(g, g->noc, p, req, start, true);
    }
}

/* False: the request has to wait, for its port's wire or for a credit of its bank. */
IN_SEND bool inject(struct mh_gpu *g, struct mh_noc *n, struct mh_port *p, uint32_t req, bool special)
{
    const struct mh_req *r = &n->req[req];
    struct mh_bank_port *b = &n->bank[r->bank];
    const bool passes = mh_noc_passes(n, r);

    /* With a faster clock of the NoC, a wire that is free in a later NoC cycle of this GPU cycle is free in time. */
    if (p->inject_free >= mh_packet_enters(n, g->wheel.now + 1, !special)) {
        p->inject_event = true;
        mh_wheel_add(&g->wheel, special ? mh_noc_starts(n, p->inject_free) : p->inject_free,
                     MH_EVENT(EV_INJECT, r->port));
        return false;
    }
    if (!b->credits && !passes) {
        p->waiting = true;
        mh_ring_push(&b->waiters, r->port);
        return false;
    }
    if (passes)
        n->passing++;
    else
        b->credits--;
    cross(g, n, p, req, mh_max64(mh_packet_enters(n, g->wheel.now, !special), p->inject_free), special);
    return true;
}

IN_SEND void inject_queue(struct mh_gpu *g, struct mh_noc *n, uint32_t port, bool special)
{
    struct mh_port *p = &n->port[port];

    p->inject_event = false;
    while (p->queue.count) {
        if (!inject(g, n, p, mh_ring_peek(&p->queue), special))
            return;
        mh_ring_pop(&p->queue);
        if (port < g->cfg.sm.count) /* its LSU may wait for a place in the queue */
            mh_sm_kick(g, port);
    }
}

static __attribute__((noinline)) void inject_special(struct mh_gpu *g, struct mh_noc *n, uint32_t port)
{
    inject_queue(g, n, port, true);
}

void mh_noc_inject(struct mh_gpu *g, uint32_t port)
{
    if (__builtin_expect(g->noc->special, 0))
        inject_special(g, g->noc, port);
    else
        inject_queue(g, g->noc, port, false);
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
IN_SEND void push(struct mh_gpu *g, struct mh_noc *n, uint32_t req, bool special)
{
    struct mh_port *p = &n->port[n->req[req].port];

    if (p->waiting || p->inject_event || !inject(g, n, p, req, special))
        mh_ring_push(&p->queue, req);
}

static __attribute__((noinline)) void push_special(struct mh_gpu *g, struct mh_noc *n, uint32_t req)
{
    if (n->inputs) {
        mh_inputs_push(g, MH_WAY_THERE, req);
        return;
    }
    if (n->halves)
        mh_halves_choose(n->halves, &n->req[req]);
    push(g, n, req, true);
}

void mh_noc_push(struct mh_gpu *g, uint32_t req)
{
    struct mh_noc *n = g->noc;

    MH_CHECK(mh_noc_room(n, n->req[req].port));
    find_bank(n, &n->req[req]);
    if (__builtin_expect(n->special, 0))
        push_special(g, n, req);
    else
        push(g, n, req, false);
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

static void reply_later(struct mh_gpu *g, uint32_t bank, uint32_t req, uint64_t cycle)
{
    g->noc->req[req].bank = (uint16_t)bank;
    g->noc->replies++;
    mh_wheel_add(&g->wheel, cycle, MH_EVENT(EV_REPLY, req));
}

/*
 * A reply that its bank's wire does not hold up leaves before any that is ready later. If no earlier one waits to leave
 * for the same port, its place on the port's wire is known now: that saves an event. One that is far waits.
 */
IN_SEND void reply(struct mh_gpu *g, struct mh_noc *n, uint32_t bank, uint32_t req, uint64_t cycle, bool special)
{
    struct mh_req *r = &n->req[req];
    struct mh_port *p = &n->port[r->port];
    uint32_t flits = n->reply_flits[r->kind][r->sectors];
    uint64_t ready = mh_packet_enters(n, cycle, !special);
    uint64_t end = mh_packet_wire(n, &n->bank[bank], mh_noc_passes(n, r), MH_WIRE_OUT, ready, flits);
    uint64_t start = end - flits;
    bool far = special && n->halves && mh_halves_far(n->halves, r);

    if (start == ready && !p->replies && !far && !may_be_passed(g, r)) {
        mh_packet_back(g, n, req, start, !special);
        return;
    }
    r->departs = (uint32_t)start;
    n->replies++;
    p->replies++;
    mh_wheel_add(&g->wheel, mh_packet_leaves(n, start, !special), MH_EVENT(EV_REPLY, req));
}

static __attribute__((noinline)) void reply_special(struct mh_gpu *g, uint32_t bank, uint32_t req, uint64_t cycle)
{
    if (g->noc->inputs)
        reply_later(g, bank, req, cycle);
    else
        reply(g, g->noc, bank, req, cycle, true);
}

void mh_noc_reply(struct mh_gpu *g, uint32_t bank, uint32_t req, uint64_t cycle)
{
    if (__builtin_expect(g->noc->special, 0))
        reply_special(g, bank, req, cycle);
    else
        reply(g, g->noc, bank, req, cycle, false);
}

IN_SEND void depart(struct mh_gpu *g, struct mh_noc *n, uint32_t req, bool special)
{
    n->replies--;
    n->port[n->req[req].port].replies--;
    mh_packet_back(g, n, req, mh_packet_departs(g, n, req, !special), !special);
}

static __attribute__((noinline)) void depart_special(struct mh_gpu *g, struct mh_noc *n, uint32_t req)
{
    if (n->inputs)
        mh_inputs_push(g, MH_WAY_BACK, req);
    else if (n->halves)
        mh_halves_back(g, n, req);
    else
        depart(g, n, req, true);
}

void mh_noc_depart(struct mh_gpu *g, uint32_t req)
{
    if (__builtin_expect(g->noc->special, 0))
        depart_special(g, g->noc, req);
    else
        depart(g, g->noc, req, false);
}

bool mh_noc_carries(const struct mh_noc *n, mh_line_test *test, const void *ctx)
{
    for (uint32_t i = 0; i < n->reqs; i++)
        if (n->req[i].kind < MH_REQ_PTE && test(ctx, n->req[i].line))
            return true;
    return false;
}
