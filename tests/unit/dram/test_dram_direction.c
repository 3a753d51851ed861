/* When the bus turns (dram.opened_first), and whose turn it is at the silver queue. Cycles by hand. */
#include "unit/test.h"
#include "dram_tiers.h"
#include "dram_check.h"
#include "dram/turn.h"

enum {
    WRITE_FROM_ACT = ACTIVATE + 8 + 2, /* rcd, cwl and a burst: to the end of one column command's data */
    TURN_TO_WRITE = 22 + 2 + 2 - 8,    /* cl, a burst and rtrs, less cwl: from the last read command */
    RAS = 51
};

static struct mh_dram_cfg drains_at(uint32_t high, uint32_t low, uint32_t opened_first)
{
    struct mh_dram_cfg cfg = tiered();
    cfg.write_high = high;
    cfg.write_low = low;
    cfg.opened_first = opened_first;
    return cfg;
}

/* A drain begins while a row is opened for a read, in the bank that the drain wants. */
static struct channel *write_behind_a_read(uint32_t opened_first)
{
    struct channel *c = open_cfg(drains_at(1, 0, opened_first));
    push(c, 0, 0, NORMAL, 3, 7, 0);
    push(c, 5, 1, WRITE, 3, 8, 0);
    close_all(c);
    return c;
}

TEST(test_the_row_serves_its_read)
{
    struct channel *c = write_behind_a_read(1);
    assert_int_equal(c->finish[0], ACTIVATE + OPEN);
    assert_int_equal(c->finish[1], RAS + CLOSE + WRITE_FROM_ACT + 2);
}

/* Without it the row is closed again, and the read opens it a second time. */
TEST(test_the_row_is_closed)
{
    struct channel *c = write_behind_a_read(0);
    assert_int_equal(c->finish[1], RAS + CLOSE + WRITE_FROM_ACT + 2);
    assert_true(c->finish[0] > c->finish[1]);
}

/* Row commands of the new direction do not wait for the turn. */
TEST(test_the_next_direction_opens_rows)
{
    struct channel *c = open_cfg(drains_at(1, 0, 1));
    push(c, 0, 0, NORMAL, 3, 7, 0);
    push(c, 15, 1, WRITE, 4, 8, 0);
    close_all(c);
    uint64_t read = ACTIVATE + 2; /* its last command */
    assert_int_equal(c->finish[0], ACTIVATE + OPEN);
    assert_int_equal(c->finish[1], read + TURN_TO_WRITE + 8 + 2 + 2); /* its row is open by then */
}

/* Only the request that a row was opened for goes first: not the next hit, and no row that has served one. */
TEST(test_no_more_than_that)
{
    struct channel *c = open_cfg(drains_at(2, 0, 1));
    for (uint32_t i = 0; i < 8; i++)
        push(c, 0, i, NORMAL, 3, 7, i);
    push(c, 30, 8, WRITE, 3, 8, 0);
    push(c, 30, 9, WRITE, 4, 8, 0);
    close_all(c);
    assert_true(c->finish[8] < c->finish[7]);
    assert_int_equal(c->order[0], 0);
    assert_true(c->finish[9] < c->finish[4]);
}

/* A turn is called off: before the row that was owed a write has served it, a drain begins. */
TEST(test_turn_back)
{
    struct channel *c = open_cfg(drains_at(2, 0, 1));
    push(c, 0, 0, WRITE, 3, 7, 0);  /* no read waits: it opens its row */
    push(c, 5, 1, NORMAL, 4, 7, 0); /* reads are next, once it has gone; its row is opened meanwhile */
    push(c, 12, 2, WRITE, 5, 7, 0); /* a drain: writes go on */
    assert_true(mh_dram_check(c->d));
    close_all(c);
    static const uint32_t order[] = {0, 2, 1};
    assert_memory_equal(c->order, order, sizeof order);
}

/* A refresh closes the row that is owed a read. */
TEST(test_refresh_in_the_turn)
{
    for (uint32_t per_bank = 0; per_bank < 2; per_bank++) {
        struct mh_dram_cfg cfg = drains_at(1, 0, 1);
        cfg.refi = 2000;
        cfg.rfc_bank = per_bank * 60;
        cfg.rrefd = per_bank * 11;
        uint32_t late = per_bank ? cfg.refi / cfg.banks : cfg.refi;
        struct channel *c = open_cfg(cfg);
        push(c, late - 10, 0, NORMAL, 0, 7, 0);
        push(c, late - 5, 1, WRITE, 0, 8, 0);
        run_to(c, late + 1000);
        assert_int_equal(c->served, 2);
        assert_int_equal(c->order[0], 1);
        assert_true(mh_dram_check(c->d));
        mh_dram_destroy(c->d);
    }
}

/* Queues apart turn at once. */
TEST(test_switch_in_the_turn)
{
    struct channel *c = open_cfg(drains_at(1, 0, 1));
    push(c, 0, 0, NORMAL, 3, 7, 0);
    push(c, 5, 1, WRITE, 4, 8, 0);
    run_to(c, 9);
    c->next = mh_dram_set_queues(c->d, 10, true);
    assert_true(mh_dram_check(c->d));
    close_tiers(c);
    assert_int_equal(c->order[0], 1);
}

/* Rows that are used once: as many ACTs as requests, if none is opened in vain. */
static void once(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    uint32_t bank = (uint32_t)(random_next(ctx) % 8), row = (uint32_t)i + 1;
    struct mh_dram_cfg cfg = tiered();
    req->addr = dram_addr(&cfg, bank, row, 0);
    req->write = random_next(ctx) % 10 < 3;
}

static uint64_t acts_of(uint32_t opened_first, uint32_t write_queue)
{
    struct mh_dram_cfg cfg = drains_at(26, 6, opened_first);
    cfg.write_queue = write_queue;
    struct dram_traffic r = dram_traffic_run(&cfg, once, 20000);
    assert_string_equal(r.check.violation, "");
    assert_int_equal(r.lost, 0);
    return r.check.count[MH_DRAM_ACT];
}

TEST(test_no_row_is_opened_in_vain)
{
    for (uint32_t writes = 0; writes <= 32; writes += 32) {
        assert_int_equal(acts_of(1, writes), 20000);
        assert_true(acts_of(0, writes) > 20000);
    }
}

/* A data read of the tenant arrives, and enters the silver queue if it may. */
static bool arrive(struct mh_turn *t, uint32_t tenant)
{
    bool silver = mh_turn_is(t, tenant);

    mh_turn_arrive(t, tenant);
    if (silver)
        mh_turn_sent(t);
    return silver;
}

/*
 * Arrivals by tenant ('0'..'7'), and services ('a' = tenant 0's, 'b' = tenant 1's ..); for each arrival what came of
 * it: S = silver, N = normal, and '.' for each service.
 */
struct sequence {
    const char *name;
    uint32_t thresh[4];
    const char *events, *expected;
};

static const struct sequence sequences[] = {
    {"no threshold, no silver", {0}, "0101", "NNNN"},
    {"alone: one turn follows the other", {2}, "00000", "SSSSS"},
    {"the first to come has the turn", {2, 2}, "1", "S"},
    {"below the threshold", {3, 3}, "1011", "SNSS"},
    {"at the threshold: the next one's turn", {2, 2}, "01010", "SNSSN"},
    {"above the threshold", {2, 2}, "010001", "SNSNNS"},
    {"a threshold of one", {1, 1}, "01010", "SNSSS"},
    {"unequal shares", {1, 3}, "010111010", "SNSSSSSSN"},
    {"threshold 0 beside one that has some", {0, 2}, "0101110", "NSNSSSN"},
    {"nothing left: the turn passes at once", {5, 5}, "0a1", "S.S"},
    {"its only request left: another that waits has it", {5, 5}, "01a01", "SN.NS"},
    {"nothing left and nobody waits: the turn stays", {2, 2}, "00a0", "SS.S"},
    {"a service of another changes nothing", {5, 5}, "01b01", "SN.SN"},
    {"three in a round", {1, 1, 1}, "0120120", "SNNSSSS"},
    {"the next in order, not the next to come", {1, 1, 1}, "021021", "SNNSNS"},
    {"past one that has nothing", {1, 1, 1}, "0202", "SNSS"},
    {"past one without threshold", {1, 0, 1}, "01202", "SNNSS"},
};

TEST(test_sequences)
{
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        const struct sequence *s = &sequences[i];
        struct mh_turn t = {.owner = 0};
        char seen[32] = "";

        memcpy(t.thresh, s->thresh, sizeof s->thresh);
        for (const char *e = s->events; *e; e++)
            if (*e >= 'a') {
                mh_turn_leave(&t, (uint32_t)(*e - 'a'));
                strcat(seen, ".");
            } else {
                strcat(seen, arrive(&t, (uint32_t)(*e - '0')) ? "S" : "N");
            }
        if (strcmp(seen, s->expected))
            fail_msg("%s: %s gives %s, not %s", s->name, s->events, seen, s->expected);
    }
}

/* A full silver queue: what spills is no part of the turn. */
TEST(test_spilled_requests_do_not_count)
{
    struct mh_turn t = {.thresh = {2, 2}};

    assert_true(arrive(&t, 0));
    mh_turn_arrive(&t, 1);
    for (int i = 0; i < 5; i++) {
        assert_true(mh_turn_is(&t, 0));
        mh_turn_arrive(&t, 0);
    }
    assert_true(arrive(&t, 0));
    assert_true(mh_turn_is(&t, 1));
}

TEST(test_thresholds_change_in_a_turn)
{
    struct mh_turn t = {.thresh = {5, 5}};

    arrive(&t, 0);
    arrive(&t, 0);
    arrive(&t, 1);
    t.thresh[0] = 3;
    mh_turn_pass(&t);
    assert_true(mh_turn_is(&t, 0));
    t.thresh[0] = 2;
    mh_turn_pass(&t);
    assert_false(mh_turn_is(&t, 0));
    assert_true(mh_turn_is(&t, 1));
    t.thresh[1] = 0;
    mh_turn_pass(&t);
    assert_true(mh_turn_is(&t, 0));
}
