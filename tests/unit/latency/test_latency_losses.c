/* What made-up runs come to: paired gains and losses, verdicts, knees of workloads and of an image. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "latency/losses.h"
#include "latency_runs.h"
#include "unit/near.h"

enum { LAST_CLOCK = POINTS_FIRST_BUS - 1, LAST_BUS = POINTS_LAST - 1 };

static struct latency_image *const image = &all.images[0];
static struct latency_summary sum;

static const struct latency_losses *losses_of(unsigned workload)
{
    latency_summarise(&all, image, &sum);
    return &sum.workloads[workload];
}

/*
 * Gains of 20 to 60 % in no time, and each seed loses 4 percentage points at 200 MHz and slower: the spread between the
 * seeds is ten times what is lost, and says nothing of it.
 */
static void test_small_loss_of_seeds_that_differ(void **state)
{
    static const double full[] = {1.2, 1.6, 1.3, 1.5, 1.4}, slow[] = {1.16, 1.56, 1.26, 1.46, 1.36};
    (void)state;
    put_seeds(0, 0, LAST_BUS, 0, full);
    put_seeds(0, POINTS_DEFAULT + 1, LAST_CLOCK, 0, slow);
    const struct latency_losses *l = losses_of(0);
    assert_int_equal(l->verdict, GAIN_REAL);
    NEAR(l->gain[0].mean, 0.4);
    assert_true(l->gain[0].half > 0.15);
    NEAR(l->loss[LAST_CLOCK].mean, 0.04);
    assert_true(l->loss[LAST_CLOCK].half < 1e-9);
    assert_int_equal(l->keep[POINTS_DEFAULT], KEEP_KEPT);
    assert_int_equal(l->keep[POINTS_DEFAULT + 1], KEEP_LOST);
    assert_int_equal(l->clock.knee, POINTS_DEFAULT);
    NEAR(latency_kept(l, LAST_CLOCK), 0.9);
}

/* Each seed against no policy with the same seed: speedups alone differ more than the policy gains. */
static void test_gain_is_paired(void **state)
{
    static const double none[] = {0.5, 1.5, 1, 0.8, 1.2}, full[] = {0.55, 1.65, 1.1, 0.88, 1.32};
    (void)state;
    put_seeds(0, POINTS_LAST, POINTS_LAST, 0, none);
    put_seeds(0, 0, LAST_BUS, 0, full);
    const struct latency_losses *l = losses_of(0);
    assert_int_equal(l->verdict, GAIN_REAL);
    NEAR(l->gain[0].mean, 0.1);
    assert_true(l->gain[0].half < 1e-9);
    NEAR(l->loss[1].mean, 0);
}

/* One seed of five gains 50 %: nothing to gain. Another workload loses in each. */
static void test_nothing_to_gain(void **state)
{
    (void)state;
    put(0, 0, 0, 2, 1.5);
    const struct latency_losses *l = losses_of(0);
    assert_int_equal(l->verdict, GAIN_NONE);
    NEAR(l->gain[0].mean, 0.1);
    assert_int_equal(sum.verdict, GAIN_NONE);
    put_seeds(0, 0, LAST_BUS, 1, (const double[]){0.95, 0.96, 0.94, 0.95, 0.95});
    losses_of(1);
    assert_int_equal(sum.workloads[1].verdict, GAIN_LOSS);
    assert_int_equal(sum.verdict, GAIN_LOSS);
    put_all(0, 0, 0, 2, 1.01);
    losses_of(2);
    assert_int_equal(sum.verdict, GAIN_REAL);
    assert_int_equal(sum.worst, 2);
}

/* No policy's speed or less at each clock, where no time gains 9 to 124 %: not even the fastest keeps it. */
static void test_all_is_lost(void **state)
{
    (void)state;
    put_seeds(0, 0, 0, 1, (const double[]){2.24, 1.09, 2.22, 1.95, 2.18});
    put_all(0, POINTS_FIRST_CLOCK, LAST_BUS, 1, 0.98);
    put_all(0, 0, LAST_BUS, 0, 1.3);
    const struct latency_losses *l = losses_of(1);
    assert_int_equal(l->verdict, GAIN_REAL);
    for (unsigned point = POINTS_FIRST_CLOCK; point < POINTS_LAST; point++)
        assert_int_equal(l->keep[point], KEEP_LOST);
    assert_true(latency_kept(l, POINTS_DEFAULT) < 0);
    assert_int_equal(l->clock.knee, 0);
    assert_int_equal(l->bus.knee, 0);
    assert_int_equal(sum.worst, 1);
    assert_int_equal(sum.clock.knee, 0);
    assert_true(sum.lost);
    assert_int_equal(sum.workloads[0].clock.knee, POINTS_CLOCKS);
}

/* The same, but one seed gains at 2 GHz what it did not in no time: that keeps nothing, and shows no loss. */
static void test_two_states(void **state)
{
    (void)state;
    put_seeds(0, 0, 0, 0, (const double[]){2.24, 1.09, 2.22, 1.95, 2.18});
    put_seeds(0, POINTS_FIRST_CLOCK, POINTS_FIRST_CLOCK, 0, (const double[]){0.98, 2.42, 0.98, 0.98, 0.98});
    const struct latency_losses *l = losses_of(0);
    assert_int_equal(l->keep[POINTS_FIRST_CLOCK], KEEP_UNCLEAR);
    assert_int_equal(l->clock.knee, 0);
}

/* Means of 2 % lost, in one seed all of it: more than a twentieth of 20 %, but within the interval. */
static void test_no_loss_shown(void **state)
{
    (void)state;
    put_all(0, 0, LAST_BUS, 0, 1.2);
    put(0, POINTS_FIRST_CLOCK + 1, 0, 3, 1.1);
    put(0, POINTS_FIRST_BUS, 0, 3, 1.1);
    const struct latency_losses *l = losses_of(0);
    assert_int_equal(l->keep[POINTS_FIRST_CLOCK + 1], KEEP_UNSHOWN);
    assert_int_equal(l->clock.knee, POINTS_CLOCKS);
    assert_int_equal(l->clock.kept, 1);
    assert_int_equal(l->bus.knee, POINTS_BUSES);
    assert_int_equal(l->bus.kept, 0);
    assert_false(sum.lost);
}

/* The image has the knee of its worst workload; of two with one knee, the worse at 500 MHz is named. */
static void test_worst(void **state)
{
    (void)state;
    for (unsigned w = 0; w < WORKLOADS; w++)
        put_all(0, 0, LAST_BUS, w, 1.2);
    put_all(0, POINTS_DEFAULT, POINTS_DEFAULT, 1, 1.195);
    losses_of(0);
    assert_int_equal(sum.worst, 1);
    assert_int_equal(sum.clock.knee, POINTS_CLOCKS);
    put_all(0, LAST_CLOCK, LAST_CLOCK, 2, 1.1);
    put_all(0, LAST_BUS, LAST_BUS, 0, 1.1);
    losses_of(0);
    assert_int_equal(sum.worst, 2);
    assert_int_equal(sum.clock.knee, POINTS_CLOCKS - 1);
    assert_int_equal(sum.bus.knee, POINTS_BUSES - 1);
    assert_false(sum.lost);
}

static void test_missing(void **state)
{
    (void)state;
    put_all(0, 0, LAST_BUS, 0, 1.2);
    sim_of(0, POINTS_FIRST_CLOCK + 1, 0, 4)->sim.state = SIM_STOPPED;
    const struct latency_losses *l = losses_of(0);
    assert_int_equal(l->verdict, GAIN_REAL);
    assert_int_equal(l->keep[POINTS_FIRST_CLOCK + 1], KEEP_UNKNOWN);
    assert_int_equal(sum.clock.knee, -1);
    assert_int_equal(sum.bus.knee, POINTS_BUSES);
    sim_of(0, 0, 1, 4)->sim.result.end = MH_END_FAULT;
    losses_of(0);
    assert_int_equal(sum.verdict, GAIN_UNKNOWN);
}

static int one_seed(void **state)
{
    (void)state;
    return make_runs(1);
}

static void test_one_seed(void **state)
{
    (void)state;
    put(0, 0, 0, 0, 2.24);
    const struct latency_losses *l = losses_of(0);
    NEAR(l->gain[0].mean, 1.24);
    NEAR(l->loss[1].mean, 1.24);
    assert_true(isnan(l->gain[0].half));
    assert_int_equal(l->verdict, GAIN_ONE_SEED);
    assert_int_equal(sum.verdict, GAIN_ONE_SEED);
}

int test_latency_losses(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_small_loss_of_seeds_that_differ, setup, teardown),
        cmocka_unit_test_setup_teardown(test_gain_is_paired, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nothing_to_gain, setup, teardown),
        cmocka_unit_test_setup_teardown(test_all_is_lost, setup, teardown),
        cmocka_unit_test_setup_teardown(test_two_states, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_loss_shown, setup, teardown),
        cmocka_unit_test_setup_teardown(test_worst, setup, teardown),
        cmocka_unit_test_setup_teardown(test_missing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_one_seed, one_seed, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
