/* Requests for sectors of a line, sent by hand into an L2 that has them (l2.sector_bytes). */
#ifndef TESTS_SECTORS_H
#define TESTS_SECTORS_H

#include <string.h>

#include "requests.h"
#include "set_word.h"

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
static inline struct mh_gpu *tiny_gpu(const char *partial_stores, uint32_t ways, uint32_t mshrs)
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
}

/** A read of these sectors; arrival() says when they are there. */
static inline void read_sectors(struct mh_gpu *g, uint32_t sm, uint32_t line, uint32_t sectors)
{
    struct mh_req r = read_of(g, sm, line);
    r.sectors = (uint8_t)sectors;
    g->sm[sm].l1_mshr[r.owner].asked = (uint8_t)sectors;
    mh_noc_send(g, &r);
}

/** A store of these bytes of the line. */
static inline void store_bytes(struct mh_gpu *g, uint32_t sm, uint32_t line, struct mh_bytes bytes)
{
    struct mh_req r = request_of(g, sm, MH_REQ_WRITE, line);
    r.sectors = (uint8_t)mh_bytes_touched(&bytes);
    r.full = mh_bytes_whole(&bytes) == ALL_SECTORS;
    g->req_bytes[mh_noc_send(g, &r)] = bytes;
}

/** An atomic on these sectors, until it is done. */
static inline void atomic_on(struct mh_gpu *g, uint32_t line, uint32_t sectors)
{
    struct mh_req r = request_of(g, 1, MH_REQ_ATOMIC, line);
    r.sectors = (uint8_t)sectors;
    r.full = false;
    mh_noc_send(g, &r);
    settle(g);
}

#endif
