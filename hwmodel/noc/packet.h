/* What a packet does when its last flit is there, whichever way it crossed. Private to noc/. */
#ifndef MEMHELM_NOC_PACKET_H
#define MEMHELM_NOC_PACKET_H

#include "noc/noc.h"

/**
 * The request's tail reaches its bank in NoC cycle `tail`: it is looked up when it has passed the pipeline there. As
 * all take as long, that keeps their order, and as many look-ups start in a cycle as tails come.
 */
static inline void mh_noc_look_up(struct mh_gpu *g, const struct mh_noc *n, uint32_t req, uint64_t tail)
{
    uint64_t at = mh_noc_leave(n, tail);

    if (n->req[req].bypass)
        mh_wheel_add(&g->wheel, at, MH_EVENT(EV_L2_BYPASS, req));
    else
        mh_wheel_add(&g->wheel, at + n->queue_latency, MH_EVENT(EV_L2, req));
}

/** The tail of the reply reaches its port in NoC cycle `tail`; the request is given back. */
static inline __attribute__((always_inline)) void mh_noc_deliver(struct mh_gpu *g, struct mh_noc *n, uint32_t req,
                                                                 uint32_t flits, uint64_t tail)
{
    const struct mh_req *r = &n->req[req];
    struct mh_counters *c = &g->tenant[r->tenant].count;
    uint64_t at = mh_noc_leave(n, tail);

    if (r->kind == MH_REQ_READ) {
        c->reply_flits += flits;
        c->latency_l2 += (uint32_t)at - r->since;
        c->latency_reads++;
        c->dram_caused += r->caused;
        mh_l1d_reply(g, r->port, r->owner, r->sectors, at);
    } else if (r->kind == MH_REQ_WRITE || r->kind == MH_REQ_ATOMIC) {
        c->dram_caused += r->caused;
        mh_wheel_add(&g->wheel, at, MH_EVENT(EV_STORE_ACK, r->port));
    } else {
        mh_wheel_add(&g->wheel, at, MH_EVENT(EV_PTE, r->owner));
    }
    mh_noc_release(n, req);
}

#endif
