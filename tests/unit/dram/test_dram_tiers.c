/*
 * Golden, silver and normal queue of one DRAM channel: cycles by hand, with the `mask` timings (tests/dram_fixture.h).
 * Silver's reads are tenant 1's (tests/dram_tiered.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "dram_tiered.h"

/* Three hits of one open row come in one cycle, the lowest tier first. */
static void test_order_of_hits(void **state)
{
    (void)state;
    struct channel *c = open_tiers(tiered());
    push(c, 0, 0, NORMAL, 3, 7, 0);
    push(c, 100, 1, NORMAL, 3, 7, 1);
    push(c, 100, 2, SILVER, 3, 7, 2);
    push(c, 100, 3, GOLDEN, 3, 7, 3);
    assert_queue(c, 1, "normal queue");
    assert_queue(c, 2, "silver queue");
    assert_queue(c, 3, "golden queue");
    close_tiers(c);
    assert_int_equal(c->finish[3], 100 + OPEN);
    assert_int_equal(c->finish[2], 100 + LINE_CYCLES + OPEN);
    assert_int_equal(c->finish[1], 100 + 2 * LINE_CYCLES + OPEN);
}

/* The row of a lower tier's hit is closed for a higher tier; another bank goes on, a cycle later. */
static void check_conflict(enum kind high, enum kind low)
{
    struct channel *c = open_tiers(tiered());
    push(c, 0, 0, NORMAL, 3, 7, 0);
    push(c, 20, 1, NORMAL, 4, 7, 0);
    push(c, 200, 2, low, 3, 7, 1);
    push(c, 200, 3, low, 4, 7, 1);
    push(c, 200, 4, high, 3, 8, 1);
    close_tiers(c);
    uint64_t act = 200 + CLOSE;
    assert_int_equal(c->finish[4], act + ACTIVATE + OPEN);
    assert_int_equal(c->finish[3], 201 + OPEN);
    /* It has its row closed at tRAS. */
    assert_int_equal(c->finish[2], act + 51 + CLOSE + ACTIVATE + OPEN);
}

static void test_a_bank_is_the_higher_tiers(void **state)
{
    (void)state;
    check_conflict(GOLDEN, NORMAL);
    check_conflict(GOLDEN, SILVER);
    check_conflict(SILVER, NORMAL);
}

/* Of the activates possible in one cycle, too, tRRD apart; and golden's read goes before the normal request's. */
static void test_order_of_activates(void **state)
{
    (void)state;
    struct channel *c = open_tiers(tiered());
    push(c, 100, 1, NORMAL, 1, 7, 0);
    push(c, 100, 2, SILVER, 2, 7, 0);
    push(c, 100, 3, GOLDEN, 3, 7, 0);
    close_tiers(c);
    assert_int_equal(c->finish[3], 100 + ACTIVATE + OPEN);
    assert_int_equal(c->finish[2], 111 + ACTIVATE + OPEN);
    assert_int_equal(c->finish[1], 123 + ACTIVATE + OPEN);
}

/* What is possible earlier goes earlier, whatever its tier. */
static void test_lower_tiers_use_what_is_left(void **state)
{
    (void)state;
    struct channel *c = open_tiers(tiered());
    push(c, 0, 0, NORMAL, 1, 7, 0);
    push(c, 100, 1, GOLDEN, 2, 7, 0); /* ACT at 100, read at 122 */
    for (uint32_t i = 0; i < 5; i++)  /* hits at 101, 105, .. 117 */
        push(c, 100, 2 + i, NORMAL, 1, 7, 1 + i);
    push(c, 100, 7, NORMAL, 1, 7, 6); /* would go at 121: it does, and golden in the first slot after it */
    close_tiers(c);
    assert_int_equal(c->finish[6], 117 + OPEN);
    assert_int_equal(c->finish[7], 121 + OPEN);
    assert_int_equal(c->finish[1], 125 + OPEN);
}

/* In order of arrival, without regard to open rows; rows are opened ahead. */
static void test_golden_is_a_fifo(void **state)
{
    (void)state;
    struct channel *c = open_tiers(tiered());
    push(c, 0, 0, NORMAL, 1, 7, 0);
    push(c, 100, 1, GOLDEN, 0, 7, 0);
    push(c, 100, 2, GOLDEN, 1, 7, 1); /* a hit that waits for 1 */
    push(c, 100, 3, GOLDEN, 0, 8, 0);
    push(c, 100, 4, GOLDEN, 0, 7, 1); /* a hit if it passed 3 */
    push(c, 100, 5, GOLDEN, 2, 7, 0);
    close_tiers(c);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(c->order[i], i);
    assert_int_equal(c->finish[1], 100 + ACTIVATE + OPEN);
    assert_int_equal(c->finish[2], 100 + ACTIVATE + LINE_CYCLES + OPEN);
    assert_int_equal(c->finish[3], 100 + 73 + ACTIVATE + OPEN); /* tRC */
    assert_int_equal(c->finish[4], 173 + 73 + ACTIVATE + OPEN);
    assert_int_equal(c->finish[5], c->finish[4] + LINE_CYCLES); /* its row was open for long */
}

static void test_fr_fcfs_inside_silver(void **state)
{
    (void)state;
    struct channel *c = open_tiers(tiered());
    push(c, 0, 0, NORMAL, 1, 7, 0);
    push(c, 100, 1, SILVER, 1, 8, 0);
    push(c, 100, 2, SILVER, 1, 7, 1); /* passes 1 */
    close_tiers(c);
    assert_int_equal(c->finish[2], 100 + OPEN);
    assert_true(c->hit[2]);
    assert_int_equal(c->order[2], 1);
}

/* A drain goes on behind a golden read, which does not wait for it; a silver read does. */
static void test_drain(void **state)
{
    (void)state;
    struct mh_dram_cfg cfg = tiered();
    cfg.write_high = 8;
    cfg.write_low = 0;
    struct channel *c = open_tiers(cfg);
    for (uint32_t i = 0; i < 8; i++) /* written at 22, 26, .. 38: before 40 */
        push(c, 0, i, WRITE, 0, 7, i);
    push(c, 40, 8, SILVER, 2, 7, 0);
    push(c, 40, 9, GOLDEN, 1, 7, 0); /* ACT at 41, because 40 is the second half of a line */
    close_tiers(c);
    assert_int_equal(c->finish[4], 38 + 2 + 8 + 2);
    assert_int_equal(c->finish[9], 41 + ACTIVATE + OPEN);
    uint64_t read = 41 + ACTIVATE + 2; /* its last command; then cl + a burst + rtrs - cwl */
    uint64_t write = read + 22 + 2 + 2 - 8;
    assert_int_equal(c->finish[5], write + 2 + 8 + 2);
    assert_int_equal(c->order[c->served - 1], 8); /* a drain ends at write_low, whatever silver has to say */
    assert_int_equal(c->served, 10);
}

static bool takes(const struct channel *c, enum kind kind, uint32_t writes)
{
    struct mh_dram_request r = request(c, 0, kind, 0, 0, 0);
    return mh_dram_takes(c->d, kind == WRITE ? NULL : &r, writes);
}

/* A full golden queue holds back walks and nothing else; a full normal queue all that would enter it. */
static void test_room(void **state)
{
    (void)state;
    struct mh_dram_cfg cfg = tiered();
    cfg.golden = 2;
    cfg.silver = 1;
    cfg.normal = 3;
    cfg.write_high = 3;
    cfg.write_low = 0;
    struct channel *c = open_tiers(cfg);
    assert_int_equal(mh_dram_free(c->d), 2);
    push(c, 0, 0, GOLDEN, 0, 1, 0);
    assert_int_equal(mh_dram_free(c->d), 1);
    push(c, 0, 1, GOLDEN, 0, 2, 0);
    assert_int_equal(mh_dram_free(c->d), 0);
    assert_false(takes(c, GOLDEN, 0));
    assert_true(takes(c, NORMAL, 2));
    assert_false(takes(c, NORMAL, 3));
    assert_true(takes(c, SILVER, 3));
    assert_true(takes(c, WRITE, 3));
    push(c, 0, 2, SILVER, 0, 3, 0);
    assert_false(takes(c, SILVER, 3)); /* it would spill */
    assert_true(takes(c, SILVER, 2));
    push(c, 0, 3, NORMAL, 0, 4, 0);
    push(c, 0, 4, NORMAL, 0, 5, 0);
    push(c, 0, 5, WRITE, 0, 6, 0);
    assert_false(takes(c, NORMAL, 0));
    assert_false(takes(c, SILVER, 0));
    assert_false(takes(c, WRITE, 1));
    run_to(c, ACTIVATE); /* tag 0 is served */
    assert_true(takes(c, GOLDEN, 0));
    assert_false(takes(c, GOLDEN, 1));
    close_tiers(c);
}

/* Whoever waits keeps its queue; a queue that is no longer wanted goes first until it is empty. */
static void test_switching(void **state)
{
    (void)state;
    struct channel *c = open_cfg(tiered());
    set_turns(c, 0, 500, 0);
    push(c, 0, 0, GOLDEN, 0, 1, 0);
    push(c, 0, 1, SILVER, 0, 2, 0);
    assert_queue(c, 0, "queue");
    c->next = mh_dram_set_queues(c->d, 0, true);
    assert_queue(c, 0, "normal queue");
    assert_queue(c, 1, "normal queue");
    push(c, 0, 2, NORMAL, 0, 3, 0);
    push(c, 0, 3, SILVER, 0, 4, 0);
    push(c, 0, 4, GOLDEN, 0, 5, 0);
    assert_int_equal(mh_dram_free(c->d), 15);
    c->next = mh_dram_set_queues(c->d, 0, false);
    assert_int_equal(mh_dram_free(c->d), c->cfg.queue - 5);
    push(c, 0, 5, GOLDEN, 0, 6, 0);
    push(c, 0, 6, SILVER, 0, 7, 0);
    assert_queue(c, 3, "silver queue");
    assert_queue(c, 4, "golden queue");
    assert_queue(c, 5, "normal queue");
    assert_queue(c, 6, "normal queue");
    close_all(c);
    static const uint32_t order[] = {4, 3, 0, 1, 2, 5, 6};
    assert_int_equal(c->served, 7);
    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(c->order[i], order[i]);
}

/* 256 requests of the one queue are more than the normal queue has; none is lost, and none comes on top. */
static void test_switching_a_full_queue(void **state)
{
    (void)state;
    struct channel *c = open_cfg(tiered());
    for (uint32_t i = 0; i < 256; i++)
        push(c, 0, i, NORMAL, i % 8, i / 8, 0);
    c->next = mh_dram_set_queues(c->d, 0, true);
    assert_int_equal(mh_dram_free(c->d), 0);
    assert_false(takes(c, NORMAL, 0));
    assert_true(takes(c, GOLDEN, 0));
    for (uint32_t i = 0; i < 16; i++)
        push(c, 0, 256 + i, GOLDEN, i % 8, 99, i);
    c->next = mh_dram_set_queues(c->d, 0, false);
    assert_int_equal(mh_dram_free(c->d), 0);
    while (mh_dram_waiting(c->d) > 255)
        c->next = mh_dram_step(c->d, c->next);
    assert_int_equal(mh_dram_free(c->d), 1);
    close_all(c);
    assert_int_equal(c->served, 272);
}

/* The command for a golden request does not wait for a run of hits in another rank. */
static void test_ranks(void **state)
{
    (void)state;
    struct mh_dram_cfg cfg = tiered();
    cfg.banks = 4;
    cfg.ranks = 2;
    cfg.rank_gap = 2;
    struct channel *c = open_tiers(cfg);
    uint64_t rank = (uint64_t)cfg.row_bytes * cfg.banks; /* the other rank's bank 0: row rank bank column */
    for (uint32_t i = 0; i < 2; i++) {
        struct mh_dram_request r = {.addr = i * rank, .tag = i};
        push_request(c, 20 * i, &r);
    }
    for (uint32_t i = 2; i < 15; i++) {
        struct mh_dram_request r = {.addr = (i - 1) * MH_LINE_BYTES, .tag = i};
        push_request(c, 200, &r);
    }
    struct mh_dram_request golden = {.addr = rank + MH_LINE_BYTES, .tag = 15, .walk = 1};
    push_request(c, 203, &golden);
    close_tiers(c);
    assert_int_equal(c->finish[3], 204 + OPEN);  /* without a gap, and golden's first cycle would have been 206 */
    assert_int_equal(c->finish[15], 210 + OPEN); /* with it, so that golden is possible in the same cycle */
    assert_int_equal(c->finish[4], 216 + OPEN);
}

int test_dram_tiers(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_hits),
        cmocka_unit_test(test_a_bank_is_the_higher_tiers),
        cmocka_unit_test(test_order_of_activates),
        cmocka_unit_test(test_lower_tiers_use_what_is_left),
        cmocka_unit_test(test_golden_is_a_fifo),
        cmocka_unit_test(test_fr_fcfs_inside_silver),
        cmocka_unit_test(test_drain),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_switching),
        cmocka_unit_test(test_switching_a_full_queue),
        cmocka_unit_test(test_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
