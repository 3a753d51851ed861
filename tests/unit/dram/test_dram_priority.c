/*
 * Tenants before each other at one DRAM channel (dram.scheduler mpki): cycles by hand, with the `mask` timings
 * (tests/dram_fixture.h). Tenant 1 goes first unless a test says otherwise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "dram_tenants.h"

static struct mh_dram_cfg by_tenant(void)
{
    struct mh_dram_cfg cfg = tiered();
    strcpy(cfg.scheduler, "mpki");
    return cfg;
}

static void prioritize(struct channel *c, uint64_t now, uint8_t zero, uint8_t one, uint8_t two)
{
    uint8_t priority[MH_MAX_TENANTS] = {zero, one, two};
    c->next = mh_dram_set_priorities(c->d, now, priority);
}

static struct channel *open_by_tenant(struct mh_dram_cfg cfg)
{
    struct channel *c = open_cfg(cfg);
    prioritize(c, 0, 1, 0, 2);
    return c;
}

/* Of two activates of one cycle, tRRD apart, the first tenant's, though it came last. */
static void test_order_of_activates(void **state)
{
    (void)state;
    assert_order_of_activates(open_by_tenant(by_tenant()));
}

/* Of two rows of one bank that wait. */
static void test_order_of_rows(void **state)
{
    (void)state;
    struct channel *c = open_by_tenant(by_tenant());
    push_of(c, 0, 0, 0, 3, 7);
    push_of(c, 200, 1, 2, 3, 8);
    push_of(c, 200, 2, 0, 3, 9);
    push_of(c, 200, 3, 1, 3, 10);
    close_all(c);
    uint64_t act = 200 + CLOSE;
    assert_int_equal(c->finish[3], act + ACTIVATE + OPEN);
    assert_int_equal(c->finish[2], act + 73 + ACTIVATE + OPEN); /* tRC */
    assert_int_equal(c->finish[1], act + 2 * 73 + ACTIVATE + OPEN);
}

/* A row that requests of several tenants want is wanted by the first of them. */
static void test_row_of_two_tenants(void **state)
{
    (void)state;
    struct channel *c = open_by_tenant(by_tenant());
    push_of(c, 0, 0, 0, 3, 7);
    push_of(c, 200, 1, 0, 3, 8);
    push_of(c, 200, 2, 0, 3, 9);
    push_of(c, 200, 3, 1, 3, 9);
    close_all(c);
    const uint32_t order[] = {0, 2, 3, 1};
    assert_memory_equal(c->order, order, sizeof order);
}

/* First ready: the last tenant's hit goes before the row of the first. */
static void test_row_hits_go_first(void **state)
{
    (void)state;
    struct channel *c = open_by_tenant(by_tenant());
    push_of(c, 0, 0, 0, 3, 7);
    push_of(c, 200, 1, 1, 3, 8);
    push_of(c, 200, 2, 2, 3, 7);
    close_all(c);
    assert_int_equal(c->finish[2], 200 + OPEN);
    assert_true(c->hit[2]);
    assert_int_equal(c->finish[1], 200 + 2 + 4 + CLOSE + ACTIVATE + OPEN); /* tRTP after its last command */
}

/* Hits of two banks in one cycle. */
static void test_order_of_hits(void **state)
{
    (void)state;
    assert_order_of_hits(open_by_tenant(by_tenant()));
}

/* Tenants of the same priority, and requests of one tenant: the oldest. */
static void test_equal_ones_by_age(void **state)
{
    (void)state;
    struct channel *c = open_cfg(by_tenant());
    prioritize(c, 0, 1, 0, 1);
    push_of(c, 0, 0, 0, 3, 7);
    push_of(c, 200, 1, 2, 3, 8);
    push_of(c, 200, 2, 0, 3, 9);
    push_of(c, 200, 3, 1, 3, 10);
    push_of(c, 200, 4, 1, 3, 11);
    close_all(c);
    const uint32_t order[] = {0, 3, 4, 1, 2};
    assert_memory_equal(c->order, order, sizeof order);
}

/* Who waits is ordered anew. */
static void test_new_priorities(void **state)
{
    (void)state;
    struct channel *c = open_by_tenant(by_tenant());
    push_of(c, 0, 0, 0, 3, 7);
    push_of(c, 10, 1, 1, 3, 8);
    push_of(c, 10, 2, 2, 3, 9);
    run_to(c, 12);
    prioritize(c, 12, 1, 2, 0);
    close_all(c);
    const uint32_t order[] = {0, 2, 1};
    assert_memory_equal(c->order, order, sizeof order);
}

/* Writes have tenants, too. */
static void test_writes(void **state)
{
    (void)state;
    struct channel *c = open_by_tenant(by_tenant());
    for (uint32_t i = 0; i < 2; i++) {
        struct mh_dram_request r = {.addr = dram_addr(&c->cfg, 3, 8 + i, 0), .tag = i, .write = 1};
        r.tenant = (uint8_t)i;
        push_request(c, 100, &r);
    }
    close_all(c);
    assert_int_equal(c->order[0], 1);
}

/* The first tenant keeps a bank busy with rows of its own: after 4 queues of arrivals the other is served. */
static void test_nobody_starves(void **state)
{
    (void)state;
    struct mh_dram_cfg cfg = by_tenant();
    cfg.queue = 8;
    cfg.write_high = 6;
    assert_nobody_starves(open_by_tenant(cfg));
}

/* With golden, silver and normal: walks in order of arrival before all, tenants inside normal. */
static void test_inside_normal(void **state)
{
    (void)state;
    struct channel *c = open_by_tenant(by_tenant());
    c->next = mh_dram_set_queues(c->d, 0, true);
    set_turns(c, 0, 0, 0);
    push_of(c, 0, 0, 0, 3, 7);
    push_of(c, 200, 1, 2, 3, 8);
    push_of(c, 200, 2, 1, 3, 9);
    for (uint32_t i = 3; i < 5; i++) { /* tenant 2's walk came before tenant 1's */
        struct mh_dram_request walk = {.addr = dram_addr(&c->cfg, 3, 7 + i, 0), .tag = i, .walk = 1};
        walk.tenant = (uint8_t)(5 - i);
        push_request(c, 200, &walk);
    }
    assert_queue(c, 1, "normal queue");
    assert_queue(c, 4, "golden queue");
    close_tiers(c);
    const uint32_t order[] = {0, 3, 4, 2, 1};
    assert_memory_equal(c->order, order, sizeof order);
}

/* And inside silver, where reads of an earlier turn may be left; silver goes before normal, whoever waits there. */
static void test_inside_silver(void **state)
{
    (void)state;
    struct channel *c = open_by_tenant(by_tenant());
    c->next = mh_dram_set_queues(c->d, 0, true);
    set_turns(c, 2, 1, 0);
    push_of(c, 0, 0, 2, 3, 7);
    push_of(c, 20, 1, 0, 3, 8);
    push_of(c, 20, 2, 1, 3, 9);
    push_of(c, 20, 3, 0, 3, 11); /* the end of tenant 0's turn: 2 moves up */
    set_turns(c, 0, 0, 0);
    push_of(c, 20, 4, 1, 3, 10);
    for (uint32_t tag = 1; tag < 4; tag++)
        assert_queue(c, tag, "silver queue");
    assert_queue(c, 4, "normal queue");
    close_tiers(c);
    const uint32_t order[] = {2, 1, 3, 4, 0}; /* 0 loses its row to silver, and is tenant 2's */
    assert_memory_equal(c->order, order, sizeof order);
}

int test_dram_priority(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_activates), cmocka_unit_test(test_order_of_rows),
        cmocka_unit_test(test_row_of_two_tenants), cmocka_unit_test(test_row_hits_go_first),
        cmocka_unit_test(test_order_of_hits),      cmocka_unit_test(test_equal_ones_by_age),
        cmocka_unit_test(test_new_priorities),     cmocka_unit_test(test_writes),
        cmocka_unit_test(test_nobody_starves),     cmocka_unit_test(test_inside_normal),
        cmocka_unit_test(test_inside_silver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
