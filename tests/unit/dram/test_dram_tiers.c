/* Golden, silver and normal queue of one DRAM channel: entry and promotion. Cycles by hand, with the timings of
 * dram_fixture.h; reads of the silver queue are tenant 1's. */
#include "unit/test.h"
#include "dram_tiers.h"

/* Three hits of one open row come in one cycle, the lowest tier first. */
TEST(test_order_of_hits)
{
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

TEST(test_a_bank_is_the_higher_tiers)
{
    check_conflict(GOLDEN, NORMAL);
    check_conflict(GOLDEN, SILVER);
    check_conflict(SILVER, NORMAL);
}

/* Of the activates possible in one cycle, too, tRRD apart; and golden's read goes before the normal request's. */
TEST(test_order_of_activates)
{
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
TEST(test_lower_tiers_use_what_is_left)
{
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
TEST(test_golden_is_a_fifo)
{
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

TEST(test_fr_fcfs_inside_silver)
{
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
TEST(test_drain)
{
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
TEST(test_room)
{
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

/* Waiting requests keep their queue; a queue that is no longer wanted goes first until it is empty. */
TEST(test_switching)
{
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
TEST(test_switching_a_full_queue)
{
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
TEST(test_ranks)
{
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

TEST(test_a_full_silver_queue_spills)
{
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

static void push_line_of(struct channel *c, uint64_t now, uint32_t tag, uint32_t tenant, uint32_t bank, uint32_t row,
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
TEST(test_turns)
{
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
        push_line_of(c, 0, i, steps[i].tenant, 0, 9 + i, 0);
        assert_queues(c, steps[i].queues);
    }
    assert_queue(c, 100, "normal queue");
    assert_int_equal(mh_dram_arrivals(c->d), 12);
    close_tiers(c);
}

/* The oldest first, from the head and out of the middle of what waits for one row, and no more than a turn. */
TEST(test_older_reads_move_up)
{
    static const uint8_t tenant[] = {2, 0, 2, 2, 0, 2, 2};
    static const uint32_t order[] = {7, 0, 2, 3, 1, 4, 5, 6};
    struct channel *c = open_tiers(tiered());
    push_line_of(c, 0, 10, 1, 3, 7, 0);
    push_line_of(c, 0, 11, 1, 5, 7, 0);
    for (uint32_t i = 0; i < 7; i++) /* 1 has the turn */
        push_line_of(c, 30, i, tenant[i], 3, 7, 1 + i);
    assert_queues(c, "NNNNNNN");
    set_turns(c, 9, 0, 4);
    push_line_of(c, 30, 7, 2, 3, 7, 8); /* enters, three of its elders follow; then all of tenant 0 */
    assert_queues(c, "SSSSSNNS");
    close_tiers(c);
    for (uint32_t i = 0; i < 7; i++)
        assert_true(c->finish[order[i]] < c->finish[order[i + 1]]);
}

/* Another tenant left the silver queue full: one moves up for each that is served. */
TEST(test_moves_wait_for_places)
{
    static const uint8_t tenant[] = {1, 1, 2, 1, 2, 2};
    static const char *const queues[] = {"SSNSNN", " SSSNN", "  SSSN", "  S SS"};
    struct mh_dram_cfg cfg = tiered();
    cfg.silver = 3;
    struct channel *c = open_tiers(cfg);
    set_turns(c, 0, 3, 9);
    for (uint32_t i = 0; i < 6; i++)
        push_line_of(c, 0, i, tenant[i], 0, 9 + i, 0);
    for (uint32_t served = 0; served < 4; served++) {
        while (c->served < served)
            c->next = mh_dram_step(c->d, c->next);
        assert_queues(c, queues[served]);
    }
    close_tiers(c);
}

/* Without silver_moves only what comes in a turn enters, and counts: thresholds 2 and 3, as in test_turns. */
TEST(test_reads_stay_where_they_are)
{
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
        push_line_of(c, 0, i, steps[i].tenant, 0, 9 + i, 0);
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
