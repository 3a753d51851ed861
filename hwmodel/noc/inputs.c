#include "noc/inputs.h"

#include <stdlib.h>

#include "engine/request.h"
#include "noc/packet.h"

static uint32_t input_of(enum mh_way way, const struct mh_req *r)
{
    return way == MH_WAY_THERE ? r->port : r->bank;
}

static uint32_t output_of(enum mh_way way, const struct mh_req *r)
{
    return way == MH_WAY_THERE ? r->bank : r->port;
}

static uint32_t flits_of(const struct mh_noc *n, enum mh_way way, const struct mh_req *r)
{
    return way == MH_WAY_THERE ? n->request_flits[r->kind][r->sectors] : n->reply_flits[r->kind][r->sectors];
}

static struct mh_fifo *fifo_of(struct mh_inputs *in, enum mh_way way, uint32_t input, uint32_t output)
{
    const struct mh_crossbar *x = &in->crossbar[way];

    return &in->fifo[way][input * x->shape.vcs + mh_crossbar_vc(x, output)];
}

/* The head of a queue that is not empty may cross from this NoC cycle on. */
static void offer(struct mh_noc *n, enum mh_way way, uint32_t req, uint64_t cycle)
{
    const struct mh_req *r = &n->req[req];

    mh_crossbar_offer(&n->inputs->crossbar[way], input_of(way, r), output_of(way, r), flits_of(n, way, r), cycle);
}

void mh_inputs_push(struct mh_gpu *g, enum mh_way way, uint32_t req)
{
    struct mh_noc *n = g->noc;
    struct mh_req *r = &n->req[req];
    struct mh_fifo *f = fifo_of(n->inputs, way, input_of(way, r), output_of(way, r));
    bool first = f->head == MH_NONE;

    r->next = MH_NONE;
    if (first)
        f->head = req;
    else
        n->req[f->tail].next = req;
    f->tail = req;
    if (way == MH_WAY_THERE)
        n->inputs->waiting[r->port]++;
    if (first)
        offer(n, way, req, mh_noc_enter(n, g->wheel.now));
}

/* The head that begins to cross; the next one becomes the head. */
static uint32_t pop(struct mh_noc *n, enum mh_way way, uint32_t input, uint32_t output, uint64_t cycle)
{
    struct mh_fifo *f = fifo_of(n->inputs, way, input, output);
    uint32_t req = f->head;

    MH_CHECK(input_of(way, &n->req[req]) == input && output_of(way, &n->req[req]) == output);
    f->head = n->req[req].next;
    if (f->head != MH_NONE)
        offer(n, way, f->head, cycle);
    return req;
}

static void start_request(void *owner, uint32_t port, uint32_t bank, uint64_t cycle)
{
    struct mh_gpu *g = owner;
    struct mh_noc *n = g->noc;
    uint32_t req = pop(n, MH_WAY_THERE, port, bank, cycle);
    const struct mh_req *r = &n->req[req];
    uint64_t tail = cycle + n->latency + flits_of(n, MH_WAY_THERE, r) - 1;

    n->inputs->waiting[port]--;
    if (!--n->bank[bank].credits)
        mh_crossbar_open(&n->inputs->crossbar[MH_WAY_THERE], bank, false, cycle);
    mh_noc_look_up(g, n, req, mh_noc_leave(n, tail));
    if (port < g->cfg.sm.count) /* its LSU may wait for a place in the queue */
        mh_sm_kick(g, port);
    if (g->subqueues && port < g->cfg.sm.count)
        mh_missq_place(g, port, cycle);
}

static void start_reply(void *owner, uint32_t bank, uint32_t port, uint64_t cycle)
{
    struct mh_gpu *g = owner;
    struct mh_noc *n = g->noc;
    uint32_t req = pop(n, MH_WAY_BACK, bank, port, cycle), flits = flits_of(n, MH_WAY_BACK, &n->req[req]);

    n->replies--;
    mh_noc_deliver(g, n, req, flits, mh_noc_leave(n, cycle + n->latency + flits - 1));
}

static void wake(struct mh_gpu *g, enum mh_way way, uint64_t cycle)
{
    mh_wheel_add(&g->wheel, mh_noc_leave(g->noc, cycle), MH_EVENT(EV_CROSS, way));
}

static void wake_there(void *owner, uint64_t cycle)
{
    wake(owner, MH_WAY_THERE, cycle);
}

static void wake_back(void *owner, uint64_t cycle)
{
    wake(owner, MH_WAY_BACK, cycle);
}

static const struct mh_crossbar_user users[MH_WAYS] = {{start_request, wake_there}, {start_reply, wake_back}};

void mh_noc_cross(struct mh_gpu *g, uint32_t way)
{
    mh_crossbar_run(&g->noc->inputs->crossbar[way], mh_noc_seen(g->noc, g->wheel.now));
}

void mh_inputs_credit(struct mh_gpu *g, uint32_t bank)
{
    mh_crossbar_open(&g->noc->inputs->crossbar[MH_WAY_THERE], bank, true, mh_noc_enter(g->noc, g->wheel.now));
}

static int init_way(struct mh_inputs *in, enum mh_way way, const struct mh_crossbar_shape *shape, struct mh_gpu *g)
{
    uint32_t queues = shape->inputs * shape->vcs;

    in->fifo[way] = malloc(queues * sizeof *in->fifo[way]);
    for (uint32_t q = 0; in->fifo[way] && q < queues; q++)
        in->fifo[way][q].head = MH_NONE;
    return mh_crossbar_init(&in->crossbar[way], shape, &users[way], g) || !in->fifo[way] ? -1 : 0;
}

int mh_inputs_init(struct mh_gpu *g, struct mh_noc *n)
{
    struct mh_crossbar_shape shape = {.vcs = g->cfg.noc.vcs, .speedup = g->cfg.noc.input_speedup};
    struct mh_crossbar_shape there = shape, back = shape;

    there.inputs = back.outputs = n->ports;
    there.outputs = back.inputs = n->banks;
    there.input_wires = back.output_wires = 1;
    there.output_wires = back.input_wires = n->wires;
    n->inputs = calloc(1, sizeof *n->inputs);
    if (!n->inputs)
        return -1;
    n->inputs->waiting = calloc(n->ports, sizeof *n->inputs->waiting);
    if (init_way(n->inputs, MH_WAY_THERE, &there, g) || init_way(n->inputs, MH_WAY_BACK, &back, g))
        return -1;
    return n->inputs->waiting ? 0 : -1;
}

void mh_inputs_free(struct mh_noc *n)
{
    for (uint32_t way = 0; n->inputs && way < MH_WAYS; way++) {
        mh_crossbar_free(&n->inputs->crossbar[way]);
        free(n->inputs->fifo[way]);
    }
    if (n->inputs)
        free(n->inputs->waiting);
    free(n->inputs);
}

int mh_inputs_find(const struct mh_noc *n, enum mh_way way, uint32_t input, const struct mh_wanted *w)
{
    uint32_t vcs = n->inputs->crossbar[way].shape.vcs;

    for (uint32_t vc = 0; vc < vcs; vc++)
        for (uint32_t r = mh_inputs_head(n->inputs, way, input, vc); r != MH_NONE; r = n->req[r].next)
            if (mh_is_wanted(&n->req[r], w))
                return (int)vc;
    return -1;
}

#ifdef MH_DEBUG
/* Each head has been offered, and what waits behind it is of its input and queue. */
static uint32_t check_queue(const struct mh_noc *n, enum mh_way way, uint32_t input, uint32_t vc)
{
    const struct mh_crossbar *x = &n->inputs->crossbar[way];
    uint32_t count = 0, head = mh_inputs_head(n->inputs, way, input, vc);

    for (uint32_t r = head; r != MH_NONE; r = n->req[r].next, count++) {
        const struct mh_req *q = &n->req[r];

        MH_CHECK(q->kind < MH_REQ_KINDS && input_of(way, q) == input && count < n->reqs);
        MH_CHECK(mh_crossbar_vc(x, output_of(way, q)) == vc);
        MH_CHECK(mh_crossbar_offered(x, input, output_of(way, q)) || r != head);
    }
    return count;
}

static void check_way(const struct mh_noc *n, enum mh_way way)
{
    const struct mh_crossbar *x = &n->inputs->crossbar[way];
    uint32_t heads = 0, all = 0;

    for (uint32_t i = 0; i < x->shape.inputs; i++) {
        uint32_t before = all;

        for (uint32_t vc = 0; vc < x->shape.vcs; vc++) {
            uint32_t count = check_queue(n, way, i, vc);

            heads += count != 0;
            all += count;
        }
        MH_CHECK(way == MH_WAY_BACK || all - before == n->inputs->waiting[i]);
    }
    MH_CHECK(heads == mh_crossbar_check(x));
    MH_CHECK(way == MH_WAY_THERE || all <= n->replies); /* the others are not ready */
}

void mh_inputs_check(const struct mh_noc *n)
{
    for (uint32_t way = 0; way < MH_WAYS; way++)
        check_way(n, way);
    for (uint32_t b = 0; b < n->banks; b++)
        MH_CHECK(mh_crossbar_closed(&n->inputs->crossbar[MH_WAY_THERE], b) == !n->bank[b].credits);
}
#endif
