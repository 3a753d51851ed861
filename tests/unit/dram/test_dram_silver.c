/* The silver queue of one DRAM channel: who enters it, who moves up into it and when. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "dram_tiered.h"

static void test_a_full_silver_queue_spills(void **state)
{
    (void)state;
    struct mh_dram_cfg cfg = tiered();
    cfg.silver = 4;
    struct channel *c = open_tiers(cfg);
    for (uint32_t i = 0; i < 6; i++)
        push(c, 0, i, SILVER, i, 7, 0);
    for (uint32_t i = 0; i < 6; i++)
        assert_queue(c, i, i < 4 ? "silver queue" : "normal queue");
    while (!c->served)
        c->next = mh_dram_step(c->d, c->next);
    assert_queue(c, 4, "silver queue");
    assert_queue(c, 5, "normal queue");
    push(c, 1000, 6, SILVER, 0, 7, 1);
    assert_queue(c, 6, "silver queue");
    close_tiers(c);
}

static void push_of(struct channel *c, uint64_t now, uint32_t tag, uint32_t tenant, uint32_t bank, uint32_t row,
                    uint32_t line)
{
    struct mh_dram_request r = request(c, tag, NORMAL, bank, row, line);
    r.tenant = (uint8_t)tenant;
    push_request(c, now, &r);
}

/* By tag: S and N for the queue it waits in, a space for one that has been served. */
static void assert_queues(const struct channel *c, const char *letters)
{
    for (uint32_t i = 0; letters[i]; i++) {
        if (letters[i] == ' ')
            assert_null(mh_dram_holds(c->d, i));
        else
            assert_queue(c, i, letters[i] == 'S' ? "silver queue" : "normal queue");
    }
}

/* Thresholds 2 and 3; tenant 0 waits throughout and has no turn. */
static void test_turns(void **state)
{
    (void)state;
    static const struct step {
        uint8_t tenant;
        const char *queues;
    } steps[] = {
        {2, "S"},           {1, "SN"},
        {2, "SNS"},         {2, "SSSS"},   /* its third: 1 has the turn, which moves up */
        {2, "SSSSN"},       {1, "SSSSSS"}, /* the second of 1: what 2 has moves up */
        {1, "SSSSSSN"},     {1, "SSSSSSNN"},
        {2, "SSSSSSNNS"},   {2, "SSSSSSSSSS"}, /* its third; both of 1 move up, a turn */
        {1, "SSSSSSSSSSN"},
    };
    struct channel *c = open_tiers(tiered());
    set_turns(c, 0, 2, 3);
    push(c, 0, 100, NORMAL, 0, 1, 0);
    for (uint32_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        push_of(c, 0, i, steps[i].tenant, 0, 9 + i, 0);
        assert_queues(c, steps[i].queues);
    }
    assert_queue(c, 100, "normal queue");
    assert_int_equal(mh_dram_arrivals(c->d), 12);
    close_tiers(c);
}

/* The oldest first, from the head and out of the middle of what waits for one row, and no more than a turn. */
static void test_older_reads_move_up(void **state)
{
    (void)state;
    static const uint8_t tenant[] = {2, 0, 2, 2, 0, 2, 2};
    static const uint32_t order[] = {7, 0, 2, 3, 1, 4, 5, 6};
    struct channel *c = open_tiers(tiered());
    push_of(c, 0, 10, 1, 3, 7, 0);
    push_of(c, 0, 11, 1, 5, 7, 0);
    for (uint32_t i = 0; i < 7; i++) /* 1 has the turn */
        push_of(c, 30, i, tenant[i], 3, 7, 1 + i);
    assert_queues(c, "NNNNNNN");
    set_turns(c, 9, 0, 4);
    push_of(c, 30, 7, 2, 3, 7, 8); /* enters, three of its elders follow; then all of tenant 0 */
    assert_queues(c, "SSSSSNNS");
    close_tiers(c);
    for (uint32_t i = 0; i < 7; i++)
        assert_true(c->finish[order[i]] < c->finish[order[i + 1]]);
}

/* Another tenant left the silver queue full: one moves up for each that is served. */
static void test_moves_wait_for_places(void **state)
{
    (void)state;
    static const uint8_t tenant[] = {1, 1, 2, 1, 2, 2};
    static const char *const queues[] = {"SSNSNN", " SSSNN", "  SSSN", "  S SS"};
    struct mh_dram_cfg cfg = tiered();
    cfg.silver = 3;
    struct channel *c = open_tiers(cfg);
    set_turns(c, 0, 3, 9);
    for (uint32_t i = 0; i < 6; i++)
        push_of(c, 0, i, tenant[i], 0, 9 + i, 0);
    for (uint32_t served = 0; served < 4; served++) {
        while (c->served < served)
            c->next = mh_dram_step(c->d, c->next);
        assert_queues(c, queues[served]);
    }
    close_tiers(c);
}

/* Without silver_moves only what comes in a turn enters, and counts: thresholds 2 and 3, as in test_turns. */
static void test_reads_stay_where_they_are(void **state)
{
    (void)state;
    static const struct step {
        uint8_t tenant;
        const char *queues;
    } steps[] = {
        {2, "S"},        {1, "SN"},        {2, "SNS"},     {2, "SNSS"}, /* its third: 1 has the turn */
        {2, "SNSSN"},    {1, "SNSSNS"},    {1, "SNSSNSS"},              /* its second: 2 has the turn again */
        {1, "SNSSNSSN"}, {2, "SNSSNSSNS"},
    };
    struct mh_dram_cfg cfg = tiered();
    cfg.silver_moves = 0;
    struct channel *c = open_tiers(cfg);
    set_turns(c, 0, 2, 3);
    for (uint32_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        push_of(c, 0, i, steps[i].tenant, 0, 9 + i, 0);
        assert_queues(c, steps[i].queues);
    }
    set_turns(c, 0, 500, 500);
    assert_queues(c, "SNSSNSSNS");
    assert_int_equal(mh_dram_arrivals(c->d), 9);
    while (c->served < 6)
        c->next = mh_dram_step(c->d, c->next);
    assert_queues(c, " N  N  N ");
    close_tiers(c);
}

int test_dram_silver(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_full_silver_queue_spills), cmocka_unit_test(test_turns),
        cmocka_unit_test(test_older_reads_move_up),        cmocka_unit_test(test_moves_wait_for_places),
        cmocka_unit_test(test_reads_stay_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
