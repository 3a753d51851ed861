/*
 * A channel with golden, silver and normal queue, requests for it, and what holds of every order of tenants: cycles by
 * hand, with the `mask` timings (dram_fixture.h). cmocka.h comes first.
 */
#ifndef TESTS_DRAM_TIERS_H
#define TESTS_DRAM_TIERS_H

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

/* In what follows tenant 1 goes before tenant 0. */

static inline void push_of(struct channel *c, uint64_t now, uint32_t tag, uint32_t tenant, uint32_t bank, uint32_t row)
{
    struct mh_dram_request r = {.addr = dram_addr(&c->cfg, bank, row, tag % ROW_LINES), .tag = tag};
    r.tenant = (uint8_t)tenant;
    push_request(c, now, &r);
}

/** Of two activates of one cycle, tRRD apart, tenant 1's goes first, though it came last. Closes the channel. */
static inline void assert_order_of_activates(struct channel *c)
{
    push_of(c, 100, 1, 0, 1, 7);
    push_of(c, 100, 2, 1, 2, 7);
    close_all(c);
    assert_int_equal(c->finish[2], 100 + ACTIVATE + OPEN);
    assert_int_equal(c->finish[1], 111 + ACTIVATE + OPEN);
}

/** The order of tenants for hits of two banks in one cycle. */
static inline void assert_order_of_hits(struct channel *c)
{
    push_of(c, 0, 0, 0, 1, 7);
    push_of(c, 50, 1, 0, 2, 7);
    push_of(c, 200, 2, 0, 1, 7);
    push_of(c, 200, 3, 1, 2, 7);
    close_all(c);
    assert_int_equal(c->finish[3], 200 + OPEN);
    assert_int_equal(c->finish[2], 200 + LINE_CYCLES + OPEN);
}

/** Tenant 1 keeps a bank busy with rows of its own: after 4 queues of arrivals tenant 0 is served. */
static inline void assert_nobody_starves(struct channel *c)
{
    uint32_t pushed = 0, most = 4 * c->cfg.queue;
    push_of(c, 0, pushed++, 1, 0, 1);
    push_of(c, 0, pushed++, 0, 0, 2); /* waits behind tenant 1 */
    while (!c->finish[1] && pushed < 200) {
        while (mh_dram_waiting(c->d) < 4) {
            push_of(c, c->next == MH_DRAM_NEVER ? 0 : c->next, pushed, 1, 0, 3 + pushed);
            pushed++;
        }
        run_to(c, c->next);
    }
    uint32_t after = pushed - 2;
    assert_in_range(after, most + 1, most + 1 + 4);
    close_all(c);
}

#endif
