/* What of a gain is kept, and the knee, on values made by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "latency/knee.h"

/* Of five seeds. */
static struct interval about(double mean, double half)
{
    return (struct interval){mean, half, 5};
}

static enum gain_verdict judge(double mean, double half)
{
    struct interval gain = about(mean, half);
    return gain_judge(&gain);
}

static void test_judge(void **state)
{
    struct interval one = {0.2, NAN, 1};
    (void)state;
    assert_int_equal(judge(0.0301, 0.03), GAIN_REAL);
    assert_int_equal(judge(0.03, 0.03), GAIN_NONE);
    assert_int_equal(judge(0, 0), GAIN_NONE);
    assert_int_equal(judge(-0.03, 0.03), GAIN_NONE);
    assert_int_equal(judge(-0.0301, 0.03), GAIN_LOSS);
    assert_int_equal(judge(NAN, NAN), GAIN_UNKNOWN);
    assert_int_equal(gain_judge(&one), GAIN_ONE_SEED);
}

/* A gain in no time of 20 %: what does a point keep that loses `mean` of it? */
static enum keep keeps(double mean, double half)
{
    struct interval gain = about(0.2, 0.05), loss = about(mean, half);
    return keep_judge(&gain, &loss);
}

/* A twentieth of the gain may be missing, however sure that is; more than in no time is kept, too. */
static void test_kept(void **state)
{
    (void)state;
    assert_int_equal(keeps(0, 0), KEEP_KEPT);
    assert_int_equal(keeps(0.01, 0.001), KEEP_KEPT);
    assert_int_equal(keeps(-0.3, 0.1), KEEP_KEPT);
    assert_int_equal(keeps(0.0101, 0.001), KEEP_LOST);
}

/* Losses as they come: ratios less 1, one bit off what they are on paper. */
static void test_rounding(void **state)
{
    struct interval gain = about(1.3 - 1, 0), loss = about((1.3 - 1) - (1.285 - 1), 0);
    (void)state;
    assert_true(loss.mean > KNEE_LOSS * gain.mean);
    assert_int_equal(keep_judge(&gain, &loss), KEEP_KEPT);
}

/* Beyond the interval it is lost; an interval that holds the loss of all of the gain shows nothing, either way. */
static void test_not_kept(void **state)
{
    (void)state;
    assert_int_equal(keeps(0.05, 0.0499), KEEP_LOST);
    assert_int_equal(keeps(0.05, 0.05), KEEP_UNSHOWN);
    assert_int_equal(keeps(0.15, 0.199), KEEP_UNSHOWN);
    assert_int_equal(keeps(0.15, 0.2), KEEP_UNCLEAR);
    assert_int_equal(keeps(0.005, 0.2), KEEP_UNCLEAR); /* a small mean of seeds that differ as much as the gain */
    assert_int_equal(keeps(-0.1, 0.2), KEEP_UNCLEAR);
    assert_int_equal(keeps(0.3, 0.25), KEEP_LOST);
    assert_int_equal(keeps(NAN, NAN), KEEP_UNKNOWN);
}

static void test_cost(void **state)
{
    const struct interval cost = about(0.002, 0.001), unsure = about(0.002, 0.002), more = about(-0.002, 0.001),
                          one = {0.1, NAN, 1};
    (void)state;
    assert_true(loss_is_cost(&cost));
    assert_false(loss_is_cost(&unsure) || loss_is_cost(&more) || loss_is_cost(&one));
}

static void finds(const enum keep *points, int knee, int kept)
{
    struct knee found = knee_find(points, 4);
    assert_int_equal(found.knee, knee);
    assert_int_equal(found.kept, kept);
}

/* A slower mcu that keeps again is no knee: a faster one does not. Runs that are missing behind it do not matter. */
static void test_find(void **state)
{
    const enum keep X = KEEP_UNKNOWN, K = KEEP_KEPT, S = KEEP_UNSHOWN, C = KEEP_UNCLEAR, L = KEEP_LOST;
    (void)state;
    finds((const enum keep[]){K, K, K, K}, 4, 4);
    finds((const enum keep[]){K, S, K, L}, 3, 1);
    finds((const enum keep[]){S, S, S, S}, 4, 0);
    finds((const enum keep[]){L, K, K, K}, 0, 0);
    finds((const enum keep[]){K, C, K, K}, 1, 1);
    finds((const enum keep[]){K, L, X, K}, 1, 1);
    finds((const enum keep[]){K, X, K, K}, -1, -1);
    finds((const enum keep[]){K, S, X, K}, -1, 1);
    assert_int_equal(knee_find(NULL, 0).knee, 0);
}

int test_latency_knee(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judge),    cmocka_unit_test(test_kept), cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_not_kept), cmocka_unit_test(test_cost), cmocka_unit_test(test_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
