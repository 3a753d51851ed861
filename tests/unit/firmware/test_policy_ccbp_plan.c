/* CCBP's plan: which window follows which, and what kernels may do in it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fake_window.h"

#include "ccbp_plan_by_hand.h"
#include "random.h"

/* The image of this test. It does not run. */
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

static void one_kernel_holds(void **state)
{
    (void)state;
    set_up();
    begin_with(&noc_intensive, NULL, NULL);
    assert_int_equal(plan.stage, CCBP_HOLD);
    assert_int_equal(ccbp_plan_does(&plan), CORUN_REST);
    assert_false(ccbp_plan_renewable(&plan));
    expect_setting(0, ALL, ALL, FREE, false);
}

static void no_kernel_holds(void **state)
{
    (void)state;
    set_up();
    begin_with(NULL, NULL, NULL);
    assert_int_equal(ccbp_plan_does(&plan), CORUN_REST);
}

static void sequence_of_sensitive_and_intensive(void **state)
{
    (void)state;
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

/* Without a climb nobody asks for the IPC alone. */
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

static void sequences_without_climb(void **state)
{
    (void)state;
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
static void an_even_share_of_none_is_one(void **state)
{
    const struct by_hand wide = {600, 600, 30, 1000, {{4, 1, 1}, 1}};

    (void)state;
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
static void one_cta_runs_alone_once(void **state)
{
    struct by_hand wide = {600, 600, 30, 1000, {{4, 1, 1}, 1}};

    (void)state;
    set_up();
    begin_with(&sensitive, &wide, NULL);
    expect_detection();
    expect_alone(0);
    expect_window(CCBP_RUN_ALONE, 1, 1, 10000, 10000);
    assert_int_equal(plan.stage, CCBP_PROFILE);
    assert_int_equal(plan.known[1].alone_ipc, 2000); /* most: 2 */
}

/*
 * Even rates: 500 bytes of each bandwidth. NoC-intensive: a request takes one of NoC and 1/4 of DRAM, 500. Who is
 * sensitive: 1 and 1/2, 500.
 */
static void settings(void **state)
{
    (void)state;
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
static void rates_by_hand(void **state)
{
    (void)state;
    set_up();
    begin_with(&sensitive, &noc_intensive, NULL);
    pass_until(CCBP_RUN);
    assert_int_equal(plan.allocation.grants[1].units, 12);
    expect_setting(0, 5, ALL, FREE, true);
    expect_setting(1, 5, ALL, 899, false);
}

/* The same: 600 bytes, and 100. */
static void rates_to_the_letter(void **state)
{
    (void)state;
    set_up();
    plan.letter = true;
    begin_with(&sensitive, &noc_intensive, NULL);
    pass_until(CCBP_RUN);
    expect_setting(0, 5, ALL, 100, true);
    expect_setting(1, 5, ALL, 600, false);
}

/* The same, without what is left out. What is measured is not. */
static void parts_by_themselves(void **state)
{
    (void)state;
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
static void watching_renews_rates(void **state)
{
    (void)state;
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

/* --- The climb. The allocation of 0.8, 0.7 and 0.6 is that of 0.9: 6 CTAs and 4, with 9 units. Of 0.5: 7 and 3. */

static void to_run(void)
{
    set_up();
    begin_with(&sensitive, &noc_intensive, NULL);
    pass_until(CCBP_RUN);
}

static void expect_run(uint32_t prior, uint32_t sensitive_ctas, uint32_t intensive_ctas)
{
    assert_int_equal(plan.stage, CCBP_RUN);
    assert_int_equal(plan.climb.prior, prior);
    assert_int_equal(ccbp_plan_setting(&plan, 0).limit, sensitive_ctas);
    assert_int_equal(ccbp_plan_setting(&plan, 1).limit, intensive_ctas);
    assert_false(ccbp_plan_renewable(&plan));
}

static void run_with(uint32_t ipc)
{
    kernels[0].ipc = kernels[1].ipc = ipc;
    pass();
}

static void expect_watch(uint32_t prior, uint32_t sensitive_ctas, uint32_t intensive_ctas)
{
    assert_int_equal(plan.stage, CCBP_WATCH);
    assert_int_equal(plan.climb.prior, prior);
    assert_int_equal(ccbp_plan_setting(&plan, 0).limit, sensitive_ctas);
    assert_int_equal(ccbp_plan_setting(&plan, 1).limit, intensive_ctas);
}

static void climbs_back_to_the_best(void **state)
{
    (void)state;
    to_run();
    expect_run(10, 5, 5);
    run_with(100);
    expect_run(9, 6, 4);
    run_with(200);
    expect_run(5, 7, 3);
    run_with(150);
    expect_watch(9, 6, 4);
}

static void climbs_back_to_the_first(void **state)
{
    (void)state;
    to_run();
    run_with(200);
    expect_run(9, 6, 4);
    run_with(100);
    expect_watch(10, 5, 5);
}

/* The same kernels again: their allocation at 1.0 is the last one, and is measured all the same. */
static void climbs_anew(void **state)
{
    (void)state;
    to_run();
    run_with(200);
    run_with(100);
    expect_watch(10, 5, 5);
    begin_by_hand();
    pass_until(CCBP_RUN);
    expect_run(10, 5, 5);
}

static void climbs_to_the_end(void **state)
{
    uint32_t ipc = 100, last = 11;

    (void)state;
    to_run();
    while (plan.stage == CCBP_RUN) {
        assert_true(plan.climb.prior < last);
        last = plan.climb.prior;
        assert_true(last == 10 || last == 9 || last <= 5);
        run_with(ipc *= 2);
    }
    assert_int_equal(plan.stage, CCBP_WATCH);
    assert_int_equal(plan.climb.prior, last);
}

/* The intensive kernel loses 40 % and the sensitive one wins 30 %: better by one goal, worse by the other. */
static void climbs_by_either_goal(void **state)
{
    (void)state;
    for (uint32_t weighted = 0; weighted < 2; weighted++) {
        set_up();
        plan.weighted = weighted;
        begin_with(&sensitive, &noc_intensive, NULL);
        pass_until(CCBP_RUN);
        assert_int_equal(plan.known[0].alone_ipc, 30000);
        assert_int_equal(plan.known[1].alone_ipc, 10000);
        kernels[0].ipc = 3000; /* 15000 of 30000 */
        kernels[1].ipc = 400;  /* 2000 of 10000: 2 / (2 + 5), and 0.7 */
        pass();
        expect_run(9, 6, 4);
        kernels[0].ipc = 3500; /* 21000 */
        kernels[1].ipc = 300;  /* 1200: 2 / (1.4 + 8.3), and 0.82 */
        pass();
        if (weighted)
            expect_run(5, 7, 3);
        else
            expect_watch(10, 5, 5);
    }
}

/* --- New phases. */

static void to_watch(void)
{
    set_up();
    plan.adjust = false;
    begin_with(&sensitive, &noc_intensive, NULL);
    pass_until(CCBP_WATCH);
}

/* Windows up to a new phase; 0: there is none in a hundred. */
static uint32_t windows_to_phase(void)
{
    for (uint32_t windows = 1; windows <= 100; windows++) {
        pass();
        if (plan.stage == CCBP_FIND_FACTORS)
            return windows;
    }
    return 0;
}

/* The first window is what others are compared with; as many as the patience do not count. */
static void a_new_phase_begins_anew(void **state)
{
    uint32_t patience = 5;

    (void)state;
    to_watch();
    for (uint32_t phase = 0; phase < 4; phase++) {
        pass();
        kernels[1].reads = kernels[1].reads == 120 ? 300 : 120;
        assert_int_equal(windows_to_phase(), patience);
        patience *= 2;
        assert_int_equal(plan.patience, patience);
        assert_int_equal(plan.points_used, 0);
        assert_int_equal(plan.known[1].type, CCBP_LATENCY_SENSITIVE);
        for (uint32_t k = 0; k < 2; k++)
            expect_setting(k, 5, ALL, FREE, false);
        pass_until(CCBP_WATCH);
    }
    begin_by_hand();
    assert_int_equal(plan.patience, 5);
}

/* The sensitive kernel's CTAs by turns are as many or half as many, at the first chance. */
static void a_launch_is_a_phase(void **state)
{
    (void)state;
    to_watch();
    for (uint32_t patience = 5; patience <= 40; patience *= 2) {
        struct ccbp_sm ctas[] = {kernels[0].cta, kernels[1].cta};

        ctas[0].amount[0] = patience % 4 ? 2 : 1;
        for (uint32_t windows = 0; windows < patience; windows++) {
            assert_false(ccbp_plan_renewable(&plan));
            pass();
        }
        assert_true(ccbp_plan_renewable(&plan));
        ccbp_plan_begin_again(&plan, ctas);
        assert_int_equal(plan.stage, CCBP_FIND_FACTORS);
        assert_int_equal(plan.patience, 2 * patience);
        assert_true(ccbp_plan_renewable(&plan));
        ccbp_plan_begin_again(&plan, ctas); /* another at once is no other phase */
        assert_int_equal(plan.patience, 2 * patience);
        expect_setting(0, patience % 4 ? 2 : 5, ALL, FREE, false);
        while (plan.stage != CCBP_WATCH) {
            pass();
            assert_true(plan.stage == CCBP_WATCH || !ccbp_plan_renewable(&plan));
        }
    }
}

/* Twice or half is none; a hair more is. Of 120 requests 240 reads: costs are multiples of 5120 / 120. */
static void a_phase_is_a_factor_of_two(void **state)
{
    static const struct {
        uint32_t reads, dram, windows;
    } cases[] = {{120, 30, 0}, {240, 30, 0}, {241, 30, 5}, {60, 30, 0},  {59, 30, 5},
                 {120, 60, 0}, {120, 61, 5}, {120, 15, 0}, {120, 14, 5}, {200, 50, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        to_watch();
        pass();
        kernels[1].reads = cases[i].reads;
        kernels[1].dram = cases[i].dram;
        assert_int_equal(windows_to_phase(), cases[i].windows);
    }
}

/* Next to none of 120 requests goes to DRAM. A 16th of them are 7.5. */
static void a_phase_is_no_rare_miss(void **state)
{
    static const struct {
        uint32_t before, dram, windows;
    } cases[] = {{0, 1, 0}, {1, 0, 0}, {1, 7, 0}, {0, 15, 0}, {0, 16, 5}, {16, 0, 5}, {15, 0, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        to_watch();
        kernels[1].dram = cases[i].before;
        pass();
        kernels[1].dram = cases[i].dram;
        assert_int_equal(windows_to_phase(), cases[i].windows);
    }
}

/*
 * A latency-sensitive kernel that asks for its even share of 500, with the CTAs that it was granted: the first time in
 * the first window but one, then as often as patience doubles. One request less is none.
 */
static void a_phase_is_another_type(void **state)
{
    (void)state;
    for (uint32_t less = 0; less < 2; less++) {
        to_watch();
        for (uint32_t phase = 1; phase <= 4; phase *= 2) {
            pass();
            uint32_t ctas = active(0);

            kernels[0] = noc_intensive;
            kernels[0].requests = kernels[0].reads = (500 + ctas - 1) / ctas - less;
            kernels[0].dram = sensitive.dram * kernels[0].reads / sensitive.reads; /* a request costs what it did */
            assert_int_equal(windows_to_phase(), less ? 0 : phase);
            kernels[0] = sensitive;
            if (less)
                break;
            pass_until(CCBP_WATCH);
        }
    }
}

/* --- Bounds. */

/* Any kernels: the numbers of CTAs at which they are profiled have room. */
static void points_have_room(void **state)
{
    uint64_t random = 1;

    (void)state;
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

static void refuses_what_does_not_fit(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_kernel_holds),
        cmocka_unit_test(no_kernel_holds),
        cmocka_unit_test(sequence_of_sensitive_and_intensive),
        cmocka_unit_test(sequences_without_climb),
        cmocka_unit_test(an_even_share_of_none_is_one),
        cmocka_unit_test(one_cta_runs_alone_once),
        cmocka_unit_test(settings),
        cmocka_unit_test(rates_by_hand),
        cmocka_unit_test(rates_to_the_letter),
        cmocka_unit_test(parts_by_themselves),
        cmocka_unit_test(watching_renews_rates),
        cmocka_unit_test(climbs_back_to_the_best),
        cmocka_unit_test(climbs_back_to_the_first),
        cmocka_unit_test(climbs_anew),
        cmocka_unit_test(climbs_to_the_end),
        cmocka_unit_test(climbs_by_either_goal),
        cmocka_unit_test(a_new_phase_begins_anew),
        cmocka_unit_test(a_launch_is_a_phase),
        cmocka_unit_test(a_phase_is_a_factor_of_two),
        cmocka_unit_test(a_phase_is_no_rare_miss),
        cmocka_unit_test(a_phase_is_another_type),
        cmocka_unit_test(points_have_room),
        cmocka_unit_test(refuses_what_does_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
