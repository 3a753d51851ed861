#include "noc/halves.h"

#include "cache/l2.h"
#include "engine/gpu.h"
#include "noc/packet.h"

/* What crosses the link: a request from its port, a reply, or a request from a bank without a copy. */
enum mh_crossing { CROSSES_THERE, CROSSES_BACK, CROSSES_FORWARDED, CROSSINGS = 4 };

int mh_halves_init(struct mh_noc *n, const struct mh_config *cfg)
{
    const uint32_t far = cfg->l2.far_latency;

    if (cfg->l2.halves == 1)
        return 0;
    n->halves = calloc(1, sizeof *n->halves);
    if (!n->halves)
        return -1;
    n->halves->link_bytes = cfg->l2.link_bytes;
    n->halves->latency[MH_WAY_THERE] = (uint32_t)mh_ratio_ceil(&n->clock.to, far - far / 2);
    n->halves->latency[MH_WAY_BACK] = (uint32_t)mh_ratio_ceil(&n->clock.to, far / 2);
    n->halves->copies = cfg->l2.far == MH_FAR_COPY;
    n->halves->sms = cfg->sm.count;
    n->halves->first_sm = cfg->sm.count / 2;
    n->halves->first_bank = cfg->l2.banks / 2;
    return 0;
}

/* NoC cycle from which on a packet that comes to the link at `start` may go on. */
static uint64_t through_link(struct mh_halves *h, uint32_t from, uint64_t start, uint32_t flits, uint32_t bytes)
{
    const uint64_t rate = h->link_bytes;

    if (!rate)
        return start;
    const uint64_t first = mh_max64(start * rate, h->link[from]), cycles = (bytes + rate - 1) / rate;

    h->link[from] = first + bytes;
    return first / rate + (cycles > flits ? cycles - flits : 0);
}

static void cross_link(struct mh_gpu *g, struct mh_noc *n, uint32_t req, enum mh_crossing what, uint32_t flits,
                       uint64_t start)
{
    struct mh_halves *h = n->halves;
    struct mh_req *r = &n->req[req];
    const bool back = what == CROSSES_BACK;
    const uint32_t from = back ? mh_half_of_bank(h, r->bank) : mh_half_of_sm(h, r->port);
    uint32_t latency = h->latency[back ? MH_WAY_BACK : MH_WAY_THERE];

    /* It has crossed the crossbar once: mh_packet_wire() looks as far ahead for those that cross it now. */
    if (what == CROSSES_FORWARDED)
        latency -= mh_min32(latency, n->latency);
    const uint64_t at = through_link(h, from, start, flits, flits * n->flit_bytes) + latency;

    r->departs = (uint32_t)at;
    mh_wheel_add(&g->wheel, mh_noc_leave(n, at), MH_EVENT(EV_FAR, req * CROSSINGS + what));
}

void mh_halves_there(struct mh_gpu *g, struct mh_noc *n, uint32_t req, uint64_t start)
{
    const struct mh_req *r = &n->req[req];
    const uint32_t flits = n->request_flits[r->kind][r->sectors];

    n->port[r->port].inject_free = start + flits;
    if (!mh_halves_far(n->halves, r)) {
        mh_packet_there(g, n, req, mh_noc_passes(n, r), start, flits, false);
        return;
    }
    g->tenant[r->tenant].count.l2_far++;
    cross_link(g, n, req, CROSSES_THERE, flits, start);
}

static void arrive(struct mh_gpu *g, struct mh_noc *n, uint32_t req, uint64_t start)
{
    n->replies--;
    n->port[n->req[req].port].replies--;
    mh_packet_back(g, n, req, start, false);
}

void mh_halves_back(struct mh_gpu *g, struct mh_noc *n, uint32_t req)
{
    const struct mh_req *r = &n->req[req];
    const uint64_t start = mh_packet_departs(g, n, req, false);

    if (mh_halves_far(n->halves, r))
        cross_link(g, n, req, CROSSES_BACK, n->reply_flits[r->kind][r->sectors], start);
    else
        arrive(g, n, req, start);
}

void mh_noc_forward(struct mh_gpu *g, uint32_t req)
{
    struct mh_noc *n = g->noc;
    const struct mh_req *r = &n->req[req];

    n->passing++;
    g->tenant[r->tenant].count.l2_far++;
    cross_link(g, n, req, CROSSES_FORWARDED, n->request_flits[r->kind][r->sectors], mh_noc_enter(n, g->wheel.now));
}

void mh_noc_forwarded(struct mh_gpu *g)
{
    g->noc->passing--;
}

static void forwarded(struct mh_gpu *g, struct mh_noc *n, uint32_t req, uint64_t start)
{
    const struct mh_req *r = &n->req[req];
    const uint32_t flits = n->request_flits[r->kind][r->sectors];
    const uint64_t end = mh_packet_wire(n, &n->bank[r->bank], false, MH_WIRE_IN, start + n->latency, flits);

    mh_wheel_add(&g->wheel, mh_noc_leave(n, end - 1) + n->queue_latency, MH_EVENT(EV_L2_FORWARDED, req));
}

void mh_noc_far(struct mh_gpu *g, uint32_t payload)
{
    struct mh_noc *n = g->noc;
    const uint32_t req = payload / CROSSINGS;
    const struct mh_req *r = &n->req[req];
    const uint64_t start = mh_packet_departs(g, n, req, false);

    switch ((enum mh_crossing)(payload % CROSSINGS)) {
    case CROSSES_THERE:
        mh_packet_there(g, n, req, false, start, n->request_flits[r->kind][r->sectors], false);
        break;
    case CROSSES_FORWARDED:
        forwarded(g, n, req, start);
        break;
    default:
        if (n->halves->copies && r->kind == MH_REQ_READ)
            mh_l2_keep(g, req);
        arrive(g, n, req, start);
    }
}
