/* Policies of kernels that share SMs on a fake window: what a window is, when it begins, what starts all anew. */
#include "unit/test.h"

#include "corun_window.h"

#include "policy/ccbp/ccbp_plan.h"
#include "policy/corun/corun.h"
#include "random.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp)
#include "image/common/image.h"

enum { FREE = CCBP_RATE_MAX, LAST_TICK = 1000 };

/* --- corun.h by itself. */

static const struct gpu_caps caps = {.sms = 40, .tenants = 8, .warps = 64, .lanes = 32, .cta_slots = 10};
static struct corun corun;

TEST(reads_sms_and_ctas)
{
    struct ccbp_sm sm, cta;

    corun_boot(1);
    corun_read_sm(&caps, &sm);
    assert_int_equal(sm.amount[CCBP_REGISTERS], 10000);
    assert_int_equal(sm.amount[CCBP_SHARED], 10000);
    assert_int_equal(sm.amount[CCBP_THREADS], 2048);
    assert_int_equal(sm.slots, 10);
    for (uint32_t threads = 1; threads <= 1024; threads++) {
        fake_set(MH_REG_CTA_THREADS + 7 * MH_TENANT_STRIDE, threads);
        fake_set(MH_REG_CTA_REGISTERS + 7 * MH_TENANT_STRIDE, 300);
        fake_set(MH_REG_CTA_SHARED + 7 * MH_TENANT_STRIDE, 40);
        corun_read_cta(&caps, 7, &cta);
        assert_int_equal(cta.amount[CCBP_THREADS], 32 * (threads / 32 + (threads % 32 != 0)));
        assert_int_equal(cta.amount[CCBP_REGISTERS], 300);
        assert_int_equal(cta.amount[CCBP_SHARED], 40);
        assert_int_equal(cta.slots, 1);
    }
}

/* Kernels that can all have the least rate. */
static void boot_eight(void)
{
    corun_reset(8);
    fake_set(MH_REG_CAP_NOC_PEAK, 80000);
    fake_set(MH_REG_CAP_DRAM_PEAK, 60000);
    fake_boot();
}

TEST(finds_who_is_there)
{
    struct ccbp_sm ctas[GPU_MAX_TENANTS];

    boot_eight();
    for (uint32_t there = 0; there < 256; there++) {
        uint32_t k = 0;

        fake_set(MH_REG_TENANTS, there);
        for (uint32_t tenant = 0; tenant < 8; tenant++)
            corun_cta(tenant, tenant + 1);
        corun_find(&corun, &caps, ctas);
        for (uint32_t tenant = 0; tenant < 8; tenant++)
            if (there & 1u << tenant) {
                assert_int_equal(corun.tenant[k], tenant);
                assert_int_equal(ctas[k++].amount[CCBP_REGISTERS], (tenant + 1) * 1000);
            }
        assert_int_equal(corun.count, k);
        assert_int_equal(corun_count(&caps, there), k);
    }
}

static void counters(uint32_t tenant, uint64_t value)
{
    fake_counter(tenant, MH_COUNTER_WARP_INSTR, value);
    fake_counter(tenant, MH_COUNTER_REQUESTS, value + 1);
    fake_counter(tenant, MH_COUNTER_REQUEST_READS, value + 2);
    fake_counter(tenant, MH_COUNTER_DRAM_CAUSED, value + 3);
    fake_counter(tenant, MH_COUNTER_ISSUE_DEMAND, value + 4);
}

/* Tenants 2 and 7, across 2^32 of counters and of cycles. */
TEST(windows_are_differences)
{
    struct ccbp_sm ctas[GPU_MAX_TENANTS];
    uint64_t random = 1;

    boot_eight();
    fake_set(MH_REG_TENANTS, 1 << 2 | 1 << 7);
    corun_find(&corun, &caps, ctas);
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t start = random_next(&random), cycle = random_next(&random);
        uint32_t first = (uint32_t)random_next(&random), second = (uint32_t)random_next(&random);
        uint32_t cycles = (uint32_t)random_next(&random);
        struct ccbp_window window;

        counters(2, start);
        counters(7, ~start);
        fake_set(MH_REG_SNAP_CYCLE_LO, (uint32_t)cycle);
        corun_snapshot(&corun);
        counters(2, start + first);
        counters(7, ~start + second);
        fake_set(MH_REG_SNAP_CYCLE_LO, (uint32_t)cycle + cycles);
        fake.logged = 0;
        corun_snapshot(&corun);
        assert_int_equal(fake.log[0].offset, MH_REG_SNAPSHOT);
        assert_int_equal(fake_count(true, MH_REG_SNAPSHOT), 1);
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t expected = k ? second : first;

            window = corun_window(&corun, k);
            assert_int_equal(window.cycles, cycles);
            assert_int_equal(window.requests, expected);
            assert_int_equal(window.caused[CCBP_NOC], expected);
            assert_int_equal(window.caused[CCBP_DRAM], expected);
            assert_int_equal(window.demand, expected);
            assert_int_equal(corun.window[k].instructions, expected);
        }
    }
}

/* Each counter is its own. */
TEST(windows_have_five_counters)
{
    static const enum mh_counter_index index[] = {MH_COUNTER_WARP_INSTR, MH_COUNTER_REQUESTS, MH_COUNTER_REQUEST_READS,
                                                  MH_COUNTER_DRAM_CAUSED, MH_COUNTER_ISSUE_DEMAND};
    struct ccbp_sm ctas[GPU_MAX_TENANTS];
    struct ccbp_window window;

    corun_boot(2);
    corun_find(&corun, &caps, ctas);
    corun_snapshot(&corun);
    for (uint32_t i = 0; i < 5; i++)
        fake_counter(1, index[i], 10 + i);
    corun_snapshot(&corun);
    window = corun_window(&corun, 1);
    assert_int_equal(corun.window[1].instructions, 10);
    assert_int_equal(window.requests, 11);
    assert_int_equal(window.caused[CCBP_NOC], 12);
    assert_int_equal(window.caused[CCBP_DRAM], 13);
    assert_int_equal(window.demand, 14);
    assert_int_equal(corun.window[0].instructions, 0);
}

/* 40 SMs. Tenants 1 and 6: of each word of SM_CTAS one. */
TEST(drains_in_parts)
{
    static const uint8_t limits[] = {3, 5};
    struct ccbp_sm ctas[GPU_MAX_TENANTS];

    boot_eight();
    fake_set(MH_REG_TENANTS, 1 << 1 | 1 << 6);
    corun_find(&corun, &caps, ctas);
    for (uint32_t sm = 0; sm < 40; sm++) {
        corun_holds(sm, 0, 9); /* is not there */
        corun_holds(sm, 1, 3);
        corun_holds(sm, 6, 5);
    }
    for (uint32_t round = 0; round < 2; round++) {
        corun_drain(&corun, false);
        for (uint32_t end = CORUN_SMS_AT_ONCE; corun.drained < 40; end += CORUN_SMS_AT_ONCE) {
            uint32_t all = end < 40 ? end : 40, looked_at = all + CORUN_SMS_AT_ONCE - end;

            fake.logged = 0;
            assert_int_equal(corun_drained(&corun, &caps, limits), all == 40);
            assert_int_equal(corun.drained, all);
            assert_int_equal(fake.logged, 2 * looked_at);
        }
    }
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t sm = 0; sm < 40; sm++) {
            corun_drain(&corun, false);
            corun_holds(sm, k ? 6 : 1, limits[k] + 1u);
            for (uint32_t part = 0; part < 10; part++)
                assert_false(corun_drained(&corun, &caps, limits));
            assert_int_equal(corun.drained, sm);
            corun_holds(sm, k ? 6 : 1, limits[k]);
            while (!corun_drained(&corun, &caps, limits))
                ;
            assert_int_equal(corun.drained, 40);
        }
}

/* --- The policy. */

static void expect_even(uint32_t tenant, uint32_t ctas)
{
    assert_int_equal(fake_knob(CTA_LIMIT, tenant), ctas);
    assert_int_equal(fake_knob(CTA_THROTTLE, tenant), CORUN_TEST_SLOTS);
    assert_int_equal(fake_knob(ISSUE_RATE, tenant), FREE);
    assert_int_equal(fake_knob(ISSUE_FIRST, tenant), 0);
}

/* A window after the draining; its kernels are learnt of in as many ticks, and one more. */
static void window(uint32_t skip, uint32_t measure, uint32_t kernels)
{
    corun_drains();
    corun_tick(skip + CORUN_TEST_TICK);
    assert_int_equal(fake_count(true, MH_REG_SNAPSHOT), 1);
    assert_int_equal(corun_knobs_written(), 0);
    corun_count_on(0, 100, 2, 10000);
    corun_count_on(1, 20000, 10, 10000);
    corun_tick(measure);
    assert_int_equal(fake_count(true, MH_REG_SNAPSHOT), 1);
    for (uint32_t k = 0; k < kernels; k++) {
        assert_int_equal(corun_knobs_written(), 0);
        corun_tick(CORUN_TEST_TICK);
        assert_int_equal(fake_count(true, MH_REG_SNAPSHOT), 0);
    }
    assert_int_equal(corun_knobs_written(), 0);
    corun_tick(CORUN_TEST_TICK);
}

TEST(two_windows)
{
    corun_boot(2);
    assert_int_equal(fake_get(MH_REG_MISS_QUEUES), 1);
    assert_int_equal(fake_get(MH_REG_LAUNCH_EVENTS), 1);
    expect_even(0, 5);
    expect_even(1, 5);
    window(50000, 20000, 2);
    corun_drains();
    /* Half of 60 % of 60 000 bytes in 1024 cycles, of 160 a request, on 30 SMs: 7200 in 2^16, and 240 in 1/256 of 256.
     */
    assert_int_equal(fake_knob(ISSUE_RATE, 1), 240);
    assert_int_equal(fake_knob(ISSUE_RATE, 0), 240);
    window(10000, 20000, 2);
    corun_drains();
    assert_int_equal(fake_knob(CTA_THROTTLE, 0), 5);
    assert_int_equal(fake_knob(CTA_THROTTLE, 1), 0);
    window(10000, 10000, 1);
    corun_drains();
    assert_int_equal(fake_knob(CTA_THROTTLE, 0), 2);
}

/* One CTA too many on SM 20: looks at SMs before it, then again and again at it. */
TEST(waits_for_draining)
{
    corun_boot(2);
    corun_holds(20, 1, 6);
    corun_drains();
    for (uint32_t i = 0; i < 10; i++) {
        corun_tick(2500);
        assert_int_equal(fake_count(false, MH_REG_SM_CTAS_0 + 20 * MH_REG_SM_CTAS_0_STRIDE), 1);
        assert_int_equal(fake_count(true, MH_REG_SNAPSHOT), 0);
    }
    corun_holds(20, 1, 5);
    corun_tick(2500);
    corun_drains();
    corun_tick(50000 + CORUN_TEST_TICK);
    assert_int_equal(corun_timer(), 20000);
}

/* 80 looks, 200 000 cycles. */
static void waits_no_longer_than_that(void **)
{
    uint32_t looks = 0;

    corun_boot(2);
    corun_hold_all(0, 10);
    corun_drains();
    while (corun_timer() == 2500 && ++looks < 1000)
        corun_tick(2500);
    assert_int_equal(looks, 80);
    corun_tick(50000 + CORUN_TEST_TICK);
    assert_int_equal(corun_timer(), 20000);
}

/* The window behind has the same limits: no second wait for them. */
TEST(waits_for_limits_once)
{
    uint32_t looks = 0;

    waits_no_longer_than_that(state);
    corun_tick(20000);
    for (uint32_t ticks = 0; corun_timer() != 10000 + CORUN_TEST_TICK; ticks++) {
        assert_true(ticks < 100);
        looks += corun_timer() == 2500;
        corun_tick(corun_timer());
    }
    assert_int_equal(looks, 0);
}

/* A tenant that goes and one that comes, in each step of a stage. */
TEST(comings_and_goings_begin_anew)
{
    for (uint32_t ticks = 0; ticks < 20; ticks++) {
        corun_boot(3);
        expect_even(2, 3);
        for (uint32_t i = 0; i < ticks; i++)
            corun_tick(corun_timer());
        corun_changes(MH_EVENT_TENANT_LEFT, 1, 5);
        corun_drains();
        expect_even(0, 5);
        expect_even(2, 5);
        assert_int_equal(corun_timer(), 50200);
        for (uint32_t i = 0; i < ticks; i++)
            corun_tick(corun_timer());
        corun_changes(MH_EVENT_TENANT_ARRIVED, 1, 7);
        corun_drains();
        for (uint32_t tenant = 0; tenant < 3; tenant++)
            expect_even(tenant, 3);
        assert_int_equal(corun_timer(), 50200);
    }
}

/* Of one that is alone nothing is asked, and nothing is done. */
TEST(rests_alone)
{
    corun_boot(2);
    corun_tick(CORUN_TEST_TICK);
    corun_changes(MH_EVENT_TENANT_LEFT, 0, 2);
    corun_drains();
    expect_even(1, CORUN_TEST_SLOTS);
    assert_int_equal(corun_timer(), 0);
    fake.logged = 0;
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_timer_2(), 0);
    corun_event(MH_EVENT_TENANT_DONE, 1);
    assert_int_equal(corun_knobs_written(), 0);
    assert_int_equal(corun_timer(), 0);
    corun_changes(MH_EVENT_TENANT_LEFT, 1, 0);
    corun_drains();
    assert_int_equal(corun_knobs_written(), 0);
    assert_int_equal(corun_timer(), 0);
    corun_changes(MH_EVENT_TENANT_ARRIVED, 0, 3);
    assert_int_equal(corun_timer(), CORUN_TEST_TICK);
}

/* A tick before which kernel 0 asked for little and kernel 1 for much. */
static void tick_and_count(void)
{
    corun_count_on(0, 100, 2, 10000);
    corun_count_on(1, 20000, 10, 10000);
    corun_tick(corun_timer());
}

/* Ticks until `length` is waited for. */
static void ticks_until(uint32_t length)
{
    for (uint32_t ticks = 0; corun_timer() != length; ticks++) {
        assert_true(ticks < LAST_TICK);
        tick_and_count();
    }
}

/* Windows of 100 000 cycles until all begins anew; 0: it does not in twenty. The climb has some, then others follow. */
static uint32_t windows_until_anew(void)
{
    for (uint32_t windows = 1; windows <= 20; windows++) {
        ticks_until(100000);
        tick_and_count();
        for (uint32_t ticks = 0; corun_timer() < 50000; ticks++) {
            assert_true(ticks < LAST_TICK);
            tick_and_count();
        }
        if (corun_timer() == 50000 + CORUN_TEST_TICK)
            return windows;
    }
    return 0;
}

/* All that is said while windows are measured is said of CTAs that are gone. It is looked at when that is settled. */
TEST(launches_wait_until_settled)
{
    uint32_t windows;

    corun_boot(2);
    corun_cta(0, 5);
    for (uint32_t i = 0; i < 20; i++) {
        corun_event(MH_EVENT_TENANT_LAUNCH, 0);
        assert_int_equal(corun_knobs_written(), 0);
        tick_and_count();
    }
    assert_int_equal(fake_knob(CTA_LIMIT, 0), 5);
    windows = windows_until_anew();
    assert_in_range(windows, 5, 19);
    expect_even(0, 1); /* 2 fit */
    expect_even(1, 5);
    assert_int_equal(windows_until_anew(), 0);
    corun_event(MH_EVENT_TENANT_DONE, 0);
    assert_int_equal(windows_until_anew(), 0);
}

/* There and back again. */
TEST(launches_may_change_nothing)
{
    corun_boot(2);
    for (uint32_t launch = 0; launch < 2; launch++) {
        corun_cta(0, launch ? 1 : 5);
        corun_event(MH_EVENT_TENANT_LAUNCH, 0);
        tick_and_count();
    }
    assert_int_equal(windows_until_anew(), 0);
    corun_event(MH_EVENT_TENANT_LAUNCH, 0);
    assert_int_equal(windows_until_anew(), 0);
}

/* Whatever counters say and events come: while there is something to wait for the timer runs, and all is legal. */
TEST(never_stops)
{
    static const uint32_t kinds[] = {MH_EVENT_TENANT_ARRIVED, MH_EVENT_TENANT_LEFT, MH_EVENT_TENANT_LAUNCH,
                                     MH_EVENT_TENANT_DONE};
    uint64_t random = 1;

    corun_boot(4);
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t there = fake_get(MH_REG_TENANTS), waits = corun_timer();

        for (uint32_t tenant = 0; tenant < 4; tenant++)
            corun_count_on(tenant, pick(&random, 0, 1u << pick(&random, 0, 31)), pick(&random, 1, 10),
                           pick(&random, 0, 100000));
        corun_holds(pick(&random, 0, 29), pick(&random, 0, 3), pick(&random, 0, 5));
        if (pick(&random, 0, 200) == 0) {
            uint32_t kind = kinds[pick(&random, 0, 3)];

            if (kind == MH_EVENT_TENANT_ARRIVED || kind == MH_EVENT_TENANT_LEFT)
                fake_set(MH_REG_TENANTS, pick(&random, 1, 15));
            corun_cta(pick(&random, 0, 3), pick(&random, 0, 11));
            corun_event(kind, 0);
        } else if (waits) {
            corun_tick(waits);
        }
        there = fake_get(MH_REG_TENANTS);
        assert_true(corun_timer() != 0 || (there & (there - 1)) == 0);
        for (uint32_t tenant = 0; tenant < 4; tenant++) {
            assert_in_range(fake_knob(CTA_LIMIT, tenant), 1, CORUN_TEST_SLOTS);
            assert_in_range(fake_knob(CTA_THROTTLE, tenant), 0, CORUN_TEST_SLOTS);
            assert_in_range(fake_knob(ISSUE_RATE, tenant), 1, 65535);
            assert_in_range(fake_knob(ISSUE_FIRST, tenant), 0, 1);
        }
    }
    assert_int_equal(fake.exits, 0);
}
