/*
 * CCBP's plan: the climb of priorLSK. The allocation of 0.8, 0.7 and 0.6 is that of 0.9: 6 CTAs and 4, with 9 units. Of
 * 0.5: 7 and 3.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fake_window.h"

#include "ccbp_plan_by_hand.h"

/* The image of this test. It does not run. */
#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

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

int test_policy_ccbp_climb(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(climbs_back_to_the_best),
        cmocka_unit_test(climbs_back_to_the_first),
        cmocka_unit_test(climbs_anew),
        cmocka_unit_test(climbs_to_the_end),
        cmocka_unit_test(climbs_by_either_goal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
