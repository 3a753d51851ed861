/* Means and their intervals, beside values worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/interval.h"

/* 1..5: mean 3, standard deviation sqrt(2.5); t(4) = 2.776. */
static void test_five_values(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3, 4, 5};
    struct interval i = interval_of(values, 5);
    assert_true(fabs(i.mean - 3) < 1e-12);
    assert_true(fabs(i.half - 2.776 * sqrt(0.5)) < 1e-9);
    assert_true(interval_is_effect(&i));
}

/* Two values: t(1) = 12.706, so that 1 and 2 say nothing, 1.0 and 1.1 do. */
static void test_two_values(void **state)
{
    (void)state;
    const double apart[] = {1, 2}, close[] = {1.0, 1.1};
    struct interval a = interval_of(apart, 2), c = interval_of(close, 2);
    assert_true(fabs(a.half - 12.706 / 2) < 1e-9);
    assert_false(interval_is_effect(&a));
    assert_true(interval_is_effect(&c));
}

static void test_one_value_knows_no_width(void **state)
{
    (void)state;
    const double one[] = {5};
    struct interval i = interval_of(one, 1);
    assert_true(fabs(i.mean - 5) < 1e-12);
    assert_true(isnan(i.half));
    assert_false(interval_is_effect(&i));
}

static void test_equal_values_are_exact(void **state)
{
    (void)state;
    const double same[] = {0.1, 0.1, 0.1}, zero[] = {0, 0, 0}; /* 0.1 + 0.1 + 0.1 is not 3 * 0.1 */
    struct interval s = interval_of(same, 3), z = interval_of(zero, 3);
    assert_true(s.mean == same[0] && s.half == 0 && interval_is_effect(&s));
    assert_false(interval_is_effect(&z));
}

static void test_nothing_and_nan(void **state)
{
    (void)state;
    const double gap[] = {1, NAN, 2};
    struct interval none = interval_of(NULL, 0), i = interval_of(gap, 3);
    assert_true(isnan(none.mean) && isnan(none.half) && isnan(i.mean));
    assert_false(interval_is_effect(&none));
    assert_false(interval_is_effect(&i));
}

/* t(30) = 2.042, t(60) = 2.000 of the same table. */
static void test_many_values(void **state)
{
    (void)state;
    double values[61];
    for (unsigned k = 0; k < 61; k++)
        values[k] = k % 2 ? 1 : -1;
    struct interval i = interval_of(values, 31), j = interval_of(values, 61);
    double s31 = sqrt((31 - 31 * i.mean * i.mean) / 30 / 31), s61 = sqrt((61 - 61 * j.mean * j.mean) / 60 / 61);
    assert_true(fabs(i.half / s31 - 2.042) < 0.004 && fabs(j.half / s61 - 2.000) < 0.004);
}

int test_host_interval(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_five_values),
        cmocka_unit_test(test_two_values),
        cmocka_unit_test(test_one_value_knows_no_width),
        cmocka_unit_test(test_equal_values_are_exact),
        cmocka_unit_test(test_nothing_and_nan),
        cmocka_unit_test(test_many_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
