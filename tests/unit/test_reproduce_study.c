/* Rows files: what is read, what is refused and where; the built-in ones; what is kept in the store. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "classes.h"
#include "file.h"
#include "memhelm/config_file.h"
#include "memhelm/kernels.h"
#include "record/result.h"
#include "reproduce/reproduce.h"
#include "reproduce/values.h"

#define NEAR(a, b) assert_true(fabs((a) - (double)(b)) < 1e-12 * (fabs((double)(b)) + 1))

static char base[] = "/tmp/memhelm-test-XXXXXX";

static const char *in_base(const char *name)
{
    static char path[HOST_PATH];
    assert_int_equal(path_join(path, base, name, NULL), 0);
    return path;
}

static int setup(void **state)
{
    (void)state;
    return mkdtemp(base) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    remove_tree(base);
    return 0;
}

#define HEAD  "title: t\npreset: mask\ncycles: 1000\n"
#define LISTS "kernels: {GUP: GUP:524288}\nlists: {a: [GUP+MM, NN], b: [a, MM]}\n"
#define ROW   "- {id: r1, figure: f, what: w, kind: effect, paper: +5 %, metric: ipc, run: x, against: y, workloads: b}\n"

static int open_text(struct study *s, const char *text, struct mh_error *err)
{
    struct mh_error unused;
    assert_int_equal(write_file(in_base("rows.yaml"), text, strlen(text), &unused), 0);
    return study_open(s, "mask", in_base("rows.yaml"), err);
}

static void test_reads(void **state)
{
    static const char text[] = HEAD LISTS
        "rows:\n" ROW "- {id: r2, figure: f, what: w, kind: level, paper: 50 %, metric: ipc, preset: fermi,\n"
        "   run: {image: x, design: D, set: [a=1, b=2], machine: twin}, against: y, workloads: [a, SC], cycles: 500,\n"
        "   alone: whole, over: share, above: 0.25, set: [c=3], note: why}\n"
        "- {id: r3, figure: f, what: w, kind: order, paper: higher, missing: no way}\n"
        "doubling: [r1]\n"
        "quick: {cycles: 100, rows: [r2], lists: {a: [NN]}}\n";
    struct study s;
    struct mh_error err;
    unsigned count;
    (void)state;
    if (open_text(&s, text, &err))
        fail_msg("%s", err.text);
    assert_int_equal(s.row_count, 3);
    assert_int_equal(s.rows[0].measure.relation, RELATION_GAIN);
    assert_int_equal(s.rows[0].measure.cycles, 1000);
    assert_true(s.rows[0].claim.gain);
    const struct row *r = &s.rows[1];
    assert_int_equal(r->measure.relation, RELATION_RATIO); /* of a level */
    assert_string_equal(r->run.design, "D");
    assert_string_equal(r->run.sets[1], "b=2");
    assert_int_equal(r->run.machine, MACHINE_TWIN);
    assert_string_equal(r->measure.common.preset, "fermi");
    assert_string_equal(r->measure.common.sets[0], "c=3");
    assert_true(r->measure.alone_whole);
    NEAR(r->above, 0.25);
    assert_string_equal(s.rows[2].missing, "no way");
    struct workload *w = study_workloads(&s, &s.rows[0].measure, &count, &err);
    assert_int_equal(count, 3);
    assert_string_equal(w[0].spec, "GUP:524288+MM"); /* a kernel's name is spelt out, also in a pair */
    assert_string_equal(w[0].name, "GUP+MM");
    assert_string_equal(w[1].spec, "NN");
    assert_string_equal(w[2].spec, "MM");
    study_free_workloads(w, count);
    study_cycles(&s, 2000);
    assert_int_equal(s.rows[0].measure.cycles, 2000);
    assert_int_equal(s.rows[1].measure.cycles, 1000);
    study_quick(&s);
    assert_int_equal(s.row_count, 1);
    assert_int_equal(s.rows[0].measure.cycles, 100);
    w = study_workloads(&s, &s.rows[0].measure, &count, &err);
    assert_int_equal(count, 2);
    assert_string_equal(w[0].spec, "NN");
    study_free_workloads(w, count);
    study_close(&s);
}

static void test_refuses(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "is empty"},
        {"rows: [", "rows.yaml:"},
        {"a", "takes keys and values"},
        {HEAD, "a list of rows is missing"},
        {"title: t\nrows:\n" ROW, "title, preset and cycles are needed"},
        {HEAD "cycles: 5\n", "given twice"},
        {HEAD "rows:\n- {id: r1}\n", "rows.yaml:5: a row needs figure"},
        {HEAD "rows:\n" ROW ROW, "id 'r1' is given twice"},
        {HEAD "rows:\n- {id: R!, figure: f, what: w, kind: level, paper: 1, missing: m}\n", "lower case letters"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: best, paper: 1, missing: m}\n",
         "rows.yaml:5: kind is one of: effect level order; not 'best'"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: much, missing: m}\n", "is no claim of a paper"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: 1}\n", "neither a run nor missing"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: 1, run: x, metric: ipc}\n",
         "workloads are missing"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: 1, run: x, metric: ipc /, workloads: MM}\n",
         "rows.yaml:5: metric 'ipc /', column 6"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: 1, run: x, metric: ipc, workloads: MM,\n"
              "   relation: gain}\n",
         "has against"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: 1, run: {design: D}, metric: ipc,\n"
              "   workloads: MM}\n",
         "a run needs an image"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: 1, run: x, metric: ipc, workloads: MM,\n"
              "   over: share}\n",
         "has above"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: 1, run: x, metric: ipc, workloads: MM,\n"
              "   cycles: -5}\n",
         "cycles is a whole number"},
        {HEAD "rows:\n- {id: r, fgure: f, what: w, kind: level, paper: 1, missing: m}\n", "no key 'fgure'"},
        {HEAD "rows:\n" ROW "doubling: [r9]\n", "there is no row 'r9'"},
        {HEAD "rows:\n" ROW "quick: {rows: [r9]}\n", "there is no row 'r9'"},
        {HEAD "rows:\n" ROW "grids: [{id: g, title: t, metric: ipc, workloads: MM}]\n", "columns takes a mapping"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study s;
        struct mh_error err;
        if (!open_text(&s, cases[i].text, &err))
            fail_msg("taken: %s", cases[i].text);
        if (!strstr(err.text, cases[i].message))
            fail_msg("'%s' instead of '%s'", err.text, cases[i].message);
    }
}

static void test_lists_in_circles(void **state)
{
    struct study s;
    struct mh_error err;
    unsigned count;
    (void)state;
    assert_int_equal(open_text(&s, HEAD "lists: {a: [b], b: [a]}\nrows:\n" ROW, &err), 0);
    assert_null(study_workloads(&s, &s.rows[0].measure, &count, &err));
    assert_non_null(strstr(err.text, "lists in lists"));
    study_close(&s);
}

static bool in_classes(enum class_paper paper, const char *spec)
{
    struct mh_config cfg;
    struct mh_error err;
    memset(&cfg, 0, sizeof cfg);
    if (mh_config_workload(&cfg, spec, &err))
        return false;
    for (size_t i = 0; i < class_row_count; i++)
        if (class_rows[i].paper == paper &&
            mh_kernel_find(class_rows[i].kernel) == mh_kernel_find(cfg.tenants[0].kernel) &&
            class_rows[i].size == cfg.tenants[0].size)
            return true;
    return false;
}

/* One program and size per name of a kernel, here and in `memhelm classes`. */
static void test_built_in(void **state)
{
    static const struct {
        const char *name;
        enum class_paper paper;
        unsigned rows; /* of the mechanisms' tables, at least */
    } studies[] = {{"mask", PAPER_MASK, 50}, {"simt", PAPER_SIMT, 24}, {"dws", PAPER_DWS, 70}};
    (void)state;
    for (size_t i = 0; i < sizeof studies / sizeof *studies; i++) {
        struct study s;
        struct mh_error err;
        unsigned count;
        if (study_open(&s, studies[i].name, NULL, &err))
            fail_msg("%s", err.text);
        assert_true(s.row_count >= studies[i].rows);
        assert_true(s.quick_rows.count > 0 && s.doubling.count > 0);
        for (unsigned k = 0; k < s.kernel_count; k++)
            if (!in_classes(studies[i].paper, s.kernels[k].items[0]))
                fail_msg("%s: %s is another program or size than in classes.def", s.name, s.kernels[k].items[0]);
        for (unsigned r = 0; r < s.row_count; r++) {
            if (s.rows[r].missing)
                continue;
            struct workload *w = study_workloads(&s, &s.rows[r].measure, &count, &err);
            if (!w)
                fail_msg("%s: %s", s.rows[r].id, err.text);
            for (unsigned k = 0; k < count; k++) {
                struct mh_config cfg;
                memset(&cfg, 0, sizeof cfg);
                if (mh_config_workload(&cfg, w[k].spec, &err))
                    fail_msg("%s: %s", s.rows[r].id, err.text);
            }
            study_free_workloads(w, count);
        }
        study_close(&s);
    }
}

/* MASK has 35 pairs in three classes; DWS 45, 32 of them with a heavy one. */
static void test_numbers_of_pairs(void **state)
{
    static const struct {
        const char *study, *list;
        unsigned count;
    } lists[] = {{"mask", "pairs", 35}, {"mask", "ten", 10}, {"dws", "all", 45},  {"dws", "heavy", 32},
                 {"dws", "ten", 10},    {"simt", "ten", 10}, {"simt", "all", 12}, {"dws", "three", 7}};
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct study s;
        struct mh_error err;
        unsigned count;
        struct measure m = {.lists = {lists[i].list}, .list_count = 1};
        assert_int_equal(study_open(&s, lists[i].study, NULL, &err), 0);
        struct workload *w = study_workloads(&s, &m, &count, &err);
        assert_int_equal(count, lists[i].count);
        for (unsigned a = 0; a < count; a++)
            for (unsigned b = 0; b < a; b++)
                assert_string_not_equal(w[a].spec, w[b].spec);
        study_free_workloads(w, count);
        study_close(&s);
    }
}

/* --- The plan: stands for images that are only files here. */

static struct plan *plan_with_twins(struct plan_options *o)
{
    *o = (struct plan_options){.twin = true, .seed = 1, .times = 1};
    return plan_new(base);
}

static void test_one_simulation_for_all(void **state)
{
    struct plan_options o;
    struct plan *p = plan_with_twins(&o);
    struct mh_error err;
    struct point a, b, c, d;
    struct study s;
    (void)state;
    assert_int_equal(open_text(&s, HEAD "rows:\n" ROW, &err), 0);
    struct measure m = s.rows[0].measure;
    struct variant v = {.image = in_base("fake.so")}, other = {.image = in_base("fake.so"), .sets = {"l2.ways=8"}};
    other.set_count = 1;
    assert_int_equal(write_file(v.image, "x", 1, &err), 0);
    plan_point(p, &m, &v, "MM+NN", &o, &a);
    if (!a.run)
        fail_msg("%s", a.reason);
    plan_point(p, &m, &v, "MM+NN", &o, &b);
    assert_ptr_equal(a.run, b.run);
    plan_point(p, &m, &other, "MM+NN", &o, &c);
    assert_ptr_not_equal(a.run, c.run);
    o.times = 2;
    plan_point(p, &m, &v, "MM+NN", &o, &d);
    assert_int_equal(d.run->sim.cfg.run.cycles, 2000);
    o.seed = 7;
    plan_point(p, &m, &v, "MM+NN", &o, &d);
    assert_int_equal(d.run->sim.cfg.run.seed, 7);
    assert_int_equal(plan_count(p), 4);
    v.image = "/no/such/image.so";
    plan_point(p, &m, &v, "MM+NN", &o, &d);
    assert_null(d.run);
    assert_non_null(strstr(d.reason, "/no/such/image.so"));
    plan_free(p);
    study_close(&s);
}

static void test_unknown_counter(void **state)
{
    struct mh_error err;
    struct expr *good = expr_parse("walk_cycles / walks + config.sm.count * alone.cycles[0]", &err);
    struct expr *bad = expr_parse("walks_eaten / walks", &err);
    (void)state;
    assert_int_equal(values_check(good, &err), 0);
    assert_true(values_need_alone(good));
    assert_int_equal(values_check(bad, &err), -1);
    assert_non_null(strstr(err.text, "'walks_eaten'"));
    assert_false(values_need_alone(bad));
    expr_free(good);
    expr_free(bad);
}

/* Made-up statistics: 2 tenants, 100 cycles; alone they issue 400 and 100 instructions in 100 cycles. */
static struct plan_sim *made_up(uint64_t lanes0, uint64_t lanes1, uint32_t tenants)
{
    struct plan_sim *s = calloc(1, sizeof *s);
    s->sim.state = SIM_DONE;
    s->sim.result.stats.cycles = 100;
    s->sim.result.stats.tenants = tenants;
    s->sim.result.stats.tenant[0].lane_instr = lanes0;
    s->sim.result.stats.tenant[1].lane_instr = lanes1;
    s->sim.result.stats.tenant[0].walks = 30;
    s->sim.result.stats.tenant[1].walks = 10;
    s->sim.cfg.sm.count = 30;
    return s;
}

static void test_values(void **state)
{
    static const struct {
        const char *metric;
        double value;
    } cases[] = {
        {"ipc", 2.5},
        {"ipc[1]", 0.5},
        {"weighted_speedup", 1.0}, /* 200/400 + 50/100 */
        {"max_slowdown", 2},
        {"fairness", 1.0},
        {"walks", 40},
        {"walks[1]", 10},
        {"alone.walks[1]", 30},
        {"alone.lane_instr", 500},
        {"speedup[0]", 0.5},
        {"config.sm.count", 30},
        {"walks / cycles", 0.4},
        {"epochs", 7},
        {"missed", 2},
        {"decision_latency", 60},
        {"walk_epochs", 40},
        {"walk_missed", 10},
        {"walk_missed / walk_epochs", 0.25},
        {"walk_epoch_latency", 15},
    };
    struct point p = {.run = made_up(200, 50, 2), .alone = {made_up(400, 0, 1), made_up(100, 0, 1)}};
    struct mh_error err;
    (void)state;
    p.run->sim.result.stats.control = (struct mh_control_stats){.epochs = 7,
                                                                .missed = 2,
                                                                .latency_count = 5,
                                                                .latency_sum = 300,
                                                                .walk_epochs = 40,
                                                                .walk_missed = 10,
                                                                .walk_latency_count = 30,
                                                                .walk_latency_sum = 450};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expr *e = expr_parse(cases[i].metric, &err);
        double v = values_of(e, &p);
        if (fabs(v - cases[i].value) > 1e-12)
            fail_msg("%s: %g", cases[i].metric, v);
        if (values_check(e, &err))
            fail_msg("%s", err.text);
        expr_free(e);
    }
    struct expr *e = expr_parse("ipc[2]", &err), *ws = expr_parse("weighted_speedup", &err);
    assert_true(isnan(values_of(e, &p))); /* no such tenant */
    p.alone[1]->sim.state = SIM_LOST;
    assert_true(isnan(values_of(ws, &p)));
    p.run->sim.result.end = MH_END_DEADLOCK;
    assert_true(isnan(values_of(e, &p)));
    expr_free(e);
    expr_free(ws);
    free(p.run);
    free(p.alone[0]);
    free(p.alone[1]);
}

static void test_store(void **state)
{
    struct plan_options o;
    struct mh_error err;
    struct study s;
    struct point a;
    (void)state;
    assert_int_equal(open_text(&s, HEAD "rows:\n" ROW, &err), 0);
    for (int call = 0; call < 2; call++) {
        struct plan *p = plan_with_twins(&o);
        struct variant v = {.image = in_base("fake.so")};
        char image[HOST_PATH];
        strcpy(image, v.image);
        v.image = image;
        assert_int_equal(write_file(image, "x", 1, &err), 0);
        plan_point(p, &s.rows[0].measure, &v, "MM+NN", &o, &a);
        struct store *st = store_open(in_base("results.sqlite"), &err);
        if (!st)
            fail_msg("%s", err.text);
        assert_int_equal(store_load(st, p), call); /* what the first call kept */
        if (call) {
            assert_int_equal(a.run->sim.state, SIM_DONE);
            assert_int_equal(a.run->sim.result.stats.tenant[0].lane_instr, 4321);
            assert_true(a.run->kept);
        } else {
            struct mh_result r = {.end = MH_END_PASS, .stats = {.cycles = 77, .tenants = 1}};
            r.stats.tenant[0].lane_instr = 4321;
            assert_int_equal(make_dirs(a.run->sim.dir, &err), 0);
            char path[HOST_PATH];
            assert_int_equal(path_join(path, a.run->sim.dir, "result.json", &err), 0);
            assert_int_equal(mh_result_write(&r, path, &err), 0);
            assert_int_equal(store_add(st, a.run, &err), 0); /* not finished: not kept */
            a.run->sim.state = SIM_DONE;
            if (store_add(st, a.run, &err))
                fail_msg("%s", err.text);
        }
        store_close(st);
        plan_free(p);
    }
    study_close(&s);
    assert_null(store_open("/dev/null/results.sqlite", &err));
    assert_non_null(strstr(err.text, "--results"));
    assert_int_equal(write_file(in_base("text.sqlite"), "this is no data base, it is a text of some length", 49, &err),
                     0);
    assert_null(store_open(in_base("text.sqlite"), &err));
    assert_non_null(strstr(err.text, "not a database"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_lists_in_circles),
        cmocka_unit_test(test_built_in),
        cmocka_unit_test(test_numbers_of_pairs),
        cmocka_unit_test(test_one_simulation_for_all),
        cmocka_unit_test(test_unknown_counter),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_store),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
