/* Snapshot, commit, timers, interrupts, events, peek, access log: by hand. */
#include "control_fixture.h"

#define TOKENS(t)        (MH_REG_TOKENS + (t)*MH_REG_TOKENS_STRIDE)
#define CTA_LIMIT(t)     (MH_REG_CTA_LIMIT + (t)*MH_REG_CTA_LIMIT_STRIDE)
#define COUNTER(t, name) (uint32_t)(MH_COUNTER_BASE + (t)*MH_COUNTER_STRIDE + 8 * MH_COUNTER_##name)
#define INTERVAL(k)      (MH_REG_TIMER_INTERVAL + (k)*MH_REG_TIMER_INTERVAL_STRIDE)
#define CTRL(k)          (MH_REG_TIMER_CTRL + (k)*MH_REG_TIMER_CTRL_STRIDE)

static int setup(void **state)
{
    static struct fixture f;
    fixture_open(&f);
    *state = &f;
    return 0;
}

TEST(test_snapshot_is_one_cycle)
{
    struct fixture *f = *state;
    f->gpu.live[0].warp_instr = 0x123456789abcdef0;
    f->gpu.live[1].completions = 7;
    f->now = 0x500000003;
    assert_int_equal(get(f, COUNTER(0, WARP_INSTR)), 0);
    put(f, MH_REG_SNAPSHOT, 1);
    assert_int_equal(f->gpu.restarts, 1);
    f->gpu.live[0].warp_instr = 1;
    f->gpu.live[1].completions = 8;
    f->now = 0x600000000;
    assert_int_equal(get(f, COUNTER(0, WARP_INSTR)), 0x9abcdef0);
    assert_int_equal(get(f, COUNTER(0, WARP_INSTR) + 4), 0x12345678);
    assert_int_equal(get(f, COUNTER(1, COMPLETIONS)), 7);
    assert_int_equal(get(f, MH_REG_SNAP_CYCLE_LO), 3);
    assert_int_equal(get(f, MH_REG_SNAP_CYCLE_HI), 5);
    assert_int_equal(get(f, MH_REG_SNAP_COUNT), 1);
    put(f, MH_REG_SNAPSHOT, 1);
    assert_int_equal(get(f, COUNTER(1, COMPLETIONS)), 8);
    assert_int_equal(get(f, MH_REG_SNAP_COUNT), 2);
}

/* A window: latched all the same, and nothing restarts. */
TEST(test_snapshot_of_a_window)
{
    struct fixture *f = *state;
    f->now = 40;
    f->gpu.live[0].warp_instr = 9;
    put(f, MH_REG_SNAPSHOT, MH_SNAPSHOT_WINDOW);
    assert_int_equal(f->gpu.restarts, 0);
    assert_int_equal(get(f, COUNTER(0, WARP_INSTR)), 9);
    assert_int_equal(get(f, MH_REG_SNAP_CYCLE_LO), 40);
    assert_int_equal(get(f, MH_REG_SNAP_COUNT), 1);
    put(f, MH_REG_SNAPSHOT, 0);
    put(f, MH_REG_SNAPSHOT, 3);
    assert_int_equal(get(f, MH_REG_BAD_WRITES), 2);
    assert_int_equal(get(f, MH_REG_SNAP_COUNT), 1);
}

TEST(test_knobs_at_reset)
{
    struct fixture *f = *state;
    const struct mh_knobs *k = mh_control_knobs(f->c);
    assert_int_equal(k->tokens[0], 48);
    assert_int_equal(k->tokens[1], 48);
    assert_int_equal(k->cta_limit[1], 8);
    assert_int_equal(k->cta_throttle[1], 8);
    assert_int_equal(k->sm_throttle[0] | k->sm_throttle[1] | k->sm_throttle[2] | k->sm_throttle[3], 0);
    assert_int_equal(k->tokens[2], 0);
    assert_int_equal(f->gpu.applies, 0);
}

TEST(test_commit_applies_all)
{
    struct fixture *f = *state;
    put(f, TOKENS(0), 5);
    put(f, CTA_LIMIT(1), 3);
    assert_int_equal(mh_control_knobs(f->c)->tokens[0], 48);
    put(f, MH_REG_COMMIT, 1);
    assert_int_equal(f->gpu.applies, 1);
    assert_int_equal(f->gpu.applied.tokens[0], 5);
    assert_int_equal(f->gpu.applied.tokens[1], 48);
    assert_int_equal(f->gpu.applied.cta_limit[0], 8);
    assert_int_equal(f->gpu.applied.cta_limit[1], 3);
    assert_memory_equal(mh_control_knobs(f->c), &f->gpu.applied, sizeof f->gpu.applied);
    assert_int_equal(get(f, MH_REG_COMMITS), 1);
    assert_int_equal(get(f, MH_REG_COMMIT_STATUS), 0);
}

/* 63 SMs: 32 in word 0, 31 in word 1, none behind. */
TEST(test_sm_mask)
{
    struct fixture *f = *state;
    put(f, MH_REG_SM_THROTTLE_0, UINT32_MAX);
    put(f, MH_REG_SM_THROTTLE_1, 0x7ffffffe);
    put(f, MH_REG_COMMIT, 1);
    assert_int_equal(f->gpu.applied.sm_throttle[0], UINT32_MAX);
    assert_int_equal(f->gpu.applied.sm_throttle[1], 0x7ffffffe);
    static const uint32_t illegal[][2] = {
        {MH_REG_SM_THROTTLE_1, 0x80000000}, {MH_REG_SM_THROTTLE_2, 1}, {MH_REG_SM_THROTTLE_3, 0x80000000}};
    for (unsigned i = 0; i < 3; i++) {
        put(f, illegal[i][0], illegal[i][1]);
        put(f, MH_REG_COMMIT, 1);
        assert_int_equal(get(f, MH_REG_COMMIT_STATUS), 1);
        assert_int_equal(get(f, MH_REG_COMMIT_BAD), illegal[i][0]);
        assert_int_equal(get(f, illegal[i][0]), i ? 0 : 0x7ffffffe);
    }
    assert_int_equal(f->gpu.applies, 1);
}

TEST(test_commit_applies_none)
{
    struct fixture *f = *state;
    put(f, TOKENS(0), 5);
    put(f, CTA_LIMIT(0), 0);
    put(f, TOKENS(1), 49);
    put(f, MH_REG_COMMIT, 1);
    assert_int_equal(f->gpu.applies, 0);
    assert_int_equal(mh_control_knobs(f->c)->tokens[0], 48);
    assert_int_equal(get(f, MH_REG_COMMIT_STATUS), 1);
    assert_int_equal(get(f, MH_REG_COMMIT_BAD), 0x1004);
    assert_int_equal(get(f, MH_REG_REJECTS), 1);
    assert_int_equal(get(f, MH_REG_COMMITS), 0);
    assert_int_equal(mh_control_stats(f->c)->last_reject, 0x1004);
    assert_int_equal(get(f, CTA_LIMIT(0)), 8);
    assert_int_equal(get(f, TOKENS(1)), 48);
    assert_int_equal(get(f, TOKENS(0)), 5);

    put(f, MH_REG_COMMIT, 1); /* what is left in the shadows is legal */
    assert_int_equal(get(f, MH_REG_COMMIT_STATUS), 0);
    assert_int_equal(mh_control_knobs(f->c)->tokens[0], 5);
    assert_int_equal(get(f, MH_REG_COMMIT_BAD), 0x1004);
}

static void refused(struct fixture *f, uint32_t offset, uint32_t value, const char *want)
{
    char text[200] = "";
    put(f, offset, value);
    put(f, MH_REG_COMMIT, 1);
    assert_true(mh_control_refused(f->c, text, sizeof text));
    assert_string_equal(text, want);
}

/* The knob, its copy, its value and what is allowed: of quotas, as of others. */
TEST(test_refused_with_the_numbers)
{
    struct fixture *f = *state;
    char text[200];
    put(f, MH_REG_COMMIT, 1);
    assert_false(mh_control_refused(f->c, text, sizeof text));
    refused(f, CTA_LIMIT(1), 9, "knob CTA_LIMIT[1] was 9, allowed are 1..8");
    refused(f, MH_REG_ISSUE_RATE, 65536, "knob ISSUE_RATE[0] was 65536, allowed are 1..65535");
    refused(f, MH_REG_ISSUE_RATE + MH_TENANT_STRIDE, 0, "knob ISSUE_RATE[1] was 0, allowed are 1..65535");
    refused(f, MH_REG_WARP_QUOTA, UINT32_MAX, "knob WARP_QUOTA[0] was 4294967295, allowed are 0..0");
    refused(f, MH_REG_MEM_QUOTA + MH_TENANT_STRIDE, 1, "knob MEM_QUOTA[1] was 1, allowed are 0..0"); /* no quotas */
    refused(f, MH_REG_SM_CTA_LIMIT_1 + 4 * 62, 9, "knob SM_CTA_LIMIT_1[62] was 9, allowed are 0..8");
    assert_int_equal(f->gpu.applies, 1);
}

/* Shadows only, of every tenant and also illegal ones; COMMIT applies. */
TEST(test_knob_reset)
{
    struct fixture *f = *state;
    put(f, TOKENS(0), 5);
    put(f, CTA_LIMIT(1), 3);
    put(f, MH_REG_SM_THROTTLE_1, 7);
    put(f, MH_REG_COMMIT, 1);
    put(f, TOKENS(1), 49);
    put(f, MH_REG_KNOB_RESET, 0);
    assert_int_equal(get(f, MH_REG_BAD_WRITES), 1);
    assert_int_equal(get(f, TOKENS(0)), 5);
    put(f, MH_REG_KNOB_RESET, 1);
    assert_int_equal(get(f, TOKENS(0)), 48);
    assert_int_equal(get(f, TOKENS(1)), 48);
    assert_int_equal(get(f, CTA_LIMIT(1)), 8);
    assert_int_equal(get(f, MH_REG_SM_THROTTLE_1), 0);
    assert_int_equal(get(f, MH_REG_KNOB_RESET), 0);
    assert_int_equal(mh_control_knobs(f->c)->tokens[0], 5);
    put(f, MH_REG_COMMIT, 1);
    assert_int_equal(get(f, MH_REG_COMMIT_STATUS), 0);
    assert_int_equal(f->gpu.applied.tokens[0], 48);
    assert_int_equal(f->gpu.applied.cta_limit[1], 8);
    assert_int_equal(f->gpu.applied.sm_throttle[1], 0);
}

TEST(test_one_shot_timer)
{
    struct fixture *f = *state;
    assert_true(mh_control_next(f->c) == UINT64_MAX);
    put(f, MH_REG_IRQ_ENABLE, MH_IRQ_TIMER1);
    put(f, INTERVAL(1), 100);
    put(f, INTERVAL(2), 200); /* waits for its TIMER_CTRL */
    f->now = 1000;
    put(f, CTRL(1), 1);
    assert_int_equal(mh_control_next(f->c), 1100);
    run_to(f, 1099);
    assert_false(mh_control_irq(f->c));
    run_to(f, 1100);
    assert_true(mh_control_irq(f->c));
    assert_int_equal(get(f, MH_REG_IRQ_PENDING), MH_IRQ_TIMER1);
    assert_int_equal(get(f, CTRL(1)), 0);
    assert_true(mh_control_next(f->c) == UINT64_MAX);
    assert_int_equal(mh_control_stats(f->c)->epochs, 0);
}

TEST(test_periodic_timer_does_not_drift)
{
    struct fixture *f = *state;
    f->now = 17;
    put(f, INTERVAL(0), 1000);
    put(f, CTRL(0), 2);
    for (uint64_t k = 1; k <= 50; k++) {
        assert_int_equal(mh_control_next(f->c), 17 + 1000 * k);
        run_to(f, 17 + 1000 * k);
        f->now += 13; /* a late acknowledge must not move the next expiry */
        assert_int_equal(get(f, MH_REG_IRQ_PENDING), MH_IRQ_TIMER0);
        put(f, MH_REG_IRQ_PENDING, MH_IRQ_TIMER0);
        if (k == 10)
            put(f, INTERVAL(0), 500); /* waits for TIMER_CTRL */
    }
    assert_int_equal(mh_control_stats(f->c)->epochs, 50);
    put(f, CTRL(0), 2);
    assert_int_equal(mh_control_next(f->c), 17 + 50000 + 13 + 500);
    put(f, CTRL(0), 0);
    assert_true(mh_control_next(f->c) == UINT64_MAX);
}

TEST(test_timers_at_one_cycle)
{
    struct fixture *f = *state;
    put(f, INTERVAL(2), 150);
    put(f, CTRL(2), 2);
    put(f, INTERVAL(0), 300);
    put(f, INTERVAL(1), 200);
    put(f, CTRL(0), 2);
    put(f, CTRL(1), 2);
    assert_int_equal(mh_control_next(f->c), 150);
    run_to(f, 150);
    assert_int_equal(get(f, MH_REG_IRQ_PENDING), 64);
    assert_int_equal(mh_control_next(f->c), 200);
    run_to(f, 450);
    put(f, MH_REG_IRQ_PENDING, 127);
    assert_int_equal(mh_control_next(f->c), 600);
    run_to(f, 600);
    assert_int_equal(get(f, MH_REG_IRQ_PENDING), MH_IRQ_TIMER0 | MH_IRQ_TIMER1 | MH_IRQ_TIMER2);
    assert_int_equal(mh_control_next(f->c), 750);
    put(f, CTRL(2), 0);
    assert_int_equal(mh_control_next(f->c), 800);
    assert_int_equal(get(f, CTRL(1)), 2);
}

TEST(test_pending_enable_acknowledge)
{
    struct fixture *f = *state;
    mh_control_event(f->c, f->now, MH_EVENT_TENANT_DONE, 1, 0x12345);
    assert_false(mh_control_irq(f->c));
    put(f, MH_REG_IRQ_ENABLE, MH_IRQ_TIMER0);
    assert_false(mh_control_irq(f->c));
    put(f, MH_REG_IRQ_ENABLE, MH_IRQ_EVENT);
    assert_true(mh_control_irq(f->c));
    put(f, MH_REG_IRQ_PENDING, MH_IRQ_TIMER0 | MH_IRQ_TIMER1);
    assert_true(mh_control_irq(f->c));
    put(f, MH_REG_IRQ_PENDING, MH_IRQ_EVENT);
    assert_false(mh_control_irq(f->c));
    assert_int_equal(get(f, MH_REG_EVENT_COUNT), 1);
    assert_int_equal(get(f, MH_REG_EVENT_POP), 0x23450101);
    assert_int_equal(get(f, MH_REG_EVENT_POP), 0);
    mh_control_event(f->c, f->now, MH_EVENT_HOST_STATUS, 0, 0);
    assert_true(mh_control_irq(f->c));
}

/* The FIFO of walk arrivals has four places here: the fifth is lost. Acknowledged, it is silent until the next one. */
TEST(test_walk_arrivals)
{
    struct fixture *f = *state;
    for (uint32_t i = 1; i <= 5; i++)
        mh_control_arrival(f->c, f->now, MH_WALK_ARRIVAL_VALID | i);
    assert_int_equal(get(f, MH_REG_WALK_ARRIVALS), 4);
    assert_int_equal(get(f, MH_REG_WALK_ARRIVALS_LOST), 1);
    assert_int_equal(get(f, MH_REG_IRQ_PENDING), MH_IRQ_WALK_ARRIVAL);
    put(f, MH_REG_IRQ_PENDING, MH_IRQ_WALK_ARRIVAL);
    for (uint32_t i = 1; i <= 4; i++)
        assert_int_equal(get(f, MH_REG_WALK_ARRIVAL), MH_WALK_ARRIVAL_VALID | i);
    assert_int_equal(get(f, MH_REG_WALK_ARRIVAL), 0);
    assert_int_equal(get(f, MH_REG_IRQ_PENDING), 0);
    mh_control_arrival(f->c, f->now, MH_WALK_ARRIVAL_VALID | 6);
    assert_int_equal(get(f, MH_REG_WALK_ARRIVALS), 1);
    assert_int_equal(get(f, MH_REG_IRQ_PENDING), MH_IRQ_WALK_ARRIVAL);
}

/* A WALK_SCORE reaches the GPU at once; one that is illegal does not, one for no walk is counted. */
TEST(test_walk_score)
{
    struct fixture *f = *state;
    f->gpu.waits = true;
    put(f, MH_REG_WALK_SCORE, 256u << 20 | 0xfffff);
    assert_int_equal(f->gpu.instruction, 0xfffff);
    assert_int_equal(f->gpu.score, 256);
    put(f, MH_REG_WALK_SCORE, 1u << 20);
    assert_int_equal(f->gpu.instruction, 0);
    assert_int_equal(f->gpu.score, 1);
    put(f, MH_REG_WALK_SCORE, 0xfffff);
    put(f, MH_REG_WALK_SCORE, 257u << 20);
    assert_int_equal(f->gpu.score, 1);
    assert_int_equal(get(f, MH_REG_BAD_WRITES), 2);
    assert_int_equal(get(f, MH_REG_WALK_SCORES_LATE), 0);
    f->gpu.waits = false;
    put(f, MH_REG_WALK_SCORE, 2u << 20);
    assert_int_equal(get(f, MH_REG_WALK_SCORES_LATE), 1);
    assert_int_equal(f->gpu.applies, 0);
}

TEST(test_event_fifo_overflow)
{
    struct fixture *f = *state;
    for (uint32_t round = 0; round < 3; round++) { /* wraps around the ring */
        for (uint32_t i = 0; i < MH_EVENT_FIFO + 5; i++)
            mh_control_event(f->c, f->now, MH_EVENT_TENANT_DONE, 0, i);
        assert_int_equal(get(f, MH_REG_EVENT_COUNT), MH_EVENT_FIFO);
        assert_int_equal(get(f, MH_REG_EVENT_LOST), 5 * (round + 1));
        for (uint32_t i = 0; i < MH_EVENT_FIFO; i++)
            assert_int_equal(get(f, MH_REG_EVENT_POP), i << 16 | MH_EVENT_TENANT_DONE);
        assert_int_equal(get(f, MH_REG_EVENT_POP), MH_EVENT_NONE);
        assert_int_equal(get(f, MH_REG_EVENT_COUNT), 0);
    }
}

TEST(test_host_stop_gets_through_a_full_fifo)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i < MH_EVENT_FIFO + 1; i++)
        mh_control_event(f->c, f->now, MH_EVENT_HOST_STATUS, 0, 0);
    mh_control_event(f->c, f->now, MH_EVENT_HOST_STOP, 0, 0);
    mh_control_event(f->c, f->now, MH_EVENT_HOST_STATUS, 0, 0);
    mh_control_event(f->c, f->now, MH_EVENT_HOST_STOP, 0, 0);
    assert_int_equal(get(f, MH_REG_EVENT_LOST), 3);
    for (uint32_t i = 0; i < MH_EVENT_FIFO; i++)
        assert_int_equal(get(f, MH_REG_EVENT_POP), MH_EVENT_HOST_STATUS);
    assert_int_equal(get(f, MH_REG_EVENT_POP), MH_EVENT_HOST_STOP);
    assert_int_equal(get(f, MH_REG_EVENT_POP), MH_EVENT_NONE);
}

TEST(test_peek_changes_nothing)
{
    struct fixture *f = *state;
    uint32_t value;
    mh_control_event(f->c, f->now, MH_EVENT_TENANT_DONE, 1, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(mh_control_peek(f->c, MH_REG_EVENT_POP, 4, &value), MH_ACCESS_OK);
        assert_int_equal(value, 0x00020101);
        assert_int_equal(mh_control_peek(f->c, 0xfffc, 4, &value), MH_ACCESS_ERROR);
        assert_int_equal(mh_control_peek(f->c, MH_REG_ID, 1, &value), MH_ACCESS_ERROR);
    }
    assert_int_equal(mh_control_stats(f->c)->bad_accesses, 0);
    assert_int_equal(f->accesses, 0);
    assert_int_equal(get(f, MH_REG_EVENT_POP), 0x00020101);
}

static void assert_logged(struct fixture *f, unsigned i, struct access_log want)
{
    assert_int_equal(f->access[i].cycle, want.cycle);
    assert_int_equal(f->access[i].write, want.write);
    assert_int_equal(f->access[i].offset, want.offset);
    assert_int_equal(f->access[i].value, want.value);
    assert_int_equal(f->access[i].result, want.result);
}

TEST(test_observer_sees_every_access)
{
    struct fixture *f = *state;
    uint32_t value;
    f->now = 10;
    get(f, MH_REG_ID);
    f->now = 11;
    put(f, TOKENS(1), 99);
    mh_control_read(f->c, 12, 0x2f00, 4, &value);
    mh_control_write(f->c, 13, MH_REG_ID, 2, 5);
    put(f, MH_REG_ID, 6);
    assert_int_equal(f->accesses, 5);
    assert_logged(f, 0, (struct access_log){10, false, MH_REG_ID, 0x4d48454c, MH_ACCESS_OK});
    assert_logged(f, 1, (struct access_log){11, true, 0x1100, 99, MH_ACCESS_OK});
    assert_logged(f, 2, (struct access_log){12, false, 0x2f00, 0, MH_ACCESS_ERROR});
    assert_logged(f, 3, (struct access_log){13, true, MH_REG_ID, 5, MH_ACCESS_ERROR});
    assert_logged(f, 4, (struct access_log){11, true, MH_REG_ID, 6, MH_ACCESS_OK});
    assert_int_equal(mh_control_stats(f->c)->bad_accesses, 2);
    assert_int_equal(mh_control_stats(f->c)->bad_writes, 1);
    assert_int_equal(get(f, MH_REG_BAD_ACCESSES), 2);
    assert_int_equal(get(f, MH_REG_BAD_WRITES), 1);
}

/* The GPU is asked for what it keeps, told what is legal, and may refuse. */
TEST(test_commands)
{
    struct fixture *f = *state;
    const uint32_t root = MH_REG_SM_ROOT + 62 * MH_REG_SM_ROOT_STRIDE;
    assert_int_equal(get(f, root), 1);
    assert_int_equal(get(f, MH_REG_SM_ROOT + 4), 0);
    put(f, root, 0);
    assert_int_equal(f->gpu.command, root);
    assert_int_equal(f->gpu.value, 0);
    assert_int_equal(get(f, root), 0);
    put(f, root, 2); /* no such tenant: the GPU is not asked */
    assert_int_equal(f->gpu.commands, 1);
    assert_int_equal(get(f, MH_REG_BAD_WRITES), 1);
    f->gpu.refuses = true;
    put(f, root, 1);
    assert_int_equal(f->gpu.commands, 2);
    assert_int_equal(get(f, root), 0);
    assert_int_equal(get(f, MH_REG_BAD_WRITES), 2);
    put(f, MH_REG_TLB_FLUSH, 62);
    assert_int_equal(f->gpu.command, MH_REG_TLB_FLUSH);
    put(f, MH_REG_TLB_FLUSH, 63);
    put(f, MH_REG_PTE_CHANGED, 2);
    assert_int_equal(f->gpu.commands, 3);
    put(f, MH_REG_PTE_CHANGED, 1);
    assert_int_equal(f->gpu.command, MH_REG_PTE_CHANGED);
    assert_int_equal(f->gpu.value, 1);
    assert_int_equal(get(f, MH_REG_TENANTS), 2);
    f->gpu.status = 0x55;
    assert_int_equal(get(f, MH_REG_SM_DRAINING + 4), 0x55);
}

TEST_GROUP(.before_each = setup, .after_each = fixture_teardown);
