/* CCBP: what it refuses to steer and with which numbers, and its parameters. */
#include "unit/test.h"

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp)
#include "image/common/image.h"

TEST(refuses_what_it_cannot_steer)
{
    const uint32_t needs = MH_FEATURE_MISS_QUEUES | MH_FEATURE_CTA_LIMIT | MH_FEATURE_CTA_THROTTLE;

    for (uint32_t need = 1; need <= needs; need <<= 1)
        if (needs & need) {
            corun_reset(2);
            fake_set(MH_REG_CAP_FEATURES, needs & ~need);
            fake_assert_refused();
        }
}

static void refuses_with(const char *text)
{
    fake_assert_refused();
    assert_has(fake.console, text);
}

TEST(refuses_what_it_cannot_count)
{
    corun_reset(2);
    fake_set(MH_REG_CAP_CTA_SLOTS, 33);
    refuses_with("memhelm: refused policy=ccbp 33 CTA slots, ");
    corun_reset(2);
    fake_set(MH_REG_CAP_RATE_INTERVAL, 0);
    refuses_with(" an interval of 0/256");
    corun_reset(2);
    fake_set(MH_REG_CAP_LINE_BYTES, 4097);
    refuses_with(" 160 and 4097 bytes a request");
}

/* A quarter of a request an interval: 4 x 30 x 128 / 4 bytes in 256 cycles, 983 040 in 2^16. Sustained are 70 %. */
TEST(refuses_least_rates_that_do_not_fit)
{
    corun_reset(4);
    fake_set(MH_REG_CAP_DRAM_PEAK, 21942);
    refuses_with(
        "memhelm: refused policy=ccbp 4 kernels at the least ISSUE_RATE, 64, take 983040 bytes of DRAM in 65536 "
        "cycles, of which 983001 are sustainable\n");
    corun_reset(8);
    fake_set(MH_REG_CAP_NOC_PEAK, 63999); /* 160 bytes: 2 457 600; 60 % */
    refuses_with(
        " 8 kernels at the least ISSUE_RATE, 64, take 2457600 bytes of NoC in 65536 cycles, of which 2457561 ");
    corun_reset(4);
    fake_set(MH_REG_CAP_DRAM_PEAK, 21943);
    fake_boot();
}

/* --- Parameters of CCBP, each away from its default: what its plan then sets. */

/* Before each test: the defaults. */
static int setup(void **)
{
    fake_param(ccbp_adjust, 1);
    fake_param(ccbp_held, 0);
    fake_param(ccbp_unshared, 0);
    fake_param(ccbp_once, 0);
    fake_param(ccbp_strict, 0);
    fake_param(ccbp_scale, 1);
    fake_param(ccbp_rates, 1);
    fake_param(ccbp_priority, 1);
    fake_param(ccbp_weighted, 0);
    fake_param(ccbp_fill, 0);
    fake_param(ccbp_told, 0);
    return 0;
}

/* CCBP_DRF: no climb, and no kernel runs alone for it. */
TEST(nobody_runs_alone, .setup = setup)
{
    fake_param(ccbp_adjust, 0);
    corun_boot(2);
    assert_int_equal(corun_until(100000), 0);
    for (uint32_t windows = 0; windows < 10; windows++) {
        uint32_t limit = fake_knob(CTA_LIMIT, 0);

        assert_int_equal(fake_knob(ISSUE_FIRST, 0), 1);
        assert_int_equal(fake_knob(ISSUE_RATE, 0), 65535);
        assert_in_range(fake_knob(ISSUE_RATE, 1), 1, 65534);
        corun_little_and_much();
        corun_tick(100000);
        assert_int_equal(corun_until(100000), 0);
        assert_int_equal(fake_knob(CTA_LIMIT, 0), limit);
    }
}

/* Variants that settle as CCBP does: who goes first, and whether the intensive kernel has a rate. */
TEST(settles, .setup = setup)
{
    static const struct {
        uint32_t weighted, unshared, priority, rates;
    } cases[] = {
        {1, 0, 1, 1}, /* climbs for weighted speedup */
        {0, 1, 1, 1}, /* shares nothing that is left; what a rate is: test_policy_ccbp_plan.c */
        {0, 0, 0, 1}, /* of CCBP sub-queues and issue rates */
        {0, 0, 1, 0}, /* sub-queues and priority */
        {0, 0, 0, 0}, /* sub-queues */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fake_param(ccbp_weighted, cases[i].weighted);
        fake_param(ccbp_unshared, cases[i].unshared);
        fake_param(ccbp_priority, cases[i].priority);
        fake_param(ccbp_rates, cases[i].rates);
        corun_settles(cases[i].priority);
        assert_int_equal(fake_knob(ISSUE_RATE, 1) < 65535, cases[i].rates);
        assert_int_not_equal(fake_knob(ISSUE_RATE, 1), 0);
    }
}

/* CCBP that holds latency-sensitive kernels to their quotas: both have an issue rate. */
TEST(sensitive_has_a_rate, .setup = setup)
{
    fake_param(ccbp_held, 1);
    corun_boot(2);
    assert_true(corun_until(100000) > 0);
    assert_int_equal(fake_knob(ISSUE_FIRST, 0), 1);
    assert_in_range(fake_knob(ISSUE_RATE, 0), 1, 65534);
    assert_in_range(fake_knob(ISSUE_RATE, 1), 1, 65534);
}

/* CCBP that detects once: settles as CCBP does, then rests. The GPU's bound on priority stays. */
TEST(settles_and_rests, .setup = setup)
{
    fake_param(ccbp_once, 1);
    corun_settles(true);
    assert_in_range(fake_knob(ISSUE_RATE, 1), 1, 65534);
    corun_until_rest();
    corun_rests();
}

/* CCBP to the letter: latency-sensitive kernels, too, have an issue rate, and always go first. It climbs, and rests. */
TEST(all_have_rates, .setup = setup)
{
    fake_param(ccbp_held, 1);
    fake_param(ccbp_unshared, 1);
    fake_param(ccbp_once, 1);
    fake_param(ccbp_strict, 1);
    corun_reset(2);
    fake_set(MH_REG_ISSUE_PATIENCE, 3);
    fake_boot();
    assert_int_equal(fake_get(MH_REG_ISSUE_PATIENCE), 0);
    assert_true(corun_until(100000) > 0);
    assert_int_equal(fake_knob(ISSUE_FIRST, 0), 1);
    assert_int_equal(fake_knob(ISSUE_FIRST, 1), 0);
    for (uint32_t tenant = 0; tenant < 2; tenant++)
        assert_in_range(fake_knob(ISSUE_RATE, tenant), 1, 65534);
    corun_until_rest();
    corun_rests();
}

/* CCBP_offline: windows are ten times as long, draining and work are not. */
static void window(uint32_t skip, uint32_t measure)
{
    corun_drains();
    corun_tick(skip + CORUN_TEST_TICK);
    corun_count_on(0, 1000, 2, 10000);
    corun_count_on(1, 200000, 10, 10000);
    corun_tick(measure);
}

TEST(windows_are_longer, .setup = setup)
{
    fake_param(ccbp_scale, 10);
    corun_boot(2);
    window(500000, 200000);
    for (uint32_t i = 0; i < 3; i++)
        corun_tick(CORUN_TEST_TICK);
    window(100000, 200000);
    for (uint32_t i = 0; i < 3; i++)
        corun_tick(CORUN_TEST_TICK);
    window(100000, 100000);
}

/* CCBP that fills SMs: a latency-sensitive kernel gets what a kernel limited by bandwidth leaves. */
/* Up to the first window of the climb. */
static void to_the_climb(void)
{
    while (corun_timer() != 100000) {
        corun_count_on(0, 900, 1, 10000);
        corun_count_on(1, 20000, 10, 10000);
        corun_tick(corun_timer());
    }
}

TEST(fills_the_sms, .setup = setup)
{
    fake_param(ccbp_fill, 1);
    corun_boot(2);
    to_the_climb();
    for (uint32_t windows = 0; windows < 20; windows++) {
        assert_int_equal(fake_knob(CTA_LIMIT, 0) + fake_knob(CTA_LIMIT, 1), CORUN_TEST_SLOTS);
        assert_int_equal(fake_knob(ISSUE_FIRST, 0), 1);
        assert_in_range(fake_knob(ISSUE_RATE, 1), 1, 65534);
        corun_tick(100000);
        to_the_climb();
    }
}

/* CCBP with given IPCs alone: kernels that it still runs alone, and what its climb compares with. */
static void boot_told(uint32_t first, uint32_t second)
{
    corun_boot(2);
    fake_set(MH_REG_ALONE_IPC, first);
    fake_set(MH_REG_ALONE_IPC + MH_REG_ALONE_IPC_STRIDE, second);
}

/* Ticks up to the first window of the climb in which only kernel `k` issues. */
static uint32_t alone_until_the_climb(uint32_t k)
{
    uint32_t ticks = 0;

    while (corun_timer() != 100000) {
        ticks += fake_knob(CTA_THROTTLE, !k) == 0;
        corun_little_and_much();
        corun_tick(corun_timer());
    }
    return ticks;
}

TEST(who_is_told_does_not_run_alone, .setup = setup)
{
    static const uint32_t told[][2] = {{0, 0}, {0, 5000}, {5000, 0}, {5000, 5000}};

    fake_param(ccbp_told, 1);
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
        for (uint32_t k = 0; k < 2; k++) {
            boot_told(told[i][0], told[i][1]);
            assert_int_equal(alone_until_the_climb(k) > 0, told[i][k] == 0);
        }
}

/* Kernel 0 wins in the second window of the climb and kernel 1 loses. Returns CTAs of kernel 0 after it. */
static uint32_t climb(uint32_t first, uint32_t second)
{
    boot_told(first, second);
    (void)alone_until_the_climb(0);
    corun_count_on(0, 1000, 2, 10000);
    corun_count_on(1, 20000, 10, 10000);
    corun_tick(100000);
    (void)alone_until_the_climb(0);
    corun_count_on(0, 1000, 2, 20000);
    corun_count_on(1, 20000, 10, 8000);
    corun_tick(100000);
    (void)alone_until_the_climb(0);
    return fake_knob(CTA_LIMIT, 0);
}

/* The kernel with most to lose by its given IPC decides. */
TEST(climbs_by_what_it_is_told, .setup = setup)
{
    fake_param(ccbp_told, 1);
    assert_true(climb(1u << 20, 1) > climb(1, 1u << 20));
}
