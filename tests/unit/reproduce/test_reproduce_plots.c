/* `plots` of a rows file: what is read, what is refused and where; those of the built-in ones. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "rows_text.h"

#define LISTS "lists: {a: [GUP+MM, NN], b: [MM]}\n"
#define END   "metric: ipc, run: x}\n"
#define ROWS                                                                                                           \
    "rows:\n"                                                                                                          \
    "- {id: gain, figure: f, what: w, kind: effect, paper: +5 %, against: y, workloads: a, " END                       \
    "- {id: best, figure: f, what: w, kind: effect, paper: 2x, against: y, workloads: a, over: max, " END              \
    "- {id: one, figure: f, what: w, kind: effect, paper: +1 %, against: y, workloads: MM, " END                       \
    "- {id: level, figure: f, what: w, kind: level, paper: \"3\", workloads: a, " END                                  \
    "- {id: part, figure: f, what: w, kind: level, paper: 70 %, workloads: a, over: share, above: 1, " END             \
    "- {id: none, figure: f, what: w, kind: effect, paper: +1 %, missing: m}\n"                                        \
    "grids:\n"                                                                                                         \
    "- {id: g, title: t, metric: ipc, against: y, workloads: a, columns: {p: x, q: x}}\n"                              \
    "- {id: h, title: t, metric: ipc, workloads: a, columns: {p: x}}\n"
#define PLOT "plots:\n- {id: p1, title: t, axis: x, "

static void test_reads(void **state)
{
    static const char text[] =
        HEAD LISTS ROWS PLOT "series: {s: [gain, best, one], u: gain}, means: {all: a, both: [a, b]}, cut: 12.5}\n"
                             "- {id: p2, title: t, axis: x, series: {s: {first: gain, second: none}}}\n"
                             "- {id: g, title: t, axis: x, grid: g, each: no, paper: {q: gain}, means: {all: a}}\n"
                             "- {id: p3, title: t, axis: x, grid: h, log: yes}\n";
    struct study s;
    struct mh_error err;
    (void)state;
    if (open_text(&s, text, &err))
        fail_msg("%s", err.text);
    const struct plot *p = s.plots;
    assert_int_equal(s.plot_count, 4);
    assert_int_equal(p[0].series_count, 2);
    assert_null(p[0].grid);
    assert_null(p[0].series[0].groups[0].name);
    assert_int_equal(p[0].series[0].groups[0].count, 3);
    assert_string_equal(p[0].series[1].groups[0].items[0], "gain");
    assert_int_equal(p[0].mean_count, 2);
    assert_int_equal(p[0].means[1].count, 2);
    assert_true(p[0].each && p[0].percent && !p[0].log && p[0].cut > 12.4 && p[0].cut < 12.6);
    assert_int_equal(p[1].series[0].group_count, 2);
    assert_string_equal(p[1].series[0].groups[1].name, "second");
    assert_ptr_equal(p[2].grid, &s.grids[0]);
    assert_true(!p[2].each && p[2].percent);
    assert_string_equal(p[2].series[0].name, "q");
    assert_ptr_equal(p[3].grid, &s.grids[1]);
    assert_true(p[3].log && !p[3].percent);
    study_close(&s);
}

static void test_refuses(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"plots: {}\n", "rows.yaml:15: plots takes a list"},
        {"plots: [{id: p, title: t}]\n", "axis is missing"},
        {"plots: [{id: p, title: t, axis: x, bars: {a: gain}}]\n", "a plot has no key 'bars'"},
        {"plots: [{id: P/1, title: t, axis: x, grid: g}]\n", "lower case letters"},
        {PLOT "series: {s: {u: gain}}}\n- {id: p1, title: t, axis: x, grid: g}\n", "id 'p1' is given twice"},
        {"plots: [{id: h, title: t, axis: x, grid: g}]\n", "id 'h' is that of another grid"},
        {PLOT "grid: k}\n", "there is no grid 'k'"},
        {PLOT "means: {all: a}}\n", "series of rows, or a grid"},
        {PLOT "grid: g, series: {s: {u: gain}}}\n", "series of rows, or a grid"},
        {PLOT "series: {s: {u: gain}}, paper: {q: gain}}\n", "series of rows, or a grid"},
        {PLOT "grid: g, paper: {r: gain}, means: {all: a}}\n", "rows.yaml:16: grid g has no column 'r'"},
        {PLOT "series: {s: [gain, lost]}, means: {all: a}}\n", "there is no row 'lost'"},
        {PLOT "series: {s: {u: gain, v: level}}}\n", "row level has another unit"},
        {PLOT "grid: g, paper: {p: level}, means: {all: a}}\n", "row level has another unit"},
        {PLOT "series: {s: gain}}\n", "row gain is over 'a', which is none of the means"},
        {PLOT "series: {s: one}, each: no}\n", "row one is over 'MM', which is none of the means"},
        {PLOT "series: {s: part}, means: {all: a}}\n", "row part has no values per workload"},
        {PLOT "series: {s: none}, means: {all: a}}\n", "row none has no values per workload"},
        {PLOT "grid: g, means: {all: c}}\n", "there is no list 'c'"},
        {PLOT "grid: g, means: {all: []}}\n", "means: all takes 1.."},
        {PLOT "grid: g, each: some}\n", "each is one of: no yes"},
        {PLOT "grid: g, cut: much}\n", "cut is a number, not 'much'"},
        {PLOT "grid: g, cut: -1}\n", "cut is above 0"},
        {PLOT "series: {}}\n", "names of 1 to 8 series"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study s;
        struct mh_error err;
        char text[4096];
        snprintf(text, sizeof text, "%s%s", HEAD LISTS ROWS, cases[i].text);
        if (!open_text(&s, text, &err))
            fail_msg("taken: %s", cases[i].text);
        if (!strstr(err.text, cases[i].message))
            fail_msg("'%s' instead of '%s'", err.text, cases[i].message);
    }
}

/* Each of the papers' studies has figures, named after it. */
static void test_built_in(void **state)
{
    static const char *const studies[] = {"mask", "simt", "dws"};
    (void)state;
    for (size_t i = 0; i < sizeof studies / sizeof *studies; i++) {
        struct study s;
        struct mh_error err;
        if (study_open(&s, studies[i], NULL, &err))
            fail_msg("%s", err.text);
        assert_true(s.plot_count >= 10);
        for (unsigned p = 0; p < s.plot_count; p++)
            assert_memory_equal(s.plots[p].id, studies[i], strlen(studies[i]));
        study_close(&s);
    }
}

int test_reproduce_plots(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_built_in),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
