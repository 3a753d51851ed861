/* Event sources: each thing raised is answered or missed once; latencies by hand. And the safe state. */
#include "control_fixture.h"

static int setup(void **state)
{
    static struct fixture f;
    fixture_open(&f);
    *state = &f;
    return 0;
}

/* raised, answered, missed, latency sum and maximum. */
static void expect(struct fixture *f, enum mh_source source, uint64_t raised, uint64_t answered, uint64_t missed,
                   uint64_t sum, uint64_t max)
{
    const struct mh_source_stats *s = &mh_control_stats(f->c)->source[source];
    assert_int_equal(s->raised, raised);
    assert_int_equal(s->answered, answered);
    assert_int_equal(s->missed, missed);
    assert_int_equal(s->latency_sum, sum);
    assert_int_equal(s->latency_max, max);
}

static void put_at(struct fixture *f, uint64_t cycle, uint32_t offset, uint32_t value)
{
    run_to(f, cycle);
    put(f, offset, value);
}

static void start_epochs(struct fixture *f, uint32_t interval)
{
    put(f, MH_REG_TIMER_INTERVAL, interval);
    put(f, MH_REG_TIMER_CTRL, 2);
}

/* Answered after 40 and 10 cycles, one missed, one open; the old names say the same. */
TEST(test_epochs)
{
    struct fixture *f = *state;
    const struct mh_control_stats *s = mh_control_stats(f->c);
    start_epochs(f, 1000);
    put_at(f, 1030, MH_REG_SNAPSHOT, 1);
    put_at(f, 1040, MH_REG_COMMIT, 1);
    put_at(f, 3005, MH_REG_SNAPSHOT, 1); /* of the third: the second is missed by now */
    put_at(f, 3010, MH_REG_COMMIT, 1);
    run_to(f, 4000);
    expect(f, MH_SOURCE_EPOCH, 4, 2, 1, 50, 40);
    assert_int_equal(s->epochs, 4);
    assert_int_equal(s->latency_count, 2);
    assert_int_equal(s->missed, 1);
    assert_int_equal(s->latency_sum, 50);
    assert_int_equal(s->latency_max, 40);
}

static void end_walk_epoch(struct fixture *f, uint64_t cycle)
{
    const uint32_t enq[MH_MAX_TENANTS] = {1, 2};
    run_to(f, cycle);
    mh_control_walk_epoch(f->c, cycle, enq);
}

TEST(test_walk_epochs)
{
    struct fixture *f = *state;
    end_walk_epoch(f, 100);
    get(f, MH_REG_WALK_ENQ);
    put_at(f, 107, MH_REG_COMMIT, 1);
    end_walk_epoch(f, 200);
    put_at(f, 210, MH_REG_COMMIT, 1); /* has not looked */
    end_walk_epoch(f, 300);
    expect(f, MH_SOURCE_WALK_EPOCH, 3, 1, 1, 7, 7);
    assert_int_equal(mh_control_stats(f->c)->walk_epochs, 3);
    assert_int_equal(mh_control_stats(f->c)->walk_missed, 1);
    expect(f, MH_SOURCE_EPOCH, 0, 0, 0, 0, 0);
}

static void event_at(struct fixture *f, uint64_t cycle, uint32_t kind)
{
    run_to(f, cycle);
    mh_control_event(f->c, cycle, kind, 0, 0);
}

/* The COMMIT answers what has been taken, and that alone. Only tenants that come or go count. */
TEST(test_tenants)
{
    struct fixture *f = *state;
    event_at(f, 100, MH_EVENT_TENANT_ARRIVED);
    event_at(f, 150, MH_EVENT_TENANT_DONE);
    event_at(f, 160, MH_EVENT_HOST_STATUS);
    event_at(f, 200, MH_EVENT_TENANT_LEFT);
    event_at(f, 210, MH_EVENT_TENANT_ARRIVED);
    for (int i = 0; i < 4; i++)
        get(f, MH_REG_EVENT_POP);
    expect(f, MH_SOURCE_TENANT, 3, 0, 0, 0, 0);
    put_at(f, 250, MH_REG_COMMIT, 1);
    expect(f, MH_SOURCE_TENANT, 3, 2, 0, 150 + 50, 150);
    put_at(f, 260, MH_REG_COMMIT, 1); /* the last one has not been taken */
    expect(f, MH_SOURCE_TENANT, 3, 2, 0, 200, 150);
    get(f, MH_REG_EVENT_POP);
    put_at(f, 270, MH_REG_TOKENS, 1000); /* a rejected COMMIT answers as well */
    put(f, MH_REG_COMMIT, 1);
    expect(f, MH_SOURCE_TENANT, 3, 3, 0, 260, 150);
}

/* In time is up to one epoch, 100 000 cycles, later; after that the answer is none. */
TEST(test_tenants_late)
{
    struct fixture *f = *state;
    event_at(f, 1000, MH_EVENT_TENANT_LEFT);
    event_at(f, 1001, MH_EVENT_TENANT_ARRIVED);
    get(f, MH_REG_EVENT_POP);
    get(f, MH_REG_EVENT_POP);
    put_at(f, 101001, MH_REG_COMMIT, 1);
    expect(f, MH_SOURCE_TENANT, 2, 1, 1, 100000, 100000);
}

TEST(test_tenants_lost)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i < MH_EVENT_FIFO; i++)
        event_at(f, i, MH_EVENT_TENANT_DONE);
    event_at(f, 100, MH_EVENT_TENANT_LEFT);
    expect(f, MH_SOURCE_TENANT, 1, 0, 1, 0, 0);
    assert_int_equal(get(f, MH_REG_EVENT_LOST), 1);
}

/* Without a COMMIT ever, firmware that empties the FIFO again and again misses what is not remembered any more. */
TEST(test_tenants_taken_without_end)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i < 70; i++) {
        event_at(f, i, MH_EVENT_TENANT_LEFT);
        get(f, MH_REG_EVENT_POP);
    }
    expect(f, MH_SOURCE_TENANT, 70, 0, 5, 0, 0); /* 65 are */
    put_at(f, 100, MH_REG_COMMIT, 1);
    expect(f, MH_SOURCE_TENANT, 70, 65, 5, 65 * 100 - 64 * 65 / 2, 100);
}

static void arrive(struct fixture *f, uint64_t cycle, uint32_t instruction)
{
    run_to(f, cycle);
    mh_control_arrival(f->c, cycle, MH_WALK_ARRIVAL_VALID | instruction);
}

static void score_at(struct fixture *f, uint64_t cycle, uint32_t instruction, bool waits)
{
    f->gpu.waits = waits;
    put_at(f, cycle, MH_REG_WALK_SCORE, 1u << MH_WALK_INSTR_BITS | instruction);
}

/* Four places. Scored in time, scored late, never scored, and one that finds the FIFO full. */
TEST(test_arrivals)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i < 5; i++)
        arrive(f, 10 + i, 100 + i);
    expect(f, MH_SOURCE_ARRIVAL, 5, 0, 1, 0, 0);
    get(f, MH_REG_WALK_ARRIVAL);
    score_at(f, 30, 100, true);
    score_at(f, 31, 100, true); /* again: it is answered */
    expect(f, MH_SOURCE_ARRIVAL, 5, 1, 1, 20, 20);
    get(f, MH_REG_WALK_ARRIVAL);
    score_at(f, 40, 101, false);
    expect(f, MH_SOURCE_ARRIVAL, 5, 1, 2, 20, 20);
    get(f, MH_REG_WALK_ARRIVAL); /* 102: not scored */
    get(f, MH_REG_WALK_ARRIVAL);
    score_at(f, 50, 102, true); /* was not the last one taken */
    score_at(f, 63, 103, true);
    expect(f, MH_SOURCE_ARRIVAL, 5, 2, 2, 20 + 50, 50);
    get(f, MH_REG_WALK_ARRIVAL); /* there is none */
    score_at(f, 70, 0, true);
    expect(f, MH_SOURCE_ARRIVAL, 5, 2, 2, 70, 50);
    assert_int_equal(get(f, MH_REG_WALK_SCORES_LATE), 1);
}

/* The low word of the cycle is enough. */
TEST(test_arrival_at_the_wrap)
{
    struct fixture *f = *state;
    arrive(f, 0xfffffff0, 7);
    get(f, MH_REG_WALK_ARRIVAL);
    score_at(f, 0x100000010, 7, true);
    expect(f, MH_SOURCE_ARRIVAL, 1, 1, 0, 0x20, 0x20);
}

static void want_faults(struct fixture *f, uint32_t which)
{
    put(f, MH_REG_FAULT_EVENTS, which);
    put(f, MH_REG_COMMIT, 1);
}

static void fault_at(struct fixture *f, uint64_t cycle, bool come, uint32_t tenant, uint32_t sm)
{
    run_to(f, cycle);
    mh_control_page_fault(f->c, cycle, come, tenant, sm);
}

/* Only those that the knob in force asks for are queued; each sets the bit of its own, and no other. */
TEST(test_page_faults_wanted)
{
    struct fixture *f = *state;
    fault_at(f, 10, false, 0, 1);
    fault_at(f, 11, true, 0, 1);
    assert_int_equal(get(f, MH_REG_PAGE_FAULTS), 0);
    want_faults(f, MH_FAULT_COME);
    fault_at(f, 20, false, 1, 61);
    assert_int_equal(get(f, MH_REG_IRQ_PENDING), 0);
    fault_at(f, 21, true, 1, 62);
    assert_int_equal(get(f, MH_REG_IRQ_PENDING), MH_IRQ_PAGE_FAULT);
    want_faults(f, MH_FAULT_RAISED);
    fault_at(f, 30, true, 0, 2);
    fault_at(f, 31, false, 0, 3);
    assert_int_equal(get(f, MH_REG_PAGE_FAULTS), 2);
    assert_int_equal(get(f, MH_REG_EVENT_COUNT), 0);
    assert_int_equal(get(f, MH_REG_PAGE_FAULT), 0xc13e0000); /* there is one, its unit has come, tenant 1, SM 62 */
    assert_int_equal(get(f, MH_REG_PAGE_FAULT), 0x80030000);
    assert_int_equal(get(f, MH_REG_PAGE_FAULT), 0);
    expect(f, MH_SOURCE_PAGE_FAULT, 2, 0, 0, 0, 0);
}

/* Per tenant, from its EVICT_ARM on; an entry keeps what it was when it was queued. */
TEST(test_eviction_latch)
{
    struct fixture *f = *state;
    want_faults(f, MH_FAULT_RAISED);
    fault_at(f, 10, false, 0, 0);
    mh_control_evicted(f->c, 0);
    fault_at(f, 11, false, 0, 0);
    fault_at(f, 12, false, 1, 0);
    put(f, MH_REG_EVICT_ARM, 1);
    fault_at(f, 13, false, 0, 0);
    put(f, MH_REG_EVICT_ARM, 0);
    fault_at(f, 14, false, 0, 0);
    static const bool evicted[] = {false, true, false, true, false};
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal((get(f, MH_REG_PAGE_FAULT) & MH_PAGE_FAULT_EVICTED) != 0, evicted[i]);
    put(f, MH_REG_EVICT_ARM, 2); /* no such tenant */
    assert_int_equal(get(f, MH_REG_BAD_WRITES), 1);
}

/* A COMMIT answers all that were taken, up to the latency of a fault, 20 400 cycles here. */
TEST(test_page_faults)
{
    struct fixture *f = *state;
    want_faults(f, MH_FAULT_RAISED);
    fault_at(f, 0xfffffff0, false, 0, 0); /* low words of cycles are enough */
    fault_at(f, 0x100000000, false, 1, 0);
    fault_at(f, 0x100000008, false, 1, 0);
    get(f, MH_REG_PAGE_FAULT);
    get(f, MH_REG_PAGE_FAULT);
    put_at(f, 0x100000010, MH_REG_COMMIT, 1);
    expect(f, MH_SOURCE_PAGE_FAULT, 3, 2, 0, 0x20 + 0x10, 0x20);
    get(f, MH_REG_PAGE_FAULT);
    put_at(f, 0x100000008 + 20401, MH_REG_COMMIT, 1);
    expect(f, MH_SOURCE_PAGE_FAULT, 3, 2, 1, 0x30, 0x20);
    fault_at(f, 0x100010000, false, 1, 0);
    get(f, MH_REG_PAGE_FAULT);
    put_at(f, 0x100010000 + 20400, MH_REG_COMMIT, 1);
    expect(f, MH_SOURCE_PAGE_FAULT, 4, 3, 1, 0x30 + 20400, 20400);
}

/* Its FIFO is full: events of tenants, walk arrivals and the epoch go on. */
TEST(test_page_faults_lost)
{
    struct fixture *f = *state;
    want_faults(f, MH_FAULT_RAISED | MH_FAULT_COME);
    for (uint32_t i = 0; i < MH_PAGE_FAULT_FIFO + 3; i++)
        fault_at(f, i, i % 2, 0, 0);
    expect(f, MH_SOURCE_PAGE_FAULT, MH_PAGE_FAULT_FIFO + 3, 0, 3, 0, 0);
    assert_int_equal(get(f, MH_REG_PAGE_FAULTS_LOST), 3);
    event_at(f, 100, MH_EVENT_TENANT_LEFT);
    arrive(f, 101, 7);
    assert_int_equal(get(f, MH_REG_EVENT_COUNT), 1);
    assert_int_equal(get(f, MH_REG_WALK_ARRIVALS), 1);
    put(f, MH_REG_IRQ_PENDING, MH_IRQ_PAGE_FAULT);
    assert_int_equal(get(f, MH_REG_IRQ_PENDING), MH_IRQ_EVENT | MH_IRQ_WALK_ARRIVAL);
    /* No COMMIT: 64 are remembered as taken, those after them are missed. */
    for (uint32_t i = 0; i < MH_PAGE_FAULT_FIFO; i++)
        get(f, MH_REG_PAGE_FAULT);
    fault_at(f, 200, false, 0, 0);
    get(f, MH_REG_PAGE_FAULT);
    expect(f, MH_SOURCE_PAGE_FAULT, MH_PAGE_FAULT_FIFO + 4, 0, 4, 0, 0);
}

static uint32_t timer_ctrl(uint32_t timer)
{
    return MH_REG_TIMER_CTRL + timer * MH_REG_TIMER_CTRL_STRIDE;
}

static void set_timer(struct fixture *f, uint32_t timer, uint64_t cycle, uint32_t interval)
{
    run_to(f, cycle);
    put(f, MH_REG_TIMER_INTERVAL + timer * MH_REG_TIMER_INTERVAL_STRIDE, interval);
    put(f, timer_ctrl(timer), 1);
}

/* Answered after a look at TIMER_CTRL or a new interval; not by a COMMIT alone; the next expiry misses it. */
static void policies_timer(struct fixture *f, uint32_t timer, enum mh_source source, uint32_t other)
{
    set_timer(f, timer, 0, 100);
    put_at(f, 110, MH_REG_COMMIT, 1);
    expect(f, source, 1, 0, 0, 0, 0);
    get(f, timer_ctrl(0)); /* another timer: says nothing of this one */
    get(f, timer_ctrl(other));
    put_at(f, 120, MH_REG_COMMIT, 1);
    expect(f, source, 1, 0, 0, 0, 0);
    get(f, timer_ctrl(timer));
    put_at(f, 130, MH_REG_COMMIT, 1);
    expect(f, source, 1, 1, 0, 30, 30);
    set_timer(f, timer, 200, 100);
    set_timer(f, timer, 305, 100);
    put_at(f, 307, MH_REG_COMMIT, 1);
    expect(f, source, 2, 2, 0, 37, 30);
    run_to(f, 405);
    set_timer(f, timer, 410, 100);
    run_to(f, 510);
    expect(f, source, 4, 2, 1, 37, 30);
    expect(f, MH_SOURCE_EPOCH, 0, 0, 0, 0, 0);
}

TEST(test_timer)
{
    policies_timer(*state, 1, MH_SOURCE_TIMER, 2);
    expect(*state, MH_SOURCE_TIMER_2, 0, 0, 0, 0, 0);
}

TEST(test_timer_2)
{
    policies_timer(*state, 2, MH_SOURCE_TIMER_2, 1);
    expect(*state, MH_SOURCE_TIMER, 0, 0, 0, 0, 0);
}

/* A policy's window while an epoch is open: its COMMIT answers the timer, the epoch waits for its own SNAPSHOT. */
TEST(test_window_beside_an_epoch)
{
    struct fixture *f = *state;
    start_epochs(f, 1000);
    set_timer(f, 2, 0, 990);
    f->gpu.live[0].walks = 5;
    run_to(f, 1005);
    get(f, timer_ctrl(2));
    put(f, MH_REG_SNAPSHOT, MH_SNAPSHOT_WINDOW);
    put_at(f, 1010, MH_REG_COMMIT, 1);
    expect(f, MH_SOURCE_TIMER_2, 1, 1, 0, 20, 20);
    expect(f, MH_SOURCE_EPOCH, 1, 0, 0, 0, 0);
    assert_int_equal(f->rows, 0);
    f->gpu.live[0].walks = 7;
    put_at(f, 1015, MH_REG_SNAPSHOT, MH_SNAPSHOT_EPOCH);
    put_at(f, 1030, MH_REG_COMMIT, 1);
    expect(f, MH_SOURCE_EPOCH, 1, 1, 0, 30, 30);
    assert_int_equal(f->rows, 2);
    assert_int_equal(f->row[0].row.delta.walks, 7);
}

/* Knobs at reset and in force, no interrupt, what was open is missed; epochs, FIFOs and counts go on. */
TEST(test_safe)
{
    struct fixture *f = *state;
    start_epochs(f, 1000);
    put(f, MH_REG_IRQ_ENABLE, 127);
    put(f, MH_REG_TOKENS, 20);
    put(f, MH_REG_WALK_STEAL, MH_STEAL_DWS);
    want_faults(f, MH_FAULT_RAISED | MH_FAULT_COME);
    put(f, MH_REG_TOKENS, 10000); /* a shadow, left half way */
    event_at(f, 900, MH_EVENT_TENANT_LEFT);
    event_at(f, 910, MH_EVENT_TENANT_ARRIVED);
    get(f, MH_REG_EVENT_POP);
    end_walk_epoch(f, 950);
    set_timer(f, 1, 960, 100); /* expires at 1060 */
    set_timer(f, 2, 960, 110);
    fault_at(f, 970, false, 0, 5);
    fault_at(f, 980, true, 0, 5);
    get(f, MH_REG_PAGE_FAULT);
    put_at(f, 1005, MH_REG_SNAPSHOT, 1);
    f->gpu.live[0].walks = 77;
    assert_true(mh_control_irq(f->c));
    run_to(f, 1500);
    mh_control_safe(f->c);

    assert_int_equal(f->gpu.applies, 2);
    assert_int_equal(f->gpu.applied.tokens[0], 48);
    assert_int_equal(f->gpu.applied.walk_steal, MH_STEAL_NEVER);
    assert_memory_equal(mh_control_knobs(f->c), &f->gpu.applied, sizeof f->gpu.applied);
    assert_int_equal(get(f, MH_REG_TOKENS), 48);
    assert_int_equal(get(f, MH_REG_COMMITS), 1);
    assert_int_equal(get(f, MH_REG_IRQ_ENABLE), 0);
    assert_false(mh_control_irq(f->c));
    expect(f, MH_SOURCE_EPOCH, 1, 0, 1, 0, 0);
    expect(f, MH_SOURCE_WALK_EPOCH, 1, 0, 1, 0, 0);
    expect(f, MH_SOURCE_TENANT, 2, 0, 1, 0, 0);
    assert_int_equal(get(f, MH_REG_EVENT_COUNT), 1);
    expect(f, MH_SOURCE_PAGE_FAULT, 2, 0, 1, 0, 0);
    expect(f, MH_SOURCE_TIMER, 1, 0, 1, 0, 0);
    expect(f, MH_SOURCE_TIMER_2, 1, 0, 1, 0, 0);
    assert_int_equal(get(f, MH_REG_PAGE_FAULTS), 1);

    /* The row of the decision that did not come: up to here, not up to its SNAPSHOT, with the knobs it left. */
    assert_int_equal(f->rows, 2);
    assert_true(f->row[0].row.latency == UINT64_MAX);
    assert_int_equal(f->row[0].row.delta.walks, 77);
    assert_int_equal(f->row[0].knobs.tokens[0], 20);

    /* The COMMIT of a boot answers nothing; the row of the next epoch has the safe knobs. */
    put_at(f, 1600, MH_REG_COMMIT, 1);
    expect(f, MH_SOURCE_EPOCH, 1, 0, 1, 0, 0);
    put_at(f, 2001, MH_REG_SNAPSHOT, 1);
    put_at(f, 2003, MH_REG_COMMIT, 1);
    expect(f, MH_SOURCE_EPOCH, 2, 1, 1, 3, 3);
    assert_int_equal(f->rows, 4);
    assert_int_equal(f->row[2].knobs.tokens[0], 48);
    assert_int_equal(f->row[2].row.epoch, 1);
}

/* A firmware that is gone has set timers, acknowledged events that it did not take, latched counters, armed tenants. */
TEST(test_safe_timers_and_fifos)
{
    struct fixture *f = *state;
    uint32_t pending;
    start_epochs(f, 1000);
    put(f, MH_REG_TIMER_INTERVAL + MH_REG_TIMER_INTERVAL_STRIDE, 100);
    put(f, timer_ctrl(1), 2);
    want_faults(f, MH_FAULT_RAISED);
    event_at(f, 10, MH_EVENT_TENANT_LEFT);
    mh_control_evicted(f->c, 0);
    f->gpu.live[0].walks = 5;
    put(f, MH_REG_SNAPSHOT, 1);
    run_to(f, 1050);
    put(f, MH_REG_IRQ_PENDING, MH_IRQ_EVENT);
    mh_control_safe(f->c);

    pending = get(f, MH_REG_IRQ_PENDING);
    assert_int_equal(pending, MH_IRQ_EVENT); /* the event waits; the timers' bits are gone */
    assert_int_equal(get(f, MH_COUNTER_BASE + 8 * MH_COUNTER_WALKS), 0);
    assert_int_equal(get(f, MH_REG_SNAP_CYCLE_LO), 0);
    assert_int_equal(get(f, timer_ctrl(1)), 0);
    assert_int_equal(get(f, MH_REG_TIMER_INTERVAL + MH_REG_TIMER_INTERVAL_STRIDE), 100000);
    run_to(f, 5500);
    expect(f, MH_SOURCE_TIMER, 10, 0, 10, 0, 0);
    expect(f, MH_SOURCE_EPOCH, 5, 0, 4, 0, 0);
    want_faults(f, MH_FAULT_RAISED);
    fault_at(f, 5600, false, 0, 5);
    assert_int_equal(get(f, MH_REG_PAGE_FAULT) & MH_PAGE_FAULT_EVICTED, 0);
}

TEST_GROUP(.before_each = setup, .after_each = fixture_teardown);
