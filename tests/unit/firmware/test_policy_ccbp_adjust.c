/* CCBP's speedups and its hill climbing, by hand. */
#include "unit/test.h"

#include "fake_window.h"
#include "policy/ccbp/ccbp.h"
#include "ccbp_plan_by_hand.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

enum { ONE = 65536 };

TEST(ipcs)
{
    assert_int_equal(ccbp_ipc(0, 100000), 0);
    assert_int_equal(ccbp_ipc(100000, 0), 0);
    assert_int_equal(ccbp_ipc(100000, 100000), ONE);
    assert_int_equal(ccbp_ipc(50000, 100000), ONE / 2);
    assert_int_equal(ccbp_ipc(1, 3), 21845);
    assert_int_equal(ccbp_ipc(6399999, 100000), 64 * ONE - 1); /* 63.99999 */
    assert_int_equal(ccbp_ipc(UINT32_MAX, UINT32_MAX), ONE);
    assert_int_equal(ccbp_ipc(1, UINT32_MAX), 0);
    assert_int_equal(ccbp_ipc(65535, 1), 65535u * ONE);
    assert_int_equal(ccbp_ipc(65536, 1), UINT32_MAX);
    assert_int_equal(ccbp_ipc(UINT32_MAX, 1), UINT32_MAX);
}

static const struct {
    const char *name;
    uint32_t kernels, shared[8], alone[8], harmonic, weighted;
} speedups[] = {
    {"as alone", 1, {ONE}, {ONE}, ONE, ONE},
    {"two as alone", 2, {5 * ONE, ONE / 3}, {5 * ONE, ONE / 3}, ONE, 2 * ONE},
    {"half each", 2, {ONE, 3 * ONE}, {2 * ONE, 6 * ONE}, ONE / 2, ONE},
    {"1/2 and 1/4: 2 over 6, and 3/4", 2, {ONE, ONE}, {2 * ONE, 4 * ONE}, ONE / 3, 3 * ONE / 4},
    {"1, 1/2, 1/4: 3 over 7, and 7/4", 3, {ONE, ONE, ONE}, {ONE, 2 * ONE, 4 * ONE}, 28086, 7 * ONE / 4},
    {"one stands still", 2, {ONE, 0}, {ONE, ONE}, 0, ONE},
    {"one is not known", 2, {ONE, ONE}, {2 * ONE, 0}, ONE / 2, ONE / 2},
    {"one is not known, and stands still", 2, {ONE, 0}, {2 * ONE, 0}, ONE / 2, ONE / 2},
    {"none is known", 2, {ONE, ONE}, {0, 0}, 0, 0},
    {"none is asked for", 0, {ONE}, {ONE}, 0, 0},
    {"faster than alone; 1/3 is 21845", 2, {3 * ONE, 3 * ONE}, {ONE, ONE}, 196611, 6 * ONE},
    {"a 2^32th", 1, {1}, {UINT32_MAX}, 0, 0},
    {"2^32 times", 1, {UINT32_MAX}, {1}, UINT32_MAX, UINT32_MAX},
    {"65536 times, both", 2, {UINT32_MAX, UINT32_MAX}, {ONE, ONE}, UINT32_MAX, UINT32_MAX},
    {"eight of 2^32 - 1",
     8,
     {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
     {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
     ONE,
     8 * ONE},
    {"eight that are slowest",
     8,
     {1, 1, 1, 1, 1, 1, 1, 1},
     {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
     0,
     0},
};

TEST(speedups_by_hand)
{
    for (size_t i = 0; i < sizeof speedups / sizeof speedups[0]; i++) {
        uint32_t harmonic = ccbp_harmonic_speedup(speedups[i].kernels, speedups[i].shared, speedups[i].alone);
        uint32_t weighted = ccbp_weighted_speedup(speedups[i].kernels, speedups[i].shared, speedups[i].alone);

        if (harmonic != speedups[i].harmonic || weighted != speedups[i].weighted)
            fail_msg("%s: %u, %u", speedups[i].name, harmonic, weighted);
    }
}

/* What is measured at 1.0, 0.9 ..; a 0 ends the row. The prior at which it stays, and the measurements it took. */
static const struct {
    const char *name;
    uint32_t measured[11], best, taken;
} climbs[] = {
    {"worse at once", {100, 99}, 10, 2},
    {"better once", {100, 101, 100}, 9, 3},
    {"better all the way", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 1, 10},
    {"better but at the last", {1, 2, 3, 4, 5, 6, 7, 8, 9, 8}, 2, 10},
    {"all the same", {7, 7, 7, 7, 7, 7, 7, 7, 7, 7}, 10, 10},
    {"a plateau, then better", {7, 7, 7, 8, 7}, 7, 5},
    {"a plateau, then worse", {7, 8, 8, 8, 7}, 9, 5},
    {"it does not look beyond the first hollow", {5, 6, 5, 9, 9, 9}, 9, 3},
    {"32 bits", {UINT32_MAX - 1, UINT32_MAX, UINT32_MAX - 1}, 9, 3},
};

TEST(climbs_by_hand)
{
    for (size_t i = 0; i < sizeof climbs / sizeof climbs[0]; i++) {
        struct ccbp_adjust adjust;
        uint32_t taken = 0;

        ccbp_adjust_begin(&adjust);
        assert_int_equal(adjust.prior, 10);
        while (!adjust.done) {
            assert_int_equal(adjust.prior, 10 - taken);
            uint32_t prior = ccbp_adjust_next(&adjust, climbs[i].measured[taken++]);

            assert_int_equal(prior, adjust.prior);
        }
        if (adjust.prior != climbs[i].best || taken != climbs[i].taken)
            fail_msg("%s: %u after %u", climbs[i].name, adjust.prior, taken);
        assert_int_equal(ccbp_adjust_next(&adjust, UINT32_MAX), climbs[i].best); /* it stays there */
        assert_int_equal(ccbp_adjust_same(&adjust), climbs[i].best);
    }
}

/* Kernels that stand still at first: whatever comes is as good or better. */
TEST(nothing_measured)
{
    struct ccbp_adjust adjust;

    ccbp_adjust_begin(&adjust);
    assert_int_equal(ccbp_adjust_next(&adjust, 0), 9);
    assert_int_equal(ccbp_adjust_next(&adjust, 0), 8);
    assert_int_equal(ccbp_adjust_next(&adjust, 1), 7);
    assert_int_equal(ccbp_adjust_next(&adjust, 0), 8);
    assert_true(adjust.done);
}

/* Priors that change no allocation are passed without a measurement. */
TEST(the_same_allocation)
{
    struct ccbp_adjust adjust;

    ccbp_adjust_begin(&adjust);
    assert_int_equal(ccbp_adjust_next(&adjust, 100), 9);
    assert_int_equal(ccbp_adjust_same(&adjust), 8);
    assert_int_equal(ccbp_adjust_same(&adjust), 7);
    assert_int_equal(ccbp_adjust_next(&adjust, 101), 6);
    assert_int_equal(ccbp_adjust_next(&adjust, 100), 7);
    assert_true(adjust.done);
    ccbp_adjust_begin(&adjust);
    assert_int_equal(ccbp_adjust_next(&adjust, 100), 9);
    for (uint32_t prior = 8; prior >= 1; prior--)
        assert_int_equal(ccbp_adjust_same(&adjust), prior);
    assert_false(adjust.done);
    assert_int_equal(ccbp_adjust_same(&adjust), 10);
    assert_true(adjust.done);
}

/* --- CCBP's plan: the climb of priorLSK. The allocation of 0.8, 0.7 and 0.6 is that of 0.9: 6 CTAs and 4, with 9
 * units. Of 0.5: 7 and 3.
 */

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

TEST(climbs_back_to_the_best)
{
    to_run();
    expect_run(10, 5, 5);
    run_with(100);
    expect_run(9, 6, 4);
    run_with(200);
    expect_run(5, 7, 3);
    run_with(150);
    expect_watch(9, 6, 4);
}

TEST(climbs_back_to_the_first)
{
    to_run();
    run_with(200);
    expect_run(9, 6, 4);
    run_with(100);
    expect_watch(10, 5, 5);
}

/* The kernels of before again: their allocation at 1.0 is the last one, but is measured anew. */
TEST(climbs_anew)
{
    to_run();
    run_with(200);
    run_with(100);
    expect_watch(10, 5, 5);
    begin_by_hand();
    pass_until(CCBP_RUN);
    expect_run(10, 5, 5);
}

TEST(climbs_to_the_end)
{
    uint32_t ipc = 100, last = 11;

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
TEST(climbs_by_either_goal)
{
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
