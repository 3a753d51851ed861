/* Figures of lines: where values and marks are, the y axis, files; quartiles and means without a workload. */
#include "unit/test.h"

#include <unistd.h>
#include <math.h>

#include "made_up.h"
#include "reproduce/figures.h"
#include "reproduce/outcome.h"
#include "unit/near.h"
#include "unit/temp_dir.h"

static const struct axis outstanding = {.name = "it's `false` \\ {x}",
                                        .values = {{"0", 0}, {"2", 2}, {"8", 8}, {"32", 32}},
                                        .value_count = 4,
                                        .marks = {{"O'Brien", 4}},
                                        .mark_count = 1};

/* Between two values by their ratio; after 0 by the difference. */
TEST(test_places)
{
    const struct axis one = {.values = {{"5", 5}}, .value_count = 1};

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
TEST(test_range)
{
    struct lines *l = figure();
    struct lines_panel *p = &l->panels[0];
    double range[2];

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
TEST(test_files)
{
    struct lines *l = figure();
    struct mh_error err;

    assert_int_equal(lines_write(l, base, &err), 0);
    assert_int_not_equal(access(in_base("l.gp"), F_OK), 0);
    for (unsigned v = 0; v < 3; v++)
        l->panels[0].points[0][v] = (struct lines_point){v, v - 1.0, v, v + 1.0};
    assert_good(!lines_write(l, base, &err), err);
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

/* Points lie between values, count for the range, and the key of a figure without quartiles has none. */
TEST(test_published)
{
    static const struct plot_point points[] = {{2, 100}, {16, -50}};
    struct lines *l = figure();
    double range[2];
    struct mh_error err;

    l->panels[0].points[0][1].mean = 10;
    l->panels[0].published[1] = points;
    l->panels[0].published_count[1] = 2;
    assert_true(lines_range(&l->panels[0], 2, range));
    NEAR(range[0], -50 - 0.06 * 150);
    NEAR(range[1], 100 + 0.06 * 150);
    assert_good(!lines_write(l, base, &err), err);
    char *data = written("l.dat"), *script = written("l.gp");
    assert_non_null(strstr(data, "\n2\t1\t100\n16\t2.5\t-50\n"));
    assert_null(strstr(script, "'quartiles'"));
    free(data);
    free(script);
    free(l);
}

TEST(test_quartiles)
{
    double values[] = {4, 1, 3, 2}, few[] = {1, 2};
    struct quartiles q;

    assert_true(quartiles_of(values, 4, &q));
    NEAR(q.first, 1.75);
    NEAR(q.median, 2.5);
    NEAR(q.third, 3.25);
    assert_false(quartiles_of(few, 2, &q));
}

/* A gain that one pair makes is gone without it. Seeds are averaged. */
TEST(test_spread)
{
    struct made_up *m = make_up("+5 %", OVER_GEOMEAN, 4, 2);
    struct spread s;

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

/* --- Bar figures: where bars and numbers stand, what is not drawn, what gnuplot is told. */

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

static struct bars figure_bars(void)
{
    return (struct bars){.name = "f", .title = "t", .axis = "a", .series = {"s", "u"}, .series_count = 2};
}

static struct bars_layout laid_out(const struct bars *f)
{
    struct bars_layout l;
    bars_lay_out(f, &l);
    for (unsigned i = 1; i < l.bar_count; i++)
        assert_true(l.bars[i].left >= l.bars[i - 1].right);
    assert_true(l.bar_count == 0 || l.bars[l.bar_count - 1].right < l.width);
    return l;
}

/* The paper's bar, then ours, series after series; a gap between groups; room for numbers above and below. */
TEST(test_order)
{
    struct bars f = figure_bars();

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

TEST(test_papers_words)
{
    struct bars f = figure_bars();

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
TEST(test_cut)
{
    struct bars f = figure_bars();
    char group[16];

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
TEST(test_log)
{
    struct bars f = figure_bars();

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

TEST(test_all_zero)
{
    struct bars f = figure_bars();

    put(&f, "one", 0, 0);
    struct bars_layout l = laid_out(&f);
    assert_true(l.high > l.low);
    bars_layout_free(&l);
    bars_free(&f);
}

TEST(test_apart)
{
    struct bars f = figure_bars();

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
TEST(test_files_bars)
{
    struct bars f = figure_bars(), empty = figure_bars();
    struct mh_error err;

    f.title = "its 'title' `false` \"x\" \\";
    f.series[1] = "it's \"u\"";
    put(&f, "O'Brien @{x}", 0, 1);
    put(&f, "two", 1, -1);
    put_paper(&f, "two", 1, 3, 3, "it's 3");
    assert_good(!bars_write(&f, base, &err), err);
    assert_true(exists("f.dat") && exists("f.gp") && exists("f.svg") && exists("f.png"));
    empty.name = "empty";
    put(&empty, "one", 0, (double)NAN);
    assert_int_equal(bars_write(&empty, base, &err), 0);
    assert_false(exists("empty.gp"));
    bars_free(&f);
    bars_free(&empty);
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
