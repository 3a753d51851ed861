/* Epoch rows: latency and delta of a decision, computed by hand. */
#include "control_fixture.h"

/* Timer 0 periodic, 1000 cycles, started at cycle 0: expiries at 1000, 2000, .. */
static int setup(void **state)
{
    static struct fixture f;
    fixture_open(&f);
    put(&f, MH_REG_TIMER_INTERVAL, 1000);
    put(&f, MH_REG_TIMER_CTRL, 2);
    *state = &f;
    return 0;
}

static void count(struct fixture *f, uint64_t walks0, uint64_t live0, uint64_t walks1)
{
    f->gpu.live[0].walks = walks0;
    f->gpu.live[0].walks_live = live0;
    f->gpu.live[1].walks = walks1;
}

static void command_at(struct fixture *f, uint64_t cycle, uint32_t offset)
{
    run_to(f, cycle);
    put(f, offset, 1);
}

static const struct mh_epoch_row *row(struct fixture *f, unsigned i)
{
    assert_true(i < f->rows);
    return &f->row[i].row;
}

TEST(test_answered_epochs)
{
    struct fixture *f = *state;
    count(f, 10, 6, 100);
    command_at(f, 1050, MH_REG_SNAPSHOT);
    count(f, 11, 9, 111); /* after the snapshot: the next row's */
    put(f, MH_REG_TOKENS, 20);
    assert_int_equal(f->rows, 0);
    command_at(f, 1200, MH_REG_COMMIT);
    assert_int_equal(f->rows, 2);
    for (unsigned t = 0; t < 2; t++) {
        assert_int_equal(row(f, t)->epoch, 0);
        assert_int_equal(row(f, t)->cycle, 1000);
        assert_int_equal(row(f, t)->latency, 200);
        assert_int_equal(row(f, t)->tenant, t);
        assert_int_equal(f->row[t].knobs.tokens[0], 20);
    }
    assert_int_equal(row(f, 0)->delta.walks, 10);
    assert_int_equal(row(f, 0)->delta.walks_live, 6);
    assert_int_equal(row(f, 1)->delta.walks, 100);

    count(f, 25, 4, 150);
    command_at(f, 2007, MH_REG_SNAPSHOT);
    command_at(f, 2010, MH_REG_COMMIT);
    assert_int_equal(f->rows, 4);
    assert_int_equal(row(f, 2)->epoch, 1);
    assert_int_equal(row(f, 2)->cycle, 2000);
    assert_int_equal(row(f, 2)->latency, 10);
    assert_int_equal(row(f, 2)->delta.walks, 15);
    assert_int_equal(row(f, 2)->delta.walks_live, 4); /* a gauge: the level, not 4 - 6 */
    assert_int_equal(row(f, 3)->delta.walks, 50);

    const struct mh_control_stats *s = mh_control_stats(f->c);
    assert_int_equal(s->epochs, 2);
    assert_int_equal(s->missed, 0);
    assert_int_equal(s->latency_count, 2);
    assert_int_equal(s->latency_sum, 210);
    assert_int_equal(s->latency_max, 200);
}

TEST(test_missed_epoch)
{
    struct fixture *f = *state;
    count(f, 10, 0, 0);
    command_at(f, 1999, MH_REG_SNAPSHOT); /* too late for a COMMIT before 2000 */
    count(f, 30, 3, 0);
    run_to(f, 2000);
    assert_int_equal(f->rows, 2);
    assert_int_equal(row(f, 0)->epoch, 0);
    assert_int_equal(row(f, 0)->cycle, 1000);
    assert_true(row(f, 0)->latency == UINT64_MAX);
    assert_int_equal(row(f, 0)->delta.walks, 30);
    assert_int_equal(row(f, 0)->delta.walks_live, 3);
    assert_int_equal(mh_control_stats(f->c)->missed, 1);
    assert_int_equal(mh_control_stats(f->c)->latency_count, 0);

    /* The late COMMIT is no answer to the second expiry: its SNAPSHOT is of before. */
    count(f, 32, 1, 0);
    command_at(f, 2001, MH_REG_COMMIT);
    assert_int_equal(f->rows, 2);
    command_at(f, 2010, MH_REG_SNAPSHOT);
    command_at(f, 2020, MH_REG_COMMIT);
    assert_int_equal(f->rows, 4);
    assert_int_equal(row(f, 2)->epoch, 1);
    assert_int_equal(row(f, 2)->latency, 20);
    assert_int_equal(row(f, 2)->delta.walks, 2);
    assert_int_equal(mh_control_stats(f->c)->epochs, 2);
}

TEST(test_rejected_commit_answers_too)
{
    struct fixture *f = *state;
    run_to(f, 1000);
    put(f, MH_REG_TOKENS, 1000);
    put(f, MH_REG_SNAPSHOT, 1);
    command_at(f, 1030, MH_REG_COMMIT);
    assert_int_equal(f->rows, 2);
    assert_int_equal(row(f, 1)->latency, 30);
    assert_int_equal(f->row[1].knobs.tokens[0], 48);
    assert_int_equal(mh_control_stats(f->c)->rejects, 1);
}

TEST(test_commit_without_an_epoch)
{
    struct fixture *f = *state;
    command_at(f, 500, MH_REG_COMMIT);
    assert_int_equal(f->rows, 0);
    command_at(f, 1100, MH_REG_COMMIT); /* of an event, say: it read no counters */
    assert_int_equal(f->rows, 0);
    command_at(f, 1150, MH_REG_SNAPSHOT);
    command_at(f, 1200, MH_REG_COMMIT);
    command_at(f, 1250, MH_REG_COMMIT); /* answers nothing */
    assert_int_equal(f->rows, 2);
    assert_int_equal(row(f, 0)->latency, 200);
    assert_int_equal(mh_control_stats(f->c)->latency_count, 1);
    assert_int_equal(mh_control_stats(f->c)->commits, 4);
}

TEST(test_timer1_is_no_epoch)
{
    struct fixture *f = *state;
    put(f, MH_REG_TIMER_CTRL, 0);
    put(f, MH_REG_TIMER_INTERVAL + MH_REG_TIMER_INTERVAL_STRIDE, 100);
    put(f, MH_REG_TIMER_CTRL + MH_REG_TIMER_CTRL_STRIDE, 2);
    command_at(f, 5000, MH_REG_COMMIT);
    assert_int_equal(f->rows, 0);
    assert_int_equal(mh_control_stats(f->c)->epochs, 0);
}

TEST(test_commit_at_the_expiry)
{
    struct fixture *f = *state;
    command_at(f, 1000, MH_REG_SNAPSHOT);
    command_at(f, 1000, MH_REG_COMMIT);
    assert_int_equal(f->rows, 2);
    assert_int_equal(row(f, 0)->latency, 0);
    assert_int_equal(mh_control_stats(f->c)->latency_max, 0);
}

static void end_walk_epoch(struct fixture *f, uint64_t cycle, uint32_t enq0, uint32_t enq1)
{
    const uint32_t enq[MH_MAX_TENANTS] = {enq0, enq1};
    run_to(f, cycle);
    mh_control_walk_epoch(f->c, cycle, enq);
}

/* Answered 30 and 5 cycles later, the second one missed, the last one never. */
TEST(test_walk_epochs)
{
    struct fixture *f = *state;
    const struct mh_control_stats *s = mh_control_stats(f->c);
    end_walk_epoch(f, 100, 7, 3);
    assert_int_equal(get(f, MH_REG_IRQ_PENDING), MH_IRQ_WALK_EPOCH);
    assert_int_equal(get(f, MH_REG_WALK_ENQ), 7);
    assert_int_equal(get(f, MH_REG_WALK_ENQ + MH_REG_WALK_ENQ_STRIDE), 3);
    command_at(f, 130, MH_REG_COMMIT);
    command_at(f, 140, MH_REG_COMMIT); /* answers nothing more */
    end_walk_epoch(f, 200, 1, 9);
    end_walk_epoch(f, 300, 5, 5);
    assert_int_equal(get(f, MH_REG_WALK_ENQ), 5);
    command_at(f, 305, MH_REG_COMMIT);
    end_walk_epoch(f, 400, 10, 0);
    assert_int_equal(s->walk_epochs, 4);
    assert_int_equal(get(f, MH_REG_WALK_EPOCHS), 4);
    assert_int_equal(s->walk_missed, 1);
    assert_int_equal(s->walk_latency_count, 2);
    assert_int_equal(s->walk_latency_sum, 35);
    assert_int_equal(s->walk_latency_max, 30);
}

/* Without a look at WALK_ENQ, a debugger's does not count, a COMMIT is of something else; and the other way round. */
TEST(test_who_is_answered)
{
    struct fixture *f = *state;
    const struct mh_control_stats *s = mh_control_stats(f->c);
    uint32_t value;
    end_walk_epoch(f, 1010, 7, 3);
    assert_int_equal(mh_control_peek(f->c, MH_REG_WALK_ENQ, 4, &value), MH_ACCESS_OK);
    command_at(f, 1020, MH_REG_SNAPSHOT);
    command_at(f, 1030, MH_REG_COMMIT);
    assert_int_equal(s->latency_count, 1);
    assert_int_equal(s->walk_latency_count, 0);
    run_to(f, 2000);
    get(f, MH_REG_WALK_ENQ + MH_REG_WALK_ENQ_STRIDE);
    command_at(f, 2040, MH_REG_COMMIT);
    assert_int_equal(s->latency_count, 1);
    assert_int_equal(s->walk_latency_sum, 2040 - 1010);
    command_at(f, 2050, MH_REG_SNAPSHOT);
    command_at(f, 2060, MH_REG_COMMIT);
    assert_int_equal(s->latency_sum, 30 + 60);
}

TEST_GROUP(.before_each = setup, .after_each = fixture_teardown);
