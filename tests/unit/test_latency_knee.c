/* The knee on curves made by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "latency/knee.h"

/* At least, at and below 95 % of a gain of 20 %: 19 %. */
static void test_edge(void **state)
{
    const double at[] = {0.20, 0.19}, below[] = {0.20, 0.1899}, above[] = {0.20, 0.1901};
    (void)state;
    assert_int_equal(knee_find(at, 2, knee_floor(0.20)), 2);
    assert_int_equal(knee_find(below, 2, knee_floor(0.20)), 1);
    assert_int_equal(knee_find(above, 2, knee_floor(0.20)), 2);
}

/* Gains as they come: ratios less 1, one bit off what they are on paper. */
static void test_rounding(void **state)
{
    double full = 1.3 - 1, gain = 1.285 - 1;
    (void)state;
    assert_true(gain < KNEE_KEEPS * full);
    assert_int_equal(knee_find(&gain, 1, knee_floor(full)), 1);
}

static void test_all_and_none(void **state)
{
    const double all[] = {0.5, 0.49, 0.48}, none[] = {0.1, 0.5, 0.5};
    (void)state;
    assert_int_equal(knee_find(all, 3, knee_floor(0.5)), 3);
    assert_int_equal(knee_find(none, 3, knee_floor(0.5)), 0);
    assert_int_equal(knee_find(all, 0, knee_floor(0.5)), 0);
}

/* A slower core that keeps the gain again is no knee: a faster one does not. */
static void test_not_monotonic(void **state)
{
    const double gains[] = {0.30, 0.31, 0.20, 0.30, 0.30};
    (void)state;
    assert_int_equal(knee_find(gains, 5, knee_floor(0.30)), 2);
}

/* More than in no time is kept, too; a point that loses is not. */
static void test_more_and_less(void **state)
{
    const double gains[] = {0.6, 0.3, -0.1};
    (void)state;
    assert_int_equal(knee_find(gains, 3, knee_floor(0.3)), 2);
}

/* A gain of 20 %, noise of 3 %: down to 17 % no loss is seen; with less noise than 5 % of the gain, down to 19 %. */
static void test_noise_floor(void **state)
{
    const double gains[] = {0.20, 0.18, 0.1701, 0.1699};
    (void)state;
    assert_int_equal(knee_find(gains, 4, knee_floor(0.20)), 1);
    assert_int_equal(knee_find(gains, 4, knee_floor_noise(0.20, 0.03)), 3);
    assert_int_equal(knee_find(gains, 4, knee_floor_noise(0.20, 0.005)), 1);
    assert_int_equal(knee_find(gains, 4, knee_floor_noise(0.20, 0)), 1);
}

/* Runs that are missing: behind the knee they do not matter. */
static void test_missing(void **state)
{
    const double first[] = {NAN, 0.3}, later[] = {0.3, NAN, 0.3}, behind[] = {0.3, 0.1, NAN};
    (void)state;
    assert_int_equal(knee_find(first, 2, knee_floor(0.3)), -1);
    assert_int_equal(knee_find(later, 3, knee_floor(0.3)), -1);
    assert_int_equal(knee_find(behind, 3, knee_floor(0.3)), 1);
}

static void test_judge(void **state)
{
    (void)state;
    assert_int_equal(gain_judge(0.0301, 0.03), GAIN_REAL);
    assert_int_equal(gain_judge(0.03, 0.03), GAIN_NOISE);
    assert_int_equal(gain_judge(0, 0), GAIN_NOISE);
    assert_int_equal(gain_judge(-0.03, 0.03), GAIN_NOISE);
    assert_int_equal(gain_judge(-0.0301, 0.03), GAIN_LOSS);
    assert_int_equal(gain_judge(NAN, 0.03), GAIN_UNKNOWN);
    assert_int_equal(gain_judge(0.2, NAN), GAIN_UNKNOWN);
}

static void test_kept(void **state)
{
    (void)state;
    assert_true(fabs(knee_kept(0.15, 0.2) - 0.75) < 1e-12);
    assert_true(knee_kept(-0.1, 0.2) < 0);
    assert_true(isnan(knee_kept(0.1, 0)));
    assert_true(isnan(knee_kept(-0.1, -0.2)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edge),          cmocka_unit_test(test_rounding),      cmocka_unit_test(test_all_and_none),
        cmocka_unit_test(test_not_monotonic), cmocka_unit_test(test_more_and_less), cmocka_unit_test(test_noise_floor),
        cmocka_unit_test(test_missing),       cmocka_unit_test(test_judge),         cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
