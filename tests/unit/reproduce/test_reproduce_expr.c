/* Metrics of rows files: values by hand, and texts that are none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "plan/expr.h"
#include "reproduce/series.h"
#include "unit/near.h"

/* walks: 3 and 5; hits 2; anything else is not there. */
static double look_up(void *ctx, const char *name, int tenant)
{
    ++*(unsigned *)ctx;
    if (!strcmp(name, "walks"))
        return tenant == EXPR_ALL ? 8 : tenant == 0 ? 3 : 5;
    return strcmp(name, "hits") ? (double)NAN : 2;
}

static void test_values(void **state)
{
    static const struct {
        const char *text;
        double value;
        unsigned names;
    } cases[] = {
        {"7", 7, 0},
        {"walks", 8, 1},
        {"walks[0]", 3, 1},
        {"walks [ 1 ]", 5, 1},
        {"1 + 2 * 3", 7, 0},
        {"(1 + 2) * 3", 9, 0},
        {"8 - 2 - 1", 5, 0}, /* from the left */
        {"8 / 4 / 2", 1, 0},
        {"hits / walks", 0.25, 2},
        {"hits/(walks-hits)", 1.0 / 3, 3},
        {"min(walks[0], walks[1]) / max(walks[0], walks[1])", 0.6, 4},
        {"(walks[0] / 2 + walks[1] / 2) / 2", 2, 2},
        {"0.5 * 4", 2, 0},
    };
    struct mh_error err;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expr *e = expr_parse(cases[i].text, &err);
        unsigned names = 0;
        if (!e)
            fail_msg("%s", err.text);
        NEAR(expr_value(e, look_up, &names), cases[i].value);
        assert_int_equal(names, cases[i].names);
        expr_free(e);
    }
}

static void test_nothing_to_divide_by(void **state)
{
    static const char *const texts[] = {"1 / 0", "1 / (hits - 2) + 5", "other", "max(other, 1)", "min(1, 0 / 0)"};
    struct mh_error err;
    unsigned names = 0;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct expr *e = expr_parse(texts[i], &err);
        assert_non_null(e);
        assert_true(isnan(expr_value(e, look_up, &names)));
        expr_free(e);
    }
}

static void test_nonsense(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "column 1"},          {"walks +", "column 8: expected a name"},
        {"(walks", "expected )"},  {"walks hits", "column 7: expected an operator"},
        {"walks[8]", "0..7"},      {"walks[x]", "number of a tenant"},
        {"walks[1", "expected ]"}, {"min(1)", "expected ,"},
        {"-1", "expected a name"}, {"a$b", "expected an operator"},
    };
    struct mh_error err;
    char deep[400], wide[400] = "1", name[200];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(expr_parse(cases[i].text, &err));
        if (!strstr(err.text, cases[i].message))
            fail_msg("'%s': %s", cases[i].text, err.text);
    }
    memset(deep, '(', sizeof deep);
    deep[sizeof deep - 1] = 0;
    assert_null(expr_parse(deep, &err));
    for (unsigned i = 0; i < 90; i++)
        strcat(wide, "+1");
    assert_null(expr_parse(wide, &err));
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = 0;
    assert_null(expr_parse(name, &err));
}

static void test_aggregates(void **state)
{
    static const double gains[] = {1.0, -0.5, 0.0}; /* 2, 0.5, 1: their geometric mean is 1 */
    static const double levels[] = {4, 1, 1};
    (void)state;
    NEAR(series_aggregate(gains, 3, RELATION_GAIN, OVER_GEOMEAN, 0), 0);
    NEAR(series_aggregate(gains, 3, RELATION_GAIN, OVER_MEAN, 0), 0.5 / 3);
    NEAR(series_aggregate(gains, 3, RELATION_GAIN, OVER_MIN, 0), -0.5);
    NEAR(series_aggregate(gains, 3, RELATION_GAIN, OVER_MAX, 0), 1);
    NEAR(series_aggregate(gains, 3, RELATION_GAIN, OVER_SHARE, -0.1), 2.0 / 3);
    NEAR(series_aggregate(gains, 3, RELATION_GAIN, OVER_SHARE, 0), 1.0 / 3); /* 0 is not above 0 */
    NEAR(series_aggregate(levels, 3, RELATION_LEVEL, OVER_GEOMEAN, 0), cbrt(4));
    NEAR(series_aggregate(levels, 3, RELATION_LEVEL, OVER_MEAN, 0), 2);
    NEAR(series_aggregate(levels, 2, RELATION_RATIO, OVER_GEOMEAN, 0), 2);
    assert_true(isnan(series_aggregate(levels, 0, RELATION_LEVEL, OVER_MEAN, 0)));
}

int test_reproduce_expr(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_nothing_to_divide_by),
        cmocka_unit_test(test_nonsense),
        cmocka_unit_test(test_aggregates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
