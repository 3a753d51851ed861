/* When an axis is logarithmic by itself. Figures are tested as a user has them: e2e/test_plot.sh. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "pivot/draw.h"

#define GEOMETRIC(...)                                                                                                 \
    draw_is_geometric((const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double))

static void test_factors(void **state)
{
    (void)state;
    assert_true(GEOMETRIC(64, 128, 256, 512));
    assert_true(GEOMETRIC(1, 2, 5, 10, 20));
    assert_true(GEOMETRIC(0.001, 0.01, 0.1));
    assert_true(GEOMETRIC(1, 2, 4));
}

static void test_steps(void **state)
{
    (void)state;
    assert_false(GEOMETRIC(1, 2, 3));
    assert_false(GEOMETRIC(1, 2, 3, 4, 5));
    assert_false(GEOMETRIC(10, 20, 30, 40));
    assert_false(GEOMETRIC(0, 1, 10, 100)); /* 0 is nowhere on it */
    assert_false(GEOMETRIC(64, 128));       /* either */
    assert_false(GEOMETRIC(1, 2, 1000));
}

int test_draw(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_factors), cmocka_unit_test(test_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
