/* CCBP's plan: which window follows which, and what kernels may do in it. */
#include "unit/test.h"

#include "fake_window.h"

#include "ccbp_plan_by_hand.h"
#include "random.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

enum { FREE = CCBP_RATE_MAX, ALL = BY_HAND_SLOTS };

/* A window: whose, with how many CTAs, skipped and measured cycles. */
static void expect_window(enum ccbp_stage stage, uint32_t kernel, uint32_t ctas, uint32_t skip, uint32_t measure)
{
    assert_int_equal(plan.stage, stage);
    assert_int_equal(ccbp_plan_length(&plan).skip, skip);
    assert_int_equal(ccbp_plan_length(&plan).measure, measure);
    for (uint32_t k = 0; k < plan.count; k++)
        assert_int_equal(ccbp_plan_asks(&plan, k), ctas == 0 || k == kernel);
    if (ctas > 0)
        assert_int_equal(ccbp_plan_setting(&plan, kernel).throttle, ctas);
    pass();
}

static void expect_detection(void)
{
    expect_window(CCBP_FIND_FACTORS, 0, 0, 50000, 20000);
    expect_window(CCBP_FIND_DEMAND, 0, 0, 10000, 20000);
}

static void expect_alone(uint32_t kernel)
{
    expect_window(CCBP_RUN_ALONE, kernel, 5, 10000, 10000);
    expect_window(CCBP_RUN_ALONE, kernel, 2, 10000, 10000);
}

static void expect_profile(uint32_t kernel)
{
    for (uint32_t ctas = 1; ctas <= 5; ctas++)
        expect_window(CCBP_PROFILE, kernel, ctas, 10000, 10000);
}

TEST(one_kernel_holds)
{
    set_up();
    begin_with(&noc_intensive, NULL, NULL);
    assert_int_equal(plan.stage, CCBP_HOLD);
    assert_int_equal(ccbp_plan_does(&plan), CORUN_REST);
    assert_false(ccbp_plan_renewable(&plan));
    expect_setting(0, ALL, ALL, FREE, false);
}

TEST(no_kernel_holds)
{
    set_up();
    begin_with(NULL, NULL, NULL);
    assert_int_equal(ccbp_plan_does(&plan), CORUN_REST);
}

TEST(sequence_of_sensitive_and_intensive)
{
    set_up();
    begin_with(&sensitive, &noc_intensive, NULL);
    expect_detection();
    expect_alone(0);
    expect_alone(1);
    expect_profile(1);
    expect_window(CCBP_RUN, 0, 0, 0, 100000);
    pass_until(CCBP_WATCH);
    for (uint32_t i = 0; i < 10; i++)
        expect_window(CCBP_WATCH, 0, 0, 0, 100000);
}

/* Without a climb the IPC alone is not used. */
static void sequence_without_climb(bool adjust, const struct by_hand *a, const struct by_hand *b)
{
    set_up();
    plan.adjust = adjust;
    begin_with(a, b, NULL);
    expect_detection();
    for (uint32_t k = 0; k < 2; k++)
        if (plan.known[k].type != CCBP_LATENCY_SENSITIVE)
            expect_profile(k);
    assert_int_equal(plan.climb.prior, 10);
    expect_window(CCBP_WATCH, 0, 0, 0, 100000);
    assert_int_equal(plan.stage, CCBP_WATCH);
}

TEST(sequences_without_climb)
{
    sequence_without_climb(true, &noc_intensive, &dram_intensive);
    assert_int_equal(plan.known[0].type, CCBP_NOC_INTENSIVE);
    assert_int_equal(plan.known[1].type, CCBP_DRAM_INTENSIVE);
    assert_int_equal(plan.points_used, 10);
    sequence_without_climb(true, &sensitive, &sensitive);
    assert_int_equal(plan.points_used, 0);
    sequence_without_climb(false, &sensitive, &noc_intensive);
    assert_int_equal(plan.points_used, 5);
}

/* CTAs of 4 of 10: an SM holds two, and the even share of three kernels would be none. */
TEST(an_even_share_of_none_is_one)
{
    const struct by_hand wide = {600, 600, 30, 1000, {{4, 1, 1}, 1}};

    set_up();
    begin_with(&wide, &wide, &wide);
    for (uint32_t k = 0; k < 3; k++)
        expect_setting(k, 1, ALL, FREE, false);
    expect_detection();
    for (uint32_t k = 0; k < 3; k++)
        expect_window(CCBP_PROFILE, k, 1, 10000, 10000);
    assert_int_equal(plan.stage, CCBP_WATCH);
    for (uint32_t k = 0; k < 3; k++)
        assert_int_equal(ccbp_plan_setting(&plan, k).limit, 1); /* also of the third, for which there is no room */
    assert_int_equal(plan.allocation.grants[2].ctas, 0);
}

/* With one CTA there is no half of them. */
TEST(one_cta_runs_alone_once)
{
    struct by_hand wide = {600, 600, 30, 1000, {{4, 1, 1}, 1}};

    set_up();
    begin_with(&sensitive, &wide, NULL);
    expect_detection();
    expect_alone(0);
    expect_window(CCBP_RUN_ALONE, 1, 1, 10000, 10000);
    assert_int_equal(plan.stage, CCBP_PROFILE);
    assert_int_equal(plan.known[1].alone_ipc, 2000); /* most: 2 */
}

/*
 * Even rates: 500 bytes of each bandwidth. NoC-intensive: a request takes one of NoC and 1/4 of DRAM, 500. The
 * sensitive kernel: 1 and 1/2, 500.
 */
TEST(settings)
{
    set_up();
    begin_with(&sensitive, &noc_intensive, NULL);
    for (uint32_t k = 0; k < 2; k++)
        expect_setting(k, 5, ALL, FREE, false);
    pass();
    for (uint32_t k = 0; k < 2; k++)
        expect_setting(k, 5, ALL, 500, false);
    pass();
    expect_setting(0, 5, 5, FREE, false);
    expect_setting(1, 5, 0, FREE, false);
    pass();
    expect_setting(0, 5, 2, FREE, false);
    pass();
    expect_setting(0, 5, 0, FREE, false);
    expect_setting(1, 5, 5, FREE, false);
    pass_until(CCBP_PROFILE);
    expect_setting(0, 5, ALL, 500, true);
    expect_setting(1, 5, 1, FREE, false);
    pass();
    expect_setting(1, 5, 2, FREE, false);
    pass_until(CCBP_RUN);
}

/*
 * At 1.0 a CTA has a share of 1/10 and a unit 1/20. With c CTAs the intensive one can use 2, 4, 7, 9, 12 units: both
 * come to 5 CTAs, it to 12 units. NoC: 12 x 50 + 5 x 20 of 1000 leave 300, DRAM: 150 + 50 leave 800. All of it is its:
 * less a fraction, 900 bytes.
 */
TEST(rates_by_hand)
{
    set_up();
    begin_with(&sensitive, &noc_intensive, NULL);
    pass_until(CCBP_RUN);
    assert_int_equal(plan.allocation.grants[1].units, 12);
    expect_setting(0, 5, ALL, FREE, true);
    expect_setting(1, 5, ALL, 899, false);
}

/* Rates to the letter of the paper: 600 bytes, and 100. Each half of the letter by itself. */
TEST(rates_to_the_letter)
{
    for (uint32_t halves = 0; halves < 4; halves++) {
        set_up();
        plan.held = halves & 1;
        plan.unshared = halves & 2;
        begin_with(&sensitive, &noc_intensive, NULL);
        pass_until(CCBP_RUN);
        expect_setting(0, 5, ALL, plan.held ? 100 : FREE, true);
        expect_setting(1, 5, ALL, plan.unshared ? 600 : 899, false);
    }
}

/* Quota and cost of a sensitive kernel are of the demand's window: the rate is that of its requests there. */
TEST(quota_and_cost_are_of_one_window)
{
    set_up();
    plan.adjust = false;
    plan.held = true;
    begin_with(&sensitive, &noc_intensive, NULL);
    pass_until(CCBP_FIND_DEMAND);
    kernels[0].dram *= 2;
    pass_until(CCBP_WATCH);
    expect_setting(0, 5, ALL, 100, true);
    kernels[0].requests *= 3; /* more than 256 in a window: they say what one costs */
    kernels[0].reads *= 6;
    pass();
    expect_setting(0, 5, ALL, 100, true);
}

/* The cost of the demand's window stays, and when the climb is over there is nothing to do. */
TEST(once_rests)
{
    set_up();
    plan.once = true;
    begin_with(&sensitive, &noc_intensive, NULL);
    pass_until(CCBP_RUN);
    expect_setting(1, 5, ALL, 899, false);
    kernels[1].reads *= 2;
    pass();
    assert_int_equal(plan.known[1].cost.of[CCBP_NOC], 20 << 8);
    pass_until(CCBP_WATCH);
    assert_int_equal(plan.known[1].detected.of[CCBP_NOC], 20 << 8);
    assert_int_equal(ccbp_plan_does(&plan), CORUN_REST);
    plan.watched = plan.patience;
    assert_false(ccbp_plan_renewable(&plan));
}

/* Rates and priority, each part left out by itself. Measurements stay. */
TEST(parts_by_themselves)
{
    for (uint32_t parts = 0; parts < 4; parts++) {
        set_up();
        plan.priority = parts & 1;
        plan.rates = parts & 2;
        begin_with(&sensitive, &noc_intensive, NULL);
        pass_until(CCBP_FIND_DEMAND);
        expect_setting(0, 5, ALL, 500, false);
        pass_until(CCBP_PROFILE);
        expect_setting(0, 5, ALL, 500, true);
        pass_until(CCBP_RUN);
        expect_setting(0, 5, ALL, FREE, parts & 1);
        expect_setting(1, 5, ALL, parts & 2 ? 899 : FREE, false);
    }
}

/* As a request of a kernel comes to cost twice as much, it may send half as many. */
TEST(watching_renews_rates)
{
    set_up();
    plan.adjust = false;
    begin_with(&sensitive, &noc_intensive, NULL);
    pass_until(CCBP_WATCH);
    expect_setting(1, 5, ALL, 899, false);
    kernels[1].reads *= 2;
    learn_all();
    assert_int_equal(plan.stage, CCBP_RENEW);
    assert_int_equal(ccbp_plan_does(&plan), CORUN_WORK);
    work();
    assert_int_equal(plan.stage, CCBP_WATCH);
    expect_setting(1, 5, ALL, 449, false);
    kernels[1].requests = 10; /* of which nothing can be said */
    kernels[1].reads = 0;
    pass();
    expect_setting(1, 5, ALL, 449, false);
}

/* --- Bounds. */

/* Any kernels: the numbers of CTAs at which they are profiled have room. */
TEST(points_have_room)
{
    uint64_t random = 1;

    for (uint32_t i = 0; i < 2000; i++) {
        set_up();
        plan.adjust = pick(&random, 0, 1);
        plan.sm.amount[0] = 32;
        plan.count = pick(&random, 2, CCBP_MAX_KERNELS);
        for (uint32_t k = 0; k < plan.count; k++) {
            kernels[k] = pick(&random, 0, 7) ? noc_intensive : sensitive;
            kernels[k].cta = (struct ccbp_sm){.amount = {pick(&random, 0, 3) ? 1 : pick(&random, 0, 40)}};
            kernels[k].requests *= 10;
        }
        begin_by_hand();
        while (plan.stage != CCBP_RUN && plan.stage != CCBP_WATCH) {
            assert_true(plan.points_used <= CCBP_POINTS);
            pass();
        }
        for (uint32_t k = 0; k < plan.count; k++)
            if (plan.known[k].type != CCBP_LATENCY_SENSITIVE) {
                assert_int_equal(plan.kernels[k].most, plan.known[k].even);
                assert_true(plan.kernels[k].points >= plan.points);
                assert_true(plan.kernels[k].points + plan.kernels[k].most <= plan.points + plan.points_used);
            }
        assert_true(plan.points_used <= CCBP_POINTS);
    }
}

/* Each bound: the last that fits, and the first that does not. */
#define BOUND(field, fits, refused)                                                                                    \
    do {                                                                                                               \
        set_up();                                                                                                      \
        plan.field = (fits);                                                                                           \
        assert_true(ccbp_plan_possible(&plan));                                                                        \
        plan.field = (refused);                                                                                        \
        assert_false(ccbp_plan_possible(&plan));                                                                       \
    } while (0)

TEST(refuses_what_does_not_fit)
{
    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++) {
        BOUND(config.sustainable[b], 1, 0);
        BOUND(config.sustainable[b], 214748364, 214748365); /* times 20: 2^32 - 1 */
        BOUND(config.bytes[b], 1, 0);
        BOUND(config.bytes[b], 4096, 4097);
    }
    BOUND(config.sms, 419430, 419431); /* times 20: 2^23 */
    BOUND(config.interval, 1, 0);
    BOUND(config.interval, (1 << 24) - 1, 1 << 24);
    BOUND(config.units, 1, 0);
    BOUND(config.units, 255, 256);
    BOUND(sm.slots, 32, 33);
    set_up();
    plan.config.units = 64;
    plan.config.bytes[CCBP_NOC] = 4096;
    plan.config.sms = 31;
    assert_true(ccbp_plan_possible(&plan));
    plan.config.sms = 32; /* 2^23 */
    assert_false(ccbp_plan_possible(&plan));
    for (uint32_t r = 0; r < CCBP_STATICS; r++) {
        set_up();
        for (uint32_t other = 0; other < CCBP_STATICS; other++)
            plan.sm.amount[other] = 65536;
        plan.sm.amount[r] = 21474836; /* times 2^32 and 200 */
        assert_true(ccbp_plan_possible(&plan));
        plan.sm.amount[r]++;
        assert_false(ccbp_plan_possible(&plan));
        plan.sm.amount[r] = 0;
        assert_true(ccbp_plan_possible(&plan));
    }
    for (uint32_t r = 0; r < CCBP_STATICS; r++)
        plan.sm.amount[r] = UINT32_MAX;
    assert_false(ccbp_plan_possible(&plan));
}
