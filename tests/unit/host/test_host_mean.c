/* Means and quartiles, counted by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/mean.h"
#include "unit/near.h"

static void test_means(void **state)
{
    const double values[] = {1, 2, 4};
    (void)state;
    NEAR(mean_arithmetic(values, 3), 7.0 / 3);
    NEAR(mean_geometric(values, 3, 0), 2);
    NEAR(mean_least(values, 3), 1);
    NEAR(mean_most(values, 3), 4);
    assert_true(isnan(mean_arithmetic(NULL, 0)) && isnan(mean_least(NULL, 0)) && isnan(mean_most(NULL, 0)));
}

/* Gains of a doubling and a halving make none. */
static void test_gains(void **state)
{
    const double gains[] = {1, -0.5}, lost[] = {1, -1}, below[] = {1, -2};
    (void)state;
    NEAR(mean_geometric(gains, 2, 1), 0);
    NEAR(mean_geometric(lost, 2, 1), -1);
    assert_true(isnan(mean_geometric(below, 2, 1)));
}

static void test_median(void **state)
{
    double odd[] = {9, 1, 5}, even[] = {9, 1, 5, 3}, one[] = {7};
    (void)state;
    NEAR(mean_median(odd, 3), 5);
    NEAR(mean_median(even, 4), 4);
    NEAR(mean_median(one, 1), 7);
    assert_true(isnan(mean_median(one, 0)));
}

static void test_quartiles(void **state)
{
    double values[] = {4, 1, 3, 2, 5}, few[] = {1, 2};
    struct quartiles q;
    (void)state;
    assert_true(quartiles_of(values, 5, &q));
    NEAR(q.first, 2);
    NEAR(q.median, 3);
    NEAR(q.third, 4);
    assert_false(quartiles_of(few, 2, &q));
}

int test_host_mean(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_means),
        cmocka_unit_test(test_gains),
        cmocka_unit_test(test_median),
        cmocka_unit_test(test_quartiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
