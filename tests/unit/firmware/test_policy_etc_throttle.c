/* ETC's memory-aware throttling on a fake window: the outcomes of a detection epoch, one by one. */
#include "unit/test.h"

#include "etc_window.h"

/* The image of this test: every tenant is throttled. */
#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(etc_memory) POLICY(etc_always_mt) POLICY(etc_throttle)
#include "image/common/image.h"

#define ALL   0x3fffffffu
#define UPPER 0x3fff8000u /* half of 30 */

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

/* Half first, and the latch is armed as the detection epoch begins. */
static void half_first(void **)
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
    assert_int_equal(fake_epoch(), 0); /* once */
    assert_int_equal(fake_count(true, MH_REG_SM_THROTTLE_0), 0);
    assert_int_equal(fake_count(true, MH_REG_TIMER_CTRL + MH_REG_TIMER_CTRL_STRIDE), 0);
}

static void memory_is_enough(void **)
{
    etc_boot(1);
    etc_hold(ALL);
    fake_counter(0, MH_COUNTER_UVM_ALLOCATED, 100);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(etc_throttled(), 0);
    etc_expect(false, 0);
    etc_fault(false, true, 0, 3); /* a stray one */
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(etc_throttled(), 0);
    etc_expect(false, 0);
}

/* No fault: the SM throttled last, 15, is released; then an execution epoch, which hears of nothing. */
static void no_fault(void **)
{
    begin();
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(etc_throttled(), UPPER & ~(1u << 15));
    etc_expect(true, 0);
    assert_int_equal(fake_count(true, MH_REG_EVICT_ARM), 0);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(etc_throttled(), UPPER & ~(1u << 15));
    etc_expect(true, MH_FAULT_RAISED);
    assert_int_equal(fake_count(true, MH_REG_EVICT_ARM), 1);
}

/* A fault without an eviction: no change. The detection epoch ends with the event, not with its time. */
static void fault_alone(void **)
{
    begin();
    etc_fault(false, false, 0, 3);
    assert_int_equal(etc_throttled(), UPPER);
    etc_expect(true, 0);
    etc_fault(true, true, 0, 3); /* what comes later means nothing */
    etc_fault(false, true, 0, 4);
    assert_int_equal(etc_throttled(), UPPER);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(etc_throttled(), UPPER);
    etc_expect(true, MH_FAULT_RAISED);
}

/* Both: the SM that faulted first, once its fault is resolved, and not before; others' faults mean nothing. */
static void fault_and_eviction(void **)
{
    begin();
    etc_fault(false, true, 0, 3);
    assert_int_equal(etc_throttled(), UPPER);
    etc_expect(true, MH_FAULT_COME);
    etc_fault(false, true, 0, 4);
    etc_fault(true, true, 0, 4);
    assert_int_equal(etc_throttled(), UPPER);
    etc_fault(true, true, 0, 3);
    assert_int_equal(etc_throttled(), UPPER | 1u << 3);
    etc_expect(true, 0);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(fake_timer(), 0); /* no fault: it is the one that is released */
    assert_int_equal(etc_throttled(), UPPER);
}

/* Its entry was lost, or it takes long: at the end of the execution epoch. */
static void never_resolved(void **)
{
    begin();
    etc_fault(false, true, 0, 3);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(etc_throttled(), UPPER | 1u << 3);
    etc_expect(true, MH_FAULT_RAISED);
}

/* Faults and the time-out wait together: the fault came first, and the expiry is void. */
static void fault_and_expiry_at_once(void **)
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
static void one_stays_active(void **)
{
    begin();
    for (uint32_t sm = 0; sm < 30; sm++) {
        etc_fault(false, true, 0, sm);
        etc_fault(true, true, 0, sm);
        assert_int_equal(fake_timer(), 0);
        etc_expect(true, MH_FAULT_RAISED);
    }
    assert_int_equal(etc_throttled(), ALL & ~(1u << 14));
}

/* All that still holds CTAs is throttled: no fault comes, and each time-out gives one back until none is. */
static void frozen_launch_ends(void **)
{
    uint32_t rounds = 0;

    begin();
    etc_hold(UPPER); /* what was active has ended */
    for (; etc_throttled() != 0; rounds++) {
        assert_int_equal(fake_timer(), 0);
        assert_int_equal(fake_timer(), 0);
    }
    assert_int_equal(rounds, 15);
}

/* Allocations shrink: all is as before. */
static void over(void **)
{
    begin();
    etc_fault(false, true, 0, 3);
    fake_counter(0, MH_COUNTER_UVM_ALLOCATED, 100);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(etc_throttled(), 0);
    etc_expect(false, 0);
    etc_fault(true, true, 0, 3);
    assert_int_equal(etc_throttled(), 0);
}

/* Two tenants of 15 SMs each: half of each, one timer, each its own outcome on its own SMs. */
static void two_tenants(void **)
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

/* An SM of nobody's, or of all: whoever is throttled may take it. */
static void shared_sms(void **)
{
    etc_boot(2);
    etc_hold(ALL);
    for (uint32_t sm = 0; sm < 30; sm++)
        fake_set(MH_REG_SM_ROOT + 4 * sm, MH_NO_ROOT);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(etc_throttled(), UPPER); /* half is half for the second, too */
}

static void refuses_a_gpu_without_throttle(void **)
{
    fake_assert_refused_with(0);
}

/* --- Parameters of ETC's throttling: degrees, and which evictions count. */


/* Before each test: the defaults. */
static int setup(void **)
{
    fake_param(throttle_degree, 1);
    fake_param(throttle_release, 1);
    fake_param(throttle_own, 0);
    return 0;
}

static void four_and_two(void **)
{
    fake_param(throttle_degree, 4);
    fake_param(throttle_release, 2);
    etc_boot(1);
    etc_hold(ALL);
    assert_int_equal(fake_epoch(), 0);
    etc_fault(false, true, 0, 3);
    etc_fault(true, true, 0, 3);
    assert_int_equal(etc_throttled(), UPPER | 0x78);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(etc_throttled(), UPPER | 0x18);
}

static void begin_params(void)
{
    etc_boot(1);
    etc_hold(ALL);
    assert_int_equal(fake_epoch(), 0);
    etc_expect(true, MH_FAULT_RAISED);
}

/* What the fault itself evicts, before its unit comes, throttles. */
static void evicts_by_itself(void **)
{
    fake_param(throttle_own, 1);
    begin_params();
    etc_fault(false, false, 0, 3);
    etc_expect(true, MH_FAULT_COME);
    etc_fault(true, true, 0, 3);
    assert_int_equal(etc_throttled(), UPPER | 1u << 3);
    etc_expect(true, 0);
}

static void evicts_nothing(void **)
{
    fake_param(throttle_own, 1);
    begin_params();
    etc_fault(false, false, 0, 3);
    etc_fault(true, false, 0, 3);
    assert_int_equal(etc_throttled(), UPPER);
    etc_expect(true, 0);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(etc_throttled(), UPPER);
}

int test_policy_etc_throttle(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(half_first),
                                       cmocka_unit_test(memory_is_enough),
                                       cmocka_unit_test(no_fault),
                                       cmocka_unit_test(fault_alone),
                                       cmocka_unit_test(fault_and_eviction),
                                       cmocka_unit_test(never_resolved),
                                       cmocka_unit_test(fault_and_expiry_at_once),
                                       cmocka_unit_test(one_stays_active),
                                       cmocka_unit_test(frozen_launch_ends),
                                       cmocka_unit_test(over),
                                       cmocka_unit_test(two_tenants),
                                       cmocka_unit_test(shared_sms),
                                       cmocka_unit_test(refuses_a_gpu_without_throttle),
                                       cmocka_unit_test_setup(four_and_two, setup),
                                       cmocka_unit_test_setup(evicts_by_itself, setup),
                                       cmocka_unit_test_setup(evicts_nothing, setup)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
