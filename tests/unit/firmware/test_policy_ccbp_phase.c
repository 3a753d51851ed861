/* CCBP's plan: what is a new phase. */
#include "unit/test.h"

#include "fake_window.h"

#include "ccbp_plan_by_hand.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

enum { FREE = CCBP_RATE_MAX, ALL = BY_HAND_SLOTS };

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
TEST(a_new_phase_begins_anew)
{
    uint32_t patience = 5;

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
TEST(a_launch_is_a_phase)
{
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
TEST(a_phase_is_a_factor_of_two)
{
    static const struct {
        uint32_t reads, dram, windows;
    } cases[] = {{120, 30, 0}, {240, 30, 0}, {241, 30, 5}, {60, 30, 0},  {59, 30, 5},
                 {120, 60, 0}, {120, 61, 5}, {120, 15, 0}, {120, 14, 5}, {200, 50, 0}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        to_watch();
        pass();
        kernels[1].reads = cases[i].reads;
        kernels[1].dram = cases[i].dram;
        assert_int_equal(windows_to_phase(), cases[i].windows);
    }
}

/* Next to none of 120 requests goes to DRAM. A 16th of them are 7.5. */
TEST(a_phase_is_no_rare_miss)
{
    static const struct {
        uint32_t before, dram, windows;
    } cases[] = {{0, 1, 0}, {1, 0, 0}, {1, 7, 0}, {0, 15, 0}, {0, 16, 5}, {16, 0, 5}, {15, 0, 0}};

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
TEST(a_phase_is_another_type)
{
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

/* In a stage where all may issue. */
static void expect_nobody_stops(void)
{
    for (uint32_t k = 0; k < plan.count; k++)
        assert_true(active(k) > 0);
}

/* IPCs alone are not measured again: the kernel that has half its IPC in the first window has half of it alone. */
TEST(a_new_phase_stops_nobody)
{
    set_up();
    begin_with(&sensitive, &noc_intensive, NULL);
    pass_until(CCBP_WATCH);
    assert_int_equal(plan.known[0].alone_ipc, 30000);
    assert_int_equal(plan.known[1].alone_ipc, 10000);
    pass();
    kernels[1].reads = 300;
    kernels[1].ipc = 500;
    assert_int_equal(windows_to_phase(), 5);
    while (plan.stage != CCBP_WATCH) {
        expect_nobody_stops();
        assert_int_not_equal(plan.stage, CCBP_RUN_ALONE);
        pass();
    }
    assert_int_equal(plan.known[0].alone_ipc, 30000);
    assert_int_equal(plan.known[1].alone_ipc, 5000);
}

/* A kernel that issued nothing in the first window has no factor to go by: it is measured. */
TEST(an_unknown_kernel_is_measured)
{
    set_up();
    begin_with(&sensitive, &noc_intensive, NULL);
    pass_until(CCBP_WATCH);
    pass();
    kernels[1].reads = 300;
    kernels[1].ipc = 0;
    assert_int_equal(windows_to_phase(), 5);
    pass_until(CCBP_RUN_ALONE);
    assert_int_equal(plan.kernel, 1);
    expect_nobody_stops();
}

/* When a third kernel comes, the present ones issue from one CTA and stand back. */
TEST(who_arrives_stops_nobody)
{
    set_up();
    begin_with(&sensitive, &noc_intensive, NULL);
    pass_until(CCBP_WATCH);
    begin_with(&sensitive, &noc_intensive, &dram_intensive);
    pass_until(CCBP_RUN_ALONE);
    expect_setting(0, 3, 3, FREE, true);
    expect_setting(1, 3, 1, FREE, false);
    expect_setting(2, 3, 1, FREE, false);
    while (plan.stage != CCBP_WATCH) {
        expect_nobody_stops();
        pass();
    }
}

/* Detection is not repeated: not for what a request costs, nor for a launch. */
TEST(once_has_no_phase)
{
    to_watch();
    plan.once = true;
    assert_int_equal(ccbp_plan_does(&plan), CORUN_REST);
    plan.watched = 2 * plan.patience;
    assert_false(ccbp_plan_renewable(&plan));
}
