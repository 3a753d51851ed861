/* A crossbar: its ports, banks and requests. */
#include "noc/halves.h"
#include "noc/noc.h"

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
    n->special = cfg->noc.queues == MH_QUEUES_INPUT || cfg->l2.halves > 1 || n->clock.own;
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
