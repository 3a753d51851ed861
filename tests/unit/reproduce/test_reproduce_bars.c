/* Bar figures: where bars and numbers stand, what is not drawn, what gnuplot is told. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "reproduce/bars.h"
#include "unit/near.h"
#include "unit/temp_dir.h"

static void put(struct bars *f, const char *group, unsigned series, double v)
{
    struct bars_cell *c = bars_cell(f, group, series);
    c->ours = v;
    snprintf(c->ours_text, sizeof c->ours_text, "%g", v);
}

static void put_paper(struct bars *f, const char *group, unsigned series, double low, double high, const char *text)
{
    struct bars_cell *c = bars_cell(f, group, series);
    c->low = low;
    c->high = high;
    snprintf(c->paper_text, sizeof c->paper_text, "%s", text);
}

static struct bars figure(void)
{
    return (struct bars){.name = "f", .title = "t", .axis = "a", .series = {"s", "u"}, .series_count = 2};
}

static struct bars_layout laid_out(const struct bars *f)
{
    struct bars_layout l;
    struct mh_error err;
    assert_int_equal(bars_lay_out(f, &l, &err), 0);
    for (unsigned i = 1; i < l.bar_count; i++)
        assert_true(l.bars[i].left >= l.bars[i - 1].right);
    assert_true(l.bar_count == 0 || l.bars[l.bar_count - 1].right < l.width);
    return l;
}

/* The paper's bar, then ours, series after series; a gap between groups; room for numbers above and below. */
static void test_order(void **state)
{
    struct bars f = figure();
    (void)state;
    put(&f, "one", 0, 10);
    put(&f, "one", 1, -5);
    put_paper(&f, "one", 1, 20, 20, "+20 %");
    put(&f, "two", 0, 4);
    put(&f, "one", 0, 12);
    struct bars_layout l = laid_out(&f);
    assert_int_equal(f.group_count, 2);
    assert_int_equal(l.bar_count, 4);
    assert_false(l.upright);
    NEAR(l.bars[0].high, 12);
    assert_true(l.bars[1].paper && l.bars[1].series == 1);
    assert_string_equal(l.bars[1].text, "+20 %");
    NEAR(l.bars[1].low, 0);
    NEAR(l.bars[1].high, 20);
    assert_true(!l.bars[2].paper && l.bars[2].series == 1);
    NEAR(l.bars[2].low, -5);
    NEAR(l.bars[2].high, 0);
    NEAR(l.bars[2].left, l.bars[1].right);
    assert_true(l.bars[3].left > l.bars[2].right && l.bars[3].group == 1);
    assert_true(l.low < -5 && l.high > 20);
    bars_layout_free(&l);
    bars_free(&f);
}

static void test_papers_words(void **state)
{
    struct bars f = figure();
    (void)state;
    put_paper(&f, "range", 0, 2, 3, "2..3 x");
    put_paper(&f, "direction", 0, (double)NAN, (double)NAN, "higher");
    put(&f, "nothing", 0, (double)NAN);
    struct bars_layout l = laid_out(&f);
    assert_int_equal(l.bar_count, 2);
    NEAR(l.bars[0].low, 2);
    NEAR(l.bars[0].high, 3);
    assert_true(isnan(l.bars[1].value) && l.bars[1].right > l.bars[1].left);
    assert_string_equal(l.bars[1].text, "higher");
    NEAR(l.low, 0);
    bars_layout_free(&l);
    bars_free(&f);
}

/* Bars beyond the cut end there, with their number even in a figure of many. */
static void test_cut(void **state)
{
    struct bars f = figure();
    char group[16];
    (void)state;
    f.cut = 100;
    for (unsigned g = 0; g < 120; g++) {
        snprintf(group, sizeof group, "g%u", g);
        put(&f, group, 0, g == 7 ? 1362 : g == 8 ? 100 : 1);
    }
    struct bars_layout l = laid_out(&f);
    assert_true(l.upright);
    NEAR(l.bars[7].high, 100);
    NEAR(l.bars[7].value, 1362);
    assert_string_equal(l.bars[7].text, "1362");
    assert_null(l.bars[8].text);
    assert_true(l.bars[7].right - l.bars[7].left > l.bars[8].right - l.bars[8].left);
    assert_true(l.high > 100 && l.high < 200);
    bars_layout_free(&l);
    bars_free(&f);
}

/* On a logarithmic axis a bar stands on the decade below the least; 0 has none. */
static void test_log(void **state)
{
    struct bars f = figure();
    (void)state;
    f.log = true;
    put(&f, "one", 0, 0.005);
    put(&f, "one", 1, 72);
    put(&f, "two", 0, 0);
    struct bars_layout l = laid_out(&f);
    NEAR(l.low, 0.001);
    assert_true(l.high > 72);
    NEAR(l.bars[0].low, 0.001);
    NEAR(l.bars[0].high, 0.005);
    NEAR(l.bars[2].high, l.bars[2].low);
    bars_layout_free(&l);
    bars_free(&f);
}

static void test_all_zero(void **state)
{
    struct bars f = figure();
    (void)state;
    put(&f, "one", 0, 0);
    struct bars_layout l = laid_out(&f);
    assert_true(l.high > l.low);
    bars_layout_free(&l);
    bars_free(&f);
}

static void test_apart(void **state)
{
    struct bars f = figure();
    (void)state;
    put(&f, "one", 0, 1);
    put(&f, "two", 0, 1);
    put(&f, "mean", 0, 1);
    f.apart = 2;
    struct bars_layout l = laid_out(&f);
    NEAR(l.bars[2].left - l.bars[1].right, 3 * (l.bars[1].left - l.bars[0].right));
    bars_layout_free(&l);
    bars_free(&f);
}

static bool exists(const char *name)
{
    FILE *file = fopen(in_base(name), "r");
    return file && !fclose(file);
}

/* Names with quotes and commands are text to gnuplot; a figure without a bar is none. */
static void test_files(void **state)
{
    struct bars f = figure(), empty = figure();
    struct mh_error err;
    (void)state;
    f.title = "its 'title' `false` \"x\" \\";
    f.series[1] = "it's \"u\"";
    put(&f, "O'Brien @{x}", 0, 1);
    put(&f, "two", 1, -1);
    put_paper(&f, "two", 1, 3, 3, "it's 3");
    if (bars_write(&f, base, &err))
        fail_msg("%s", err.text);
    assert_true(exists("f.dat") && exists("f.gp") && exists("f.svg") && exists("f.png"));
    empty.name = "empty";
    put(&empty, "one", 0, (double)NAN);
    assert_int_equal(bars_write(&empty, base, &err), 0);
    assert_false(exists("empty.gp"));
    bars_free(&f);
    bars_free(&empty);
}

int test_reproduce_bars(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order), cmocka_unit_test(test_papers_words), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_log),   cmocka_unit_test(test_all_zero),     cmocka_unit_test(test_apart),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
