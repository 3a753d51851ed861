/*
 * Requests sent into the crossbar by hand, past SMs and walkers, for the tests of crossbar and L2: for lines, or for
 * sectors of a line if the L2 has them. The GPU runs one sleeping warp per tenant; SM i sends for tenant i modulo the
 * tenants.
 */
#ifndef TESTS_REQUESTS_H
#define TESTS_REQUESTS_H

#include <string.h>

#include "script.h"

enum { SLEEP = 2000000000, BUFFER_PAGES = 256, ALL_SECTORS = 15 };

/** A GPU in which nothing moves by itself, with BUFFER_PAGES pages mapped at SCRIPT_BASE for each tenant. */
static inline struct mh_gpu *sleeping_gpu(const struct mh_config *cfg)
{
    struct script *s[MH_MAX_TENANTS];
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        s[t] = script_paged(BUFFER_PAGES, 1);
        script_add(s[t], 0, 0, 0, op_after(SLEEP, op_exit()));
    }
    struct mh_gpu *g = script_gpu(cfg, s);
    mh_gpu_advance(g, 1);
    return g;
}

/** One whose banks have `ports` wires each way, and credits enough for them all. */
static inline struct mh_gpu *wired_gpu(uint32_t sms, uint32_t ports)
{
    struct mh_config cfg = script_config(sms, 1);
    cfg.l2.ports = ports;
    cfg.noc.bank_queue = 8 * cfg.noc.latency;
    return sleeping_gpu(&cfg);
}

/** The n-th physical line of the tenant's buffer that belongs to this L2 bank. */
static inline uint32_t bank_line(const struct mh_gpu *g, uint32_t tenant, uint32_t bank, uint32_t n)
{
    for (uint64_t i = 0;; i++) {
        uint32_t line = script_line(g, tenant, SCRIPT_BASE + i * MH_LINE_BYTES);
        if (mh_noc_bank(g->noc, tenant, line) == bank && !n--)
            return line;
    }
}

static inline struct mh_req request_of(const struct mh_gpu *g, uint32_t sm, enum mh_req_kind kind, uint32_t line)
{
    return (struct mh_req){.line = line,
                           .port = (uint16_t)sm,
                           .kind = (uint8_t)kind,
                           .tenant = (uint8_t)(sm % g->tenants),
                           .sectors = ALL_SECTORS,
                           .full = true,
                           .since = (uint32_t)mh_gpu_now(g)};
}

/** Queues a copy of the request at its port, where there must be room; returns it. */
static inline uint32_t send_request(struct mh_gpu *g, const struct mh_req *r)
{
    uint32_t id = mh_noc_new(g->noc);
    g->req[id] = *r;
    mh_noc_push(g, id);
    return id;
}

/** A write of a whole line, or an atomic: no load waits for it. */
static inline void send_write(struct mh_gpu *g, uint32_t sm, enum mh_req_kind kind, uint32_t line, bool full)
{
    struct mh_req r = request_of(g, sm, kind, line);
    r.full = full;
    send_request(g, &r);
}

/** A read, with an L1D MSHR that has no load behind it. */
static inline struct mh_req read_of(struct mh_gpu *g, uint32_t sm_id, uint32_t line)
{
    struct mh_sm *sm = &g->sm[sm_id];
    struct mh_req r = request_of(g, sm_id, MH_REQ_READ, line);
    r.owner = sm->free_l1_mshr;
    sm->free_l1_mshr = sm->l1_mshr[r.owner].next_free;
    sm->l1_mshr[r.owner] = (struct mh_l1_mshr){.line = line, .head = MH_NONE, .asked = ALL_SECTORS};
    mh_index_put(&sm->l1_index, line, r.owner);
    return r;
}

static inline void send_read(struct mh_gpu *g, uint32_t sm, uint32_t line)
{
    struct mh_req r = read_of(g, sm, line);
    send_request(g, &r);
}

/** The request as if a bank had looked it up and given back its credit: ready for mh_noc_reply(). */
static inline uint32_t looked_up(struct mh_gpu *g, struct mh_req r)
{
    uint32_t id = g->noc->free_req;
    g->noc->free_req = g->req[id].next;
    g->noc->live++;
    g->req[id] = r;
    return id;
}

/** Advances to the cycle at which the line that the SM reads is in its L1D. */
static inline uint64_t arrival(struct mh_gpu *g, uint32_t sm, uint32_t line)
{
    while (mh_index_find(&g->sm[sm].l1_index, line) >= 0)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    return mh_gpu_now(g);
}

/** Reads a line and waits until it is in the L1D; returns the cycles it took. */
static inline uint64_t timed_read(struct mh_gpu *g, uint32_t sm, uint32_t line)
{
    uint64_t start = mh_gpu_now(g);
    send_read(g, sm, line);
    return arrival(g, sm, line) - start;
}

/** Preset `mask` as script_config() has it, with bursts and sectors of 32 bytes. */
static inline struct mh_config sector_config(uint32_t sms, const char *partial_stores)
{
    struct mh_config cfg = script_config(sms, 1);

    cfg.dram.bus_bytes = 4;
    cfg.l2.sector_bytes = 32;
    set_word(&cfg, "l2.partial_stores", partial_stores);
    return cfg;
}

/** One channel and bank, one set of `ways` ways; SM 0 reads, SM 1 stores. */
static inline struct mh_gpu *tiny_sectors_gpu(const char *partial_stores, uint32_t ways, uint32_t mshrs)
{
    struct mh_config cfg = sector_config(2, partial_stores);
    cfg.dram.channels = cfg.l2.banks = 1;
    cfg.l2.ways = ways;
    cfg.l2.bytes = ways * MH_LINE_BYTES;
    cfg.l2.mshrs = mshrs;
    return sleeping_gpu(&cfg);
}

static inline const struct mh_counters *count(const struct mh_gpu *g)
{
    return &g->tenant[0].count;
}

/** Until nothing is under way. */
static inline void settle(struct mh_gpu *g)
{
    mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    mh_gpu_check(g);
}

/** A read of these sectors; arrival() says when they are there. */
static inline void read_sectors(struct mh_gpu *g, uint32_t sm, uint32_t line, uint32_t sectors)
{
    struct mh_req r = read_of(g, sm, line);
    r.sectors = (uint8_t)sectors;
    g->sm[sm].l1_mshr[r.owner].asked = (uint8_t)sectors;
    send_request(g, &r);
}

/** A store of these bytes of the line. */
static inline void store_bytes(struct mh_gpu *g, uint32_t sm, uint32_t line, struct mh_bytes bytes)
{
    struct mh_req r = request_of(g, sm, MH_REQ_WRITE, line);
    r.sectors = (uint8_t)mh_bytes_touched(&bytes);
    r.full = mh_bytes_whole(&bytes) == ALL_SECTORS;
    g->req_bytes[send_request(g, &r)] = bytes;
}

/** An atomic on these sectors, until it is done. */
static inline void atomic_on(struct mh_gpu *g, uint32_t line, uint32_t sectors)
{
    struct mh_req r = request_of(g, 1, MH_REQ_ATOMIC, line);
    r.sectors = (uint8_t)sectors;
    r.full = false;
    send_request(g, &r);
    settle(g);
}

#endif
