/* Golden, silver and normal queue: a channel that has them, and requests for it. For tests with cmocka. */
#ifndef TESTS_DRAM_TIERED_H
#define TESTS_DRAM_TIERED_H

#include "dram_channel.h"

/* Column command to last beat; what a closed row adds; one row for another. */
enum { OPEN = 22 + 2 + 2, ACTIVATE = 22, CLOSE = 22 };

static inline struct mh_dram_cfg tiered(void)
{
    struct mh_dram_cfg cfg = mask_dram;
    cfg.refi = 0;
    cfg.golden = 16;
    cfg.silver = 64;
    cfg.normal = 192;
    cfg.silver_moves = 1;
    return cfg;
}

static inline void set_turns(struct channel *c, uint32_t zero, uint32_t one, uint32_t two)
{
    uint32_t thresh[MH_MAX_TENANTS] = {zero, one, two};
    mh_dram_set_turns(c->d, thresh);
}

/* Tenant 0 has no turns at the silver queue, tenant 1 has long ones. */
static inline struct channel *open_tiers(struct mh_dram_cfg cfg)
{
    struct channel *c = open_cfg(cfg);
    c->next = mh_dram_set_queues(c->d, 0, true);
    set_turns(c, 0, 500, 0);
    return c;
}

enum kind { NORMAL, SILVER, GOLDEN, WRITE };

static inline struct mh_dram_request request(const struct channel *c, uint32_t tag, enum kind kind, uint32_t bank,
                                             uint32_t row, uint32_t line)
{
    struct mh_dram_request r = {.addr = dram_addr(&c->cfg, bank, row, line), .tag = tag, .tenant = kind == SILVER};
    r.walk = kind == GOLDEN;
    r.write = kind == WRITE;
    return r;
}

static inline void push(struct channel *c, uint64_t now, uint32_t tag, enum kind kind, uint32_t bank, uint32_t row,
                        uint32_t line)
{
    struct mh_dram_request r = request(c, tag, kind, bank, row, line);
    push_request(c, now, &r);
}

static inline void close_tiers(struct channel *c)
{
    run_to(c, MH_DRAM_NEVER - 1);
    mh_dram_set_queues(c->d, c->last, false);
    close_all(c);
}

static inline void assert_queue(const struct channel *c, uint32_t tag, const char *name)
{
    const char *queue = mh_dram_holds(c->d, tag);
    assert_non_null(queue);
    assert_string_equal(queue, name);
}

#endif
