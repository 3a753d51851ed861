/* Grids over an axis: what is read, what is refused and where; what each column runs; the built-in study of such. */
#include "unit/test.h"

#include "rows_text.h"
#include "unit/near.h"

#define LISTS "kernels: {GUP: GUPS:524288}\nlists: {b: [GUP+MM, NN]}\n"
/* A grid that goes on with its axis, on the eighth line. */
#define BARE "grids:\n- {id: g, use: table, title: t, metric: ipc, against: y, workloads: b,\n   "
#define GRID "grids:\n- {id: g, use: table, title: t, metric: ipc, against: y, workloads: b, run: x,\n   "
#define AXIS GRID "axis: {key: l1tlb.mshrs, values: [1, 12, 64]}}\n"

static void opened(struct study *s, const char *text)
{
    struct mh_error err;
    assert_good(!open_text(s, text, &err), err);
}

/* The value, and what it assigns besides, are of run, against and alone runs: of what they have in common. */
TEST(test_reads)
{
    static const char text[] =
        HEAD "set: [l2.ways=8]\n" LISTS
             "grids:\n- {id: g, title: t, metric: ipc, against: y, workloads: b, set: [l2.latency=9], cycles: 500,\n"
             "   run: {image: x, set: [l2.ports=1]}, axis: {key: walk.walkers, name: walkers, marks: {32: ours},\n"
             "   values: {8: [noc.walker_ports=4, l1tlb.mshrs=2], 64: []}}}\n";
    struct study s;

    opened(&s, text);
    const struct grid *g = &s.grids[0];
    assert_int_equal(s.row_count, 0);
    assert_int_equal(g->column_count, 2);
    assert_string_equal(g->axis->name, "walkers");
    assert_string_equal(g->columns[0].name, "8");
    assert_string_equal(g->columns[1].image, "x");
    assert_int_equal(g->columns[1].set_count, 1);
    const struct variant *common = &grid_measure(g, 0)->common;
    assert_int_equal(common->set_count, 5);
    assert_string_equal(common->sets[0], "l2.ways=8");
    assert_string_equal(common->sets[1], "l2.latency=9");
    assert_string_equal(common->sets[2], "walk.walkers=8");
    assert_string_equal(common->sets[4], "l1tlb.mshrs=2");
    assert_int_equal(grid_measure(g, 1)->common.set_count, 3);
    assert_int_equal(g->measure.common.set_count, 2);
    NEAR(g->axis->values[1].number, 64);
    NEAR(g->axis->marks[0].number, 32);
    assert_string_equal(g->axis->marks[0].label, "ours");
    study_cycles(&s, 2000);
    assert_int_equal(grid_measure(g, 0)->cycles, 1000);
    assert_int_equal(grid_measure(g, 1)->cycles, 1000);
    study_close(&s);
}

static void assert_specs(const struct study *s, const struct measure *m, const char *first, const char *second)
{
    struct mh_error err;
    unsigned count;
    struct workload *w = study_workloads(s, m, &count, &err);
    assert_int_equal(count, 2);
    assert_string_equal(w[0].name, "GUP+MM");
    assert_string_equal(w[0].spec, first);
    assert_string_equal(w[1].spec, second);
    study_free_workloads(w, count);
}

TEST(test_sizes)
{
    struct study s;

    opened(&s, HEAD LISTS GRID "axis: {name: footprint, values: [1/4, 1.5], sizes: {GUP: [1024, 2048], NN: [7, 28]}}}\n"
                               "- {id: h, title: t, metric: ipc, workloads: b, columns: {p: x}}\n");
    const struct grid *g = &s.grids[0];
    NEAR(g->axis->values[0].number, 0.25);
    NEAR(g->axis->values[1].number, 1.5);
    assert_null(g->axis->key);
    assert_int_equal(grid_measure(g, 1)->common.set_count, 0);
    assert_specs(&s, grid_measure(g, 0), "GUPS:1024+MM", "NN:7");
    assert_specs(&s, grid_measure(g, 1), "GUPS:2048+MM", "NN:28");
    assert_specs(&s, grid_measure(&s.grids[1], 0), "GUPS:524288+MM", "NN");
    study_close(&s);
}

/* Grids that it does not name are out; windows stay unless it says one. */
TEST(test_quick)
{
    static const char more[] = "- {id: h, title: t, metric: ipc, workloads: b, columns: {p: x}, cycles: 300}\n"
                               "quick: {grids: [h]}\n";
    struct study s;

    opened(&s, HEAD LISTS "rows:\n" ROW AXIS);
    study_quick(&s);
    assert_int_equal(s.row_count, 0);
    assert_false(s.grids[0].left_out);
    study_close(&s);
    char text[1024];
    snprintf(text, sizeof text, "%s%s", HEAD LISTS AXIS, more);
    opened(&s, text);
    study_quick(&s);
    assert_true(s.grids[0].left_out);
    assert_false(s.grids[1].left_out);
    assert_int_equal(s.grids[1].measure.cycles, 300);
    study_close(&s);
}

TEST(test_refuses)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {GRID "axis: {key: l1tlb.mshrz, values: [1]}}\n", "rows.yaml:8: value 1: "},
        {GRID "axis: {key: l1tlb.mshrz, values: [1]}}\n", "mshrz"},
        {GRID "axis: {key: l1tlb.mshrs, values: [0, 1]}}\n", "rows.yaml:8: value 0: "},
        {GRID "axis: {key: l1tlb.mshrs,\n   values: [1, 5000]}}\n", "rows.yaml:9: value 5000: "},
        {GRID "axis: {key: walk.buffer, values: [64, 256]}}\n",
         "value 256: --set walk.buffer=256: walk.buffer: 256 walks, but l2tlb.mshrs is 128"},
        {GRID "axis: {key: walk.pwc_bytes, values: {64: []}}}\n", "value 64: "},
        {GRID "axis: {key: l1tlb.mshrs, values: []}}\n", "rows.yaml:8: values takes 1 to 16 numbers"},
        {GRID "axis: {key: l1tlb.mshrs}}\n", "rows.yaml:8: values takes 1 to 16 numbers"},
        {GRID "axis: {}}\n", "rows.yaml:8: "},
        {GRID "axis: 5}\n", "rows.yaml:8: an axis takes keys and values"},
        {GRID "axis: {key: l1tlb.mshrs, valves: [1]}}\n", "an axis has no key 'valves'"},
        {GRID "axis: {key: l1tlb.mshrs, values: [4, 2]}}\n", "ascending numbers, such as 1 or 1/4; not '2'"},
        {GRID "axis: {key: l1tlb.mshrs, values: [4, 4]}}\n", "not '4'"},
        {GRID "axis: {key: l1tlb.mshrs, values: [many]}}\n", "not 'many'"},
        {GRID "axis: {key: l1tlb.mshrs, values: [1/]}}\n", "not '1/'"},
        {GRID "axis: {key: l1tlb.mshrs, values: [1/0]}}\n", "not '1/0'"},
        {GRID "axis: {key: l1tlb.mshrs, values: [[1]]}}\n", "rows.yaml:8: "},
        {GRID "axis: {key: l1tlb.mshrs, values: {1: more}}}\n", "set takes a list of key=value"},
        {GRID
         "axis: {key: l1tlb.mshrs, values: {1: [a=1, b=2, c=3, d=4, e=5, f=6, g=7, h=8, i=9, j=10, k=11, l=12]}}}\n",
         "at most 12"},
        {GRID "set: [a=1, b=2, c=3, d=4, e=5, f=6, g=7, h=8, i=9, j=10, k=11, l=12], axis: {key: l1tlb.mshrs, values: "
              "[1]}}\n",
         "an assignment more than the 12"},
        {GRID "axis: {key: l1tlb.mshrs, values: [1, 2], marks: {3: x}}}\n", "numbers from 1 to 2; not '3'"},
        {GRID "axis: {key: l1tlb.mshrs, values: [1, 2], marks: [1]}}\n", "marks takes"},
        {GRID "axis: {name: n, values: [1, 2]}}\n", "nothing changes on this axis"},
        {GRID "axis: {values: [1], sizes: {MM: 512}}}\n", "without a key needs a name"},
        {GRID "axis: {name: n, values: [1, 2], sizes: {MM: [512]}}}\n", "rows.yaml:8: sizes of MM: 1 for 2 values"},
        {GRID "axis: {name: n, values: [1], sizes: {RED: [512]}}}\n", "no workload of the grid has kernel RED"},
        {GRID "axis: {name: n, values: [1, 2], sizes: {NN: [7, 20000]}}}\n", "value 2: "},
        {GRID "columns: {p: x},\n   axis: {key: l1tlb.mshrs, values: [1]}}\n",
         "rows.yaml:9: a grid has columns, or run and axis, or run and metrics: leave one of them out"},
        {GRID "columns: {p: x}}\n", "a grid has columns, or run and axis"},
        {GRID "digits: 2}\n", "run goes with one of axis and metrics: it has none, or both"},
        {BARE "axis: {key: l1tlb.mshrs, values: [1]}}\n", "run goes with one of axis and metrics: run is missing"},
        {AXIS "quick: {grids: [k]}\n", "rows.yaml:9: grids: there is no grid 'k'"},
        {AXIS "plots: [{id: p, title: t, axis: y, panels: []}]\n", "panels: a list of 1 to 9"},
        {AXIS "plots: [{id: p, title: t, axis: y, panels: [{l: k}]}]\n", "rows.yaml:9: there is no grid 'k'"},
        {AXIS "plots: [{id: p, title: t, axis: y, panels: [g]}]\n", "a panel takes"},
        {AXIS "plots: [{id: p, title: t, axis: y, panels: [{l: g}], log: yes}]\n", "no key 'log'"},
        {AXIS "- {id: h, title: t, metric: ipc, workloads: b, columns: {p: x}}\n"
              "plots: [{id: p, title: t, axis: y, panels: [{l: h}]}]\n",
         "grid h has no axis"},
        {AXIS
         "- {id: h, title: t, metric: ipc, against: y, workloads: b, run: x, axis: {key: l1tlb.mshrs, values: [1]}}\n"
         "plots: [{id: p, title: t, axis: y, panels: [{l: g, m: h}]}]\n",
         "grids g and h have different axes"},
        {AXIS "- {id: h, title: t, metric: ipc, workloads: b, run: x, axis: {key: l1tlb.mshrs, values: [1, 12, 64]}}\n"
              "plots: [{id: p, title: t, axis: y, panels: [{l: g}, {l: h}]}]\n",
         "grid h has another unit"},
        {AXIS "plots: [{id: p, title: t, axis: y, panels: [{l: {4: 2}}]}]\n", "the first line of a panel is a grid"},
        {AXIS "plots: [{id: p, title: t, axis: y, panels: [{l: g, m: {}}]}]\n", "or 1 to 40 published points"},
        {AXIS "plots: [{id: p, title: t, axis: y, panels: [{l: g, m: {4: x}}]}]\n", "is a number, not 'x'"},
        {AXIS "plots: [{id: p, title: t, axis: y, panels: [{l: g, m: {8: 2, 4: 2}}]}]\n", "points ascend from 1 to 64"},
        {AXIS "plots: [{id: p, title: t, axis: y, panels: [{l: g, m: {65: 2}}]}]\n", "not '65'"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study s;
        struct mh_error err;
        char text[2048];
        snprintf(text, sizeof text, "%s%s", HEAD LISTS, cases[i].text);
        if (!open_text(&s, text, &err))
            fail_msg("taken: %s", cases[i].text);
        assert_has(err.text, cases[i].message);
    }
}

/* Each mechanism over each axis; where the papers are is on the axis; each grid is in a figure. */
TEST(test_built_in)
{
    struct study s;
    struct mh_error err;

    assert_good(!study_open(&s, "map", NULL, &err), err);
    assert_int_equal(s.row_count, 0);
    for (unsigned i = 0; i < s.grid_count; i++) {
        const struct grid *g = &s.grids[i];
        bool drawn = false;
        assert_non_null(g->axis);
        assert_int_equal(g->measure.relation, RELATION_GAIN);
        assert_int_equal(g->use, GRID_TABLE);
        assert_true(g->axis->mark_count > 0);
        for (unsigned p = 0; p < s.plot_count; p++)
            for (unsigned k = 0; k < s.plots[p].panel_count; k++)
                for (unsigned l = 0; l < s.plots[p].panels[k].count; l++)
                    drawn |= s.plots[p].panels[k].grids[l] == g;
        if (!drawn)
            fail_msg("%s is in no figure", g->id);
    }
    study_close(&s);
}

/* --- `plots` of a rows file: what is read, what is refused and where; those of the built-in ones. */

#define LISTS_PLOTS "lists: {a: [GUP+MM, NN], b: [MM]}\n"
#define END         "metric: ipc, run: x}\n"
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

TEST(test_reads_plots)
{
    static const char text[] = HEAD LISTS_PLOTS ROWS PLOT
        "series: {s: [gain, best, one], u: gain}, means: {all: a, both: [a, b]}, cut: 12.5}\n"
        "- {id: p2, title: t, axis: x, series: {s: {first: gain, second: none}}}\n"
        "- {id: g, title: t, axis: x, grid: g, each: no, paper: {q: gain}, means: {all: a}}\n"
        "- {id: p3, title: t, axis: x, grid: h, log: yes}\n";
    struct study s;
    struct mh_error err;

    assert_good(!open_text(&s, text, &err), err);
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

TEST(test_refuses_plots)
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

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study s;
        struct mh_error err;
        char text[4096];
        snprintf(text, sizeof text, "%s%s", HEAD LISTS_PLOTS ROWS, cases[i].text);
        if (!open_text(&s, text, &err))
            fail_msg("taken: %s", cases[i].text);
        assert_has(err.text, cases[i].message);
    }
}

/* Each of the papers' studies has figures, named after it. */
TEST(test_built_in_plots)
{
    static const char *const studies[] = {"mask", "simt", "dws"};

    for (size_t i = 0; i < sizeof studies / sizeof *studies; i++) {
        struct study s;
        struct mh_error err;
        assert_good(!study_open(&s, studies[i], NULL, &err), err);
        assert_true(s.plot_count >= 10);
        for (unsigned p = 0; p < s.plot_count; p++)
            assert_memory_equal(s.plots[p].id, studies[i], strlen(studies[i]));
        study_close(&s);
    }
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
