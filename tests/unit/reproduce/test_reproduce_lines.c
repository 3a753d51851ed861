/* Figures of lines: where values and marks are, the y axis, files; quartiles and means without a workload. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "made_up.h"
#include "reproduce/lines.h"
#include "reproduce/spread.h"
#include "unit/near.h"
#include "unit/temp_dir.h"

static const struct axis outstanding = {.name = "it's `false` \\ {x}",
                                        .values = {{"0", 0}, {"2", 2}, {"8", 8}, {"32", 32}},
                                        .value_count = 4,
                                        .marks = {{"O'Brien", 4}},
                                        .mark_count = 1};

/* Between two values by their ratio; after 0 by the difference. */
static void test_places(void **state)
{
    const struct axis one = {.values = {{"5", 5}}, .value_count = 1};
    (void)state;
    NEAR(lines_place(&outstanding, 0), 0);
    NEAR(lines_place(&outstanding, 1), 0.5);
    NEAR(lines_place(&outstanding, 2), 1);
    NEAR(lines_place(&outstanding, 4), 1.5);
    NEAR(lines_place(&outstanding, 32), 3);
    NEAR(lines_place(&one, 5), 0);
}

static struct lines *figure(void)
{
    struct lines *l = malloc(sizeof *l);
    lines_init(l);
    l->name = "l";
    l->title = "its 'title' \"x\" \\";
    l->axis = "gain [%]";
    l->series[0] = "it's \"u\"";
    l->series[1] = "nowhere";
    l->series_count = 2;
    l->panel_count = 3;
    for (unsigned p = 0; p < 3; p++)
        l->panels[p].axis = &outstanding;
    return l;
}

/* A panel's lines and quartiles, and 0. */
static void test_range(void **state)
{
    struct lines *l = figure();
    struct lines_panel *p = &l->panels[0];
    double range[2];
    (void)state;
    assert_false(lines_range(p, 2, range));
    assert_true(range[0] < range[1]);
    p->points[0][1] = (struct lines_point){10, 5, 7, 30};
    p->points[1][3] = (struct lines_point){-20, (double)NAN, (double)NAN, (double)NAN};
    l->panels[1].points[0][0].mean = 1000;
    assert_true(lines_range(p, 2, range));
    NEAR(range[0], -23);
    NEAR(range[1], 33);
    assert_true(lines_range(p, 1, range));
    NEAR(range[0], -0.06 * 30);
    free(l);
}

static char *written(const char *name)
{
    struct mh_error err;
    size_t length;
    char *text = read_file(in_base(name), &length, &err);
    assert_non_null(text);
    return text;
}

/* Twice the same bytes; names with quotes and commands are text to gnuplot; no point, no figure. */
static void test_files(void **state)
{
    struct lines *l = figure();
    struct mh_error err;
    (void)state;
    assert_int_equal(lines_write(l, base, &err), 0);
    assert_int_not_equal(access(in_base("l.gp"), F_OK), 0);
    for (unsigned v = 0; v < 3; v++)
        l->panels[0].points[0][v] = (struct lines_point){v, v - 1.0, v, v + 1.0};
    if (lines_write(l, base, &err))
        fail_msg("%s", err.text);
    char *svg = written("l.svg"), *data = written("l.dat"), *script = written("l.gp");
    assert_non_null(strstr(svg, "O'Brien"));
    assert_non_null(strstr(data, "\n2\t1\t1\t0\t1\t2\n"));
    assert_non_null(strstr(data, "\n32\t3\t?\t?\t?\t?\n"));
    assert_non_null(strstr(script, "'O''Brien' 1.5"));
    assert_int_equal(lines_write(l, base, &err), 0);
    char *again = written("l.svg");
    assert_string_equal(svg, again);
    free(svg);
    free(data);
    free(script);
    free(again);
    free(l);
}

static void test_quartiles(void **state)
{
    double values[] = {4, 1, 3, 2}, few[] = {1, 2};
    struct quartiles q;
    (void)state;
    assert_true(quartiles_of(values, 4, &q));
    NEAR(q.first, 1.75);
    NEAR(q.median, 2.5);
    NEAR(q.third, 3.25);
    assert_false(quartiles_of(few, 2, &q));
}

/* A gain that one pair makes is gone without it. Seeds are averaged. */
static void test_spread(void **state)
{
    struct made_up *m = make_up("+5 %", OVER_GEOMEAN, 4, 2);
    struct spread s;
    (void)state;
    set_cell(m, 0, 0, 10, 0.1);
    set_cell(m, 0, 1, 10, 0.3);
    set_cell(m, 2, 0, 10, 15);
    set_cell(m, 2, 1, 10, 15);
    assert_true(spread_of(&m->own.once, OVER_GEOMEAN, &s));
    assert_int_equal(s.moves_most, 2);
    NEAR(s.without, (cbrt(1.1) + cbrt(1.3)) / 2 - 1);
    NEAR(s.quartiles.first, 0);
    NEAR(s.quartiles.median, 0.1);
    NEAR(s.quartiles.third, 0.2 + (15 - 0.2) / 4);
    assert_true(spread_of(&m->own.once, OVER_MEAN, &s));
    NEAR(s.without, 0.2 / 3);
    drop(m);
    m = make_up("+5 %", OVER_GEOMEAN, 2, 1);
    assert_false(spread_of(&m->own.once, OVER_GEOMEAN, &s));
    drop(m);
}

int test_reproduce_lines(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),    cmocka_unit_test(test_range),  cmocka_unit_test(test_files),
        cmocka_unit_test(test_quartiles), cmocka_unit_test(test_spread),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
