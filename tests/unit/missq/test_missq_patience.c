/* l1d.arbiter_patience: how long heads are passed by those that always go first; intervals by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "subqueues.h"

enum { INTERVAL = 100, FOLLOWS = 0, FIRST = 1, ALSO_FOLLOWS = 2 };

static void patience_config(struct mh_config *cfg, uint32_t sms, uint32_t tenants, uint32_t patience)
{
    subqueues_config(cfg, sms, tenants);
    cfg->l1d.rate_interval = INTERVAL;
    cfg->l1d.arbiter_patience = patience;
}

/* Some intervals in which the tenant's sub-queues of each SM are always full, of writes to `bank` of its own. */
static void flood(struct mh_gpu *g, uint32_t tenants, uint32_t intervals, const uint32_t *bank)
{
    for (uint32_t c = 0; c < intervals * INTERVAL; c++) {
        for (uint32_t sm = 0; sm < g->cfg.sm.count; sm++)
            for (uint32_t t = 0; t < tenants; t++)
                while (queue_write(g, sm, t, bank[t], 0))
                    ;
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    }
    mh_gpu_check(g);
}

static const uint32_t own_banks[] = {0, 1, 2};

/* From the start of the interval in which it first could: passed for so many whole ones, then one goes. */
static void test_one_in_so_many(void **state)
{
    (void)state;
    for (uint32_t patience = 0; patience < 6; patience++) {
        struct mh_config cfg;
        patience_config(&cfg, 1, 3, patience);
        struct mh_gpu *g = subqueues_gpu(&cfg);
        set_first(g, FIRST);
        mh_gpu_advance(g, INTERVAL);
        flood(g, 3, 60, own_banks);
        uint32_t turns = patience ? 60 / (patience + 1) - (60 % (patience + 1) == 0) : 0;
        for (uint32_t t = FOLLOWS; t <= ALSO_FOLLOWS; t += ALSO_FOLLOWS)
            assert_in_range(looked_up_of(g, t), turns, turns);
        /* Five flits each: what is left is all of those that go first. */
        assert_in_range(looked_up_of(g, FIRST), 60 * INTERVAL / 5 - 2 * turns - 4, 60 * INTERVAL / 5 - 2 * turns);
        mh_gpu_destroy(g);
    }
}

/* A quarter of a request in an interval: as many as nobody's passing would leave it. */
static void test_low_rate(void **state)
{
    (void)state;
    struct mh_config cfg;
    patience_config(&cfg, 1, 2, 1);
    struct mh_gpu *g = subqueues_gpu(&cfg);
    set_first(g, FIRST);
    set_rate(g, FOLLOWS, MH_RATE_ONE / 4);
    mh_gpu_advance(g, INTERVAL);
    flood(g, 2, 41, own_banks);
    assert_int_equal(looked_up_of(g, FOLLOWS), 10);
    mh_gpu_destroy(g);
}

/* A head that nobody passes for long has no other rights than before. */
static void test_order_within_patience(void **state)
{
    (void)state;
    struct mh_config cfg;
    patience_config(&cfg, 1, 2, 2);
    struct mh_gpu *g = subqueues_gpu(&cfg);
    set_first(g, FIRST);
    mh_gpu_advance(g, 3 * INTERVAL + INTERVAL / 2);
    for (uint32_t i = 0; i < 4; i++)
        queue_read(g, 0, i < 2 ? FOLLOWS : FIRST, i, 0);
    uint64_t at;
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(next_look_up(g, 0, &at), i < 2 ? FIRST : FOLLOWS);
    mh_gpu_destroy(g);
}

/* All want a bank with one credit: SMs share it, and on each the one that was passed has one turn in two intervals. */
static void test_at_a_bank(void **state)
{
    (void)state;
    struct mh_config cfg;
    patience_config(&cfg, 2, 2, 1);
    cfg.noc.bank_queue = 1;
    struct mh_gpu *g = subqueues_gpu(&cfg);
    set_first(g, FIRST);
    mh_gpu_advance(g, INTERVAL);
    flood(g, 2, 60, (uint32_t[]){3, 3});
    assert_in_range(looked_up_of(g, FOLLOWS), 2 * 28, 2 * 30);
    assert_true(looked_up_of(g, FIRST) > 4 * 30);
    mh_gpu_destroy(g);
}

/*
 * Queues at the inputs, and one busy bank for those that go first: the place at each input is always taken again.
 * Without a limit the others' requests, for a bank with nothing to do, never go.
 */
static void test_place_at_an_input(void **state)
{
    (void)state;
    for (uint32_t patience = 0; patience < 4; patience++) {
        struct mh_config cfg;
        patience_config(&cfg, 4, 2, patience);
        strcpy(cfg.noc.queues, "input");
        cfg.noc.vcs = 1;
        struct mh_gpu *g = subqueues_gpu(&cfg);
        set_first(g, FIRST);
        mh_gpu_advance(g, INTERVAL);
        flood(g, 2, 60, (uint32_t[]){7, 3});
        uint32_t turns = patience ? 60 / (patience + 1) : 0;
        assert_in_range(looked_up_of(g, FOLLOWS), turns ? 4 * (turns - 1) : 0, 4 * turns);
        mh_gpu_destroy(g);
    }
}

/* Knob ISSUE_PATIENCE: the configuration is its reset value, and a COMMIT changes it. */
static void test_knob(void **state)
{
    (void)state;
    struct mh_config cfg;
    patience_config(&cfg, 1, 2, 1);
    struct mh_gpu *g = subqueues_gpu(&cfg);
    set_first(g, FIRST);
    assert_int_equal(script_read(g, MH_REG_ISSUE_PATIENCE), 1);
    script_refused(g, MH_REG_ISSUE_PATIENCE, 1000001);
    script_knob(g, MH_REG_ISSUE_PATIENCE, 0);
    mh_gpu_advance(g, INTERVAL);
    flood(g, 2, 20, own_banks);
    assert_int_equal(looked_up_of(g, FOLLOWS), 0);
    script_knob(g, MH_REG_ISSUE_PATIENCE, 3);
    flood(g, 2, 20, own_banks);
    assert_in_range(looked_up_of(g, FOLLOWS), 4, 6);
    mh_gpu_destroy(g);
}

int test_missq_patience(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_in_so_many),        cmocka_unit_test(test_low_rate),
        cmocka_unit_test(test_order_within_patience), cmocka_unit_test(test_at_a_bank),
        cmocka_unit_test(test_place_at_an_input),     cmocka_unit_test(test_knob),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
