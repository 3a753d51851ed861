/* ETC's memory-aware throttling on a fake window: the outcomes of a detection epoch, one by one. */
#include "unit/test.h"

#include "etc_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(etc_memory) POLICY(etc_always_mt) POLICY(etc_throttle)
#include "image/common/image.h"

#define ALL   0x3fffffffu
#define UPPER 0x3fff8000u /* half of 30 */

enum happens { EPOCH, TIMER, RAISED, RAISED_EVICTED, COME, COME_EVICTED, ENOUGH /* memory, at an epoch */ };
enum {
    RUNS = 256 /* the timer, besides FAULT_EVENTS */,
    DETECTS = RUNS | MH_FAULT_RAISED,
    WAITS = RUNS | MH_FAULT_COME
};

/* From a detection epoch on, half of the SMs throttled: what happens, on which SM; SMs throttled then, what runs. */
static const struct {
    const char *name;
    uint8_t own, degree, release; /* throttle_* */
    struct {
        enum happens what;
        uint32_t sm, throttled, runs;
    } step[6]; /* to the first that throttles nothing and lets nothing run, beyond the first */
} cases[] = {
    {"no fault: the SM throttled last is released; the execution epoch hears of nothing",
     0,
     1,
     1,
     {{TIMER, 0, UPPER & ~(1u << 15), RUNS}, {TIMER, 0, UPPER & ~(1u << 15), DETECTS}}},
    {"a fault without an eviction ends the epoch; what comes later means nothing",
     0,
     1,
     1,
     {{RAISED, 3, UPPER, RUNS},
      {COME_EVICTED, 3, UPPER, RUNS},
      {RAISED_EVICTED, 4, UPPER, RUNS},
      {TIMER, 0, UPPER, DETECTS}}},
    {"both: the SM that faulted first, once its fault is resolved; the next time-out releases it",
     0,
     1,
     1,
     {{RAISED_EVICTED, 3, UPPER, WAITS},
      {RAISED_EVICTED, 4, UPPER, WAITS},
      {COME_EVICTED, 4, UPPER, WAITS},
      {COME_EVICTED, 3, UPPER | 1u << 3, RUNS},
      {TIMER, 0, UPPER | 1u << 3, DETECTS},
      {TIMER, 0, UPPER, RUNS}}},
    {"its entry was lost, or it takes long: at the end of the execution epoch",
     0,
     1,
     1,
     {{RAISED_EVICTED, 3, UPPER, WAITS}, {TIMER, 0, UPPER | 1u << 3, DETECTS}}},
    {"allocations shrink: all is as before",
     0,
     1,
     1,
     {{RAISED_EVICTED, 3, UPPER, WAITS}, {ENOUGH, 0, 0, 0}, {COME_EVICTED, 3, 0, 0}}},
    {"four at a time, and two",
     0,
     4,
     2,
     {{RAISED_EVICTED, 3, UPPER, WAITS},
      {COME_EVICTED, 3, UPPER | 0x78, RUNS},
      {TIMER, 0, UPPER | 0x78, DETECTS},
      {TIMER, 0, UPPER | 0x18, RUNS}}},
    {"what the fault itself evicts, before its unit comes, throttles",
     1,
     1,
     1,
     {{RAISED, 3, UPPER, WAITS}, {COME_EVICTED, 3, UPPER | 1u << 3, RUNS}}},
    {"it evicts nothing", 1, 1, 1, {{RAISED, 3, UPPER, WAITS}, {COME, 3, UPPER, RUNS}, {TIMER, 0, UPPER, DETECTS}}},
};

/* Throttled, in the detection epoch. */
static void begin(void)
{
    etc_boot(1);
    etc_hold(ALL);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(etc_throttled(), UPPER);
    etc_expect(true, MH_FAULT_RAISED);
    fake.logged = 0;
}

static void happens(enum happens what, uint32_t sm)
{
    if (what >= RAISED && what <= COME_EVICTED) {
        etc_fault(what >= COME, what == RAISED_EVICTED || what == COME_EVICTED, 0, sm);
        return;
    }
    if (what == ENOUGH)
        fake_counter(0, MH_COUNTER_UVM_ALLOCATED, 100);
    assert_int_equal(what == TIMER ? fake_timer() : fake_epoch(), 0);
}

static void params(uint32_t own, uint32_t by, uint32_t back)
{
    fake_param(throttle_own, own);
    fake_param(throttle_degree, by);
    fake_param(throttle_release, back);
}

TEST(outcomes)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        params(cases[i].own, cases[i].degree, cases[i].release);
        begin();
        for (size_t k = 0; k < 6 && (cases[i].step[k].sm || cases[i].step[k].what != EPOCH); k++) {
            happens(cases[i].step[k].what, cases[i].step[k].sm);
            if (etc_throttled() != cases[i].step[k].throttled)
                fail_msg("%s: step %zu: 0x%x", cases[i].name, k, (unsigned)etc_throttled());
            etc_expect(cases[i].step[k].runs & RUNS, cases[i].step[k].runs & ~(uint32_t)RUNS);
        }
    }
    params(0, 1, 1);
}

/* The latch is armed as a detection epoch begins, and only then; half of the SMs are throttled once. */
TEST(half_first)
{
    etc_boot(1);
    etc_hold(0);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(etc_throttled(), 0); /* no CTAs yet */
    etc_expect(false, 0);
    etc_hold(ALL);
    fake_set(MH_REG_EVICT_ARM, 7);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(etc_throttled(), UPPER);
    assert_int_equal(fake_get(MH_REG_EVICT_ARM), 0);
    etc_expect(true, MH_FAULT_RAISED);
    fake.logged = 0;
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_count(true, MH_REG_SM_THROTTLE_0), 0);
    assert_int_equal(fake_count(true, MH_REG_TIMER_CTRL + MH_REG_TIMER_CTRL_STRIDE), 0);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(fake_count(true, MH_REG_EVICT_ARM), 0);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(fake_count(true, MH_REG_EVICT_ARM), 1);
}

TEST(memory_is_enough)
{
    etc_boot(1);
    etc_hold(ALL);
    happens(ENOUGH, 0);
    for (uint32_t stray = 0; stray < 2; stray++) {
        assert_int_equal(etc_throttled(), 0);
        etc_expect(false, 0);
        happens(RAISED_EVICTED, 3);
        happens(TIMER, 0);
    }
}

/* Faults and the time-out wait together: the fault came first, and the expiry is void. */
TEST(fault_and_expiry_at_once)
{
    begin();
    fake_fault(false, true, 0, 3);
    fake_fault(true, true, 0, 3);
    fake_set(MH_REG_TIMER_CTRL + MH_REG_TIMER_CTRL_STRIDE, 0);
    assert_int_equal(fake_irq(MH_IRQ_PAGE_FAULT | MH_IRQ_TIMER1), 0);
    assert_int_equal(etc_throttled(), UPPER | 1u << 3);
    etc_expect(true, 0);
}

/* Until one SM is left that is active and holds CTAs; a throttled one that faults changes nothing. */
TEST(one_stays_active)
{
    begin();
    for (uint32_t sm = 0; sm < 30; sm++) {
        happens(RAISED_EVICTED, sm);
        happens(COME_EVICTED, sm);
        happens(TIMER, 0);
        etc_expect(true, MH_FAULT_RAISED);
    }
    assert_int_equal(etc_throttled(), ALL & ~(1u << 14));
}

/* All that still holds CTAs is throttled: no fault comes, and each time-out gives one back until none is. */
TEST(frozen_launch_ends)
{
    uint32_t rounds = 0;

    begin();
    etc_hold(UPPER); /* what was active has ended */
    for (; etc_throttled() != 0; rounds++) {
        happens(TIMER, 0);
        happens(TIMER, 0);
    }
    assert_int_equal(rounds, 15);
}

/* Two tenants of 15 SMs each: half of each, one timer, each its own outcome on its own SMs. */
TEST(two_tenants)
{
    etc_boot(2);
    etc_hold(ALL);
    for (uint32_t sm = 0; sm < 30; sm++)
        fake_set(MH_REG_SM_ROOT + 4 * sm, sm >= 15);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(etc_throttled(), 0x7f00); /* 8..14: one begins at a time */
    assert_int_equal(fake_timer(), 0);         /* it is over before the other is there */
    assert_int_equal(etc_throttled(), 0x7e00);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(etc_throttled(), 0x3f800000 | 0x7e00); /* 23..29, too */
    etc_fault(false, true, 1, 16);                          /* not watched yet */
    assert_int_equal(fake_timer(), 0);
    etc_fault(false, true, 1, 16);
    etc_expect(true, MH_FAULT_RAISED | MH_FAULT_COME); /* the other is still watched */
    etc_fault(true, true, 1, 16);
    assert_int_equal(etc_throttled(), 0x3f800000 | 0x7e00 | 1u << 16);
    etc_expect(true, MH_FAULT_RAISED);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(etc_throttled(), 0x3f800000 | 0x7c00 | 1u << 16);
    etc_expect(true, 0);
    assert_int_equal(fake_timer(), 0);
    fake_event(MH_EVENT_TENANT_LEFT, 1, 0);
    assert_int_equal(mh_twin_irq(), 0);
    assert_int_equal(etc_throttled(), 0x7c00);
}

/* An SM of no tenant, or of all: any throttled tenant may take it. */
TEST(shared_sms)
{
    etc_boot(2);
    etc_hold(ALL);
    for (uint32_t sm = 0; sm < 30; sm++)
        fake_set(MH_REG_SM_ROOT + 4 * sm, MH_NO_ROOT);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(etc_throttled(), UPPER); /* half is half for the second, too */
}

TEST(refuses_a_gpu_without_throttle)
{
    fake_assert_refused_with(0);
}
