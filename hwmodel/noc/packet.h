/* What a packet does on wires, and when its last flit is there. Private to noc/. */
#ifndef MEMHELM_NOC_PACKET_H
#define MEMHELM_NOC_PACKET_H

#include "engine/ring.h"
#include "noc/noc.h"

/**
 * The request's tail reaches its bank in GPU cycle `at`: it is looked up when it has passed the pipeline there. As all
 * take as long, that keeps their order, and as many look-ups start in a cycle as tails come.
 */
static inline void mh_noc_look_up(struct mh_gpu *g, const struct mh_noc *n, uint32_t req, uint64_t at)
{
    if (n->req[req].bypass)
        mh_wheel_add(&g->wheel, at, MH_EVENT(EV_L2_BYPASS, req));
    else
        mh_wheel_add(&g->wheel, at + n->queue_latency, MH_EVENT(EV_L2, req));
}

/** The tail of the reply reaches its port in GPU cycle `at`; the request is given back. */
static inline __attribute__((always_inline)) void mh_noc_deliver(struct mh_gpu *g, struct mh_noc *n, uint32_t req,
                                                                 uint32_t flits, uint64_t at)
{
    const struct mh_req *r = &n->req[req];
    struct mh_counters *c = &g->tenant[r->tenant].count;

    if (r->kind == MH_REQ_READ) {
        c->reply_flits += flits;
        c->latency_l2 += (uint32_t)at - r->since;
        c->latency_reads++;
        c->dram_caused += r->caused;
        mh_l1d_reply(g, r->port, r->owner, r->sectors, at);
    } else if (r->kind == MH_REQ_PTE) {
        mh_wheel_add(&g->wheel, at, MH_EVENT(EV_PTE, r->owner));
    } else {
        c->dram_caused += r->caused;
        if (r->kind == MH_REQ_ATOMIC_READ)
            mh_l1d_result(g, r->owner, at);
        else
            mh_wheel_add(&g->wheel, at, MH_EVENT(EV_STORE_ACK, r->port));
    }
    mh_noc_release(n, req);
}

/* --- Queues at the outputs. `plain`: mh_noc.special is false, a constant. Then a NoC cycle is a GPU cycle. */

static inline uint64_t mh_packet_enters(const struct mh_noc *n, uint64_t gpu_cycle, bool plain)
{
    return plain ? gpu_cycle : mh_noc_enter(n, gpu_cycle);
}

static inline uint64_t mh_packet_leaves(const struct mh_noc *n, uint64_t noc_cycle, bool plain)
{
    return plain ? noc_cycle : mh_noc_leave(n, noc_cycle);
}

/** The bank's wire that is free first is taken by a packet that is ready at `ready`; when its last flit has left. */
static inline uint64_t mh_packet_wire(const struct mh_noc *n, struct mh_bank_port *b, bool passes,
                                      enum mh_wire direction, uint64_t ready, uint32_t flits)
{
    uint64_t *wire = passes ? &b->bypass_free[direction] : &b->free[0][direction];
    uint64_t end = mh_max64(ready, *wire) + flits;

    if (passes)
        *wire = end;
    else
        mh_ports_take(wire, n->wires, MH_WIRE_DIRECTIONS, end);
    return end;
}

/**
 * A request leaves for its bank in NoC cycle `start`. All packets take the same time from there, so the bank's wires
 * can be claimed here, in the order of arrival. One that waits for such a wire has left its port's: the credit is its
 * place at the bank. The look-up is when its tail is there.
 */
static inline void mh_packet_there(struct mh_gpu *g, struct mh_noc *n, uint32_t req, bool passes, uint64_t start,
                                   uint32_t flits, bool plain)
{
    const struct mh_req *r = &n->req[req];
    uint64_t end = mh_packet_wire(n, &n->bank[r->bank], passes, MH_WIRE_IN, start + n->latency, flits);

    mh_noc_look_up(g, n, req, mh_packet_leaves(n, end - 1, plain));
}

/**
 * A reply leaves for its port in NoC cycle `start`. All take the same time from there, so the port's wire is claimed in
 * the order in which they leave. Not before: one that waits in a busy bank would hold a place ahead of one that comes
 * earlier from another. Of those that leave in one GPU cycle the order is that in which their banks sent them.
 */
static inline __attribute__((always_inline)) void mh_packet_back(struct mh_gpu *g, struct mh_noc *n, uint32_t req,
                                                                 uint64_t start, bool plain)
{
    const struct mh_req *r = &n->req[req];
    struct mh_port *p = &n->port[r->port];
    uint32_t flits = n->reply_flits[r->kind][r->sectors];

    p->eject_free = mh_max64(start + n->latency, p->eject_free) + flits;
    mh_noc_deliver(g, n, req, flits, mh_packet_leaves(n, p->eject_free - 1, plain));
}

/** NoC cycle that a packet's lowest bits in `departs` mean: the last one that is seen in this GPU cycle. */
static inline uint64_t mh_packet_departs(const struct mh_gpu *g, const struct mh_noc *n, uint32_t req, bool plain)
{
    const uint64_t seen = plain ? g->wheel.now : mh_noc_seen(n, g->wheel.now);

    return seen - ((uint32_t)seen - n->req[req].departs);
}

#endif
