/*
 * Requests of tenants to one DRAM channel, and what holds of every order of tenants: cycles by hand, with the `mask`
 * timings (tests/dram_fixture.h). In what is asserted tenant 1 goes before tenant 0. cmocka.h comes first.
 */
#ifndef TESTS_DRAM_TENANTS_H
#define TESTS_DRAM_TENANTS_H

#include "dram_tiered.h"

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
