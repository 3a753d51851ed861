/* Oracles: the combination that a search found becomes a run's CTA limits; what is refused, with which remedy. */
#include "unit/test.h"

#include "plan/oracle.h"
#include "plan/plan.h"
#include "rows_text.h"

#define BEGIN(preset, set, sms)                                                                                        \
    "{\"schema\": \"memhelm-search-1\", \"preset\": \"" preset "\", \"set\": [" set "], \"sms\": \"" sms               \
    "\", \"cycles\": 500000, \"workloads\": ["
#define BEST(workload, missing, best) "{\"workload\": \"" workload "\", \"missing\": " missing ", \"best\": {" best "}}"
#define BY(metric, ctas)              "\"" metric "\": {\"ctas\": [" ctas "], \"" metric "\": 1.5}"
#define END                           "]}"

/* Two workloads; of the first each metric has a best of its own. */
#define PAIR  BEST("BP+CFD", "0", BY("harmonic_speedup", "3, 4") ", " BY("weighted_speedup", "1, 5"))
#define OTHER BEST("B+Tree+CFD", "0", BY("harmonic_speedup", "6, 2"))
#define GOOD  BEGIN("ccbp", "", "shared") PAIR ", " OTHER END

static const char *put(const char *name, const char *text)
{
    struct mh_error err;
    const char *path = in_base(name);
    assert_int_equal(write_file(path, text, strlen(text), &err), 0);
    return path;
}

static struct oracle_query query(const char *file, const char *metric, const char *workload)
{
    return (struct oracle_query){.file = file, .metric = metric, .preset = "ccbp", .workload = workload};
}

static void assert_choice(struct oracles *o, const struct oracle_query *q, bool split, uint32_t first, uint32_t second)
{
    struct oracle_choice c;
    struct mh_error err;
    assert_good(!oracles_choose(o, q, &c, &err), err);
    assert_int_equal(c.kernels, 2);
    assert_int_equal(c.split, split);
    assert_int_equal(c.ctas[0], first);
    assert_int_equal(c.ctas[1], second);
}

TEST(test_chooses)
{
    struct oracles *o = oracles_new();
    struct oracle_query q = query(put("good.json", GOOD), "harmonic_speedup", "BP+CFD");

    assert_choice(o, &q, false, 3, 4);
    q.metric = "weighted_speedup";
    assert_choice(o, &q, false, 1, 5);
    q = query(q.file, "harmonic_speedup", "B+Tree+CFD");
    assert_choice(o, &q, false, 6, 2);
    q.file = put("split.json", BEGIN("ccbp", "", "split") OTHER END);
    assert_choice(o, &q, true, 6, 2);
    /* Read once: what is written afterwards is of no effect. */
    put("split.json", GOOD);
    assert_choice(o, &q, true, 6, 2);
    oracles_free(o);
}

/* Assignments of the search are the run's, too; what the run has besides is its own. */
TEST(test_assignments)
{
    static const char *const sets[] = {"run.cycles=5", "l2.ways=8", "sm.warps=32"};
    struct oracles *o = oracles_new();
    struct oracle_choice c;
    struct mh_error err;
    struct oracle_query q =
        query(put("set.json", BEGIN("ccbp", "\"l2.ways=8\"", "shared") PAIR END), "harmonic_speedup", "BP+CFD");

    assert_int_equal(oracles_choose(o, &q, &c, &err), -1);
    assert_non_null(strstr(err.text, "set.json: searched with --set l2.ways=8, which the run has not"));
    q.sets = sets;
    q.set_count = 3;
    assert_choice(o, &q, false, 3, 4);
    oracles_free(o);
}

TEST(test_refuses)
{
    static const struct {
        const char *text, *metric, *workload, *message;
    } cases[] = {
        {"", "harmonic_speedup", "BP+CFD", "bad.json:1: damaged: "},
        {BEGIN("ccbp", "", "shared") PAIR, "harmonic_speedup", "BP+CFD", "write it again: memhelm search --json"},
        {"{\"schema\": \"memhelm-run-1\"}", "harmonic_speedup", "BP+CFD",
         "bad.json: no memhelm-search-1: an oracle is"},
        {BEGIN("mask", "", "shared") PAIR END, "harmonic_speedup", "BP+CFD",
         "bad.json: searched on preset mask, the run is on ccbp"},
        {BEGIN("ccbp", "", "some") PAIR END, "harmonic_speedup", "BP+CFD", "sms is shared or split"},
        {GOOD, "harmonic_speedup", "CFD+BP",
         "bad.json has no workload CFD+BP; add it to the search: memhelm search --preset ccbp --workload CFD+BP"},
        {BEGIN("ccbp", "", "split") END, "harmonic_speedup", "BP+CFD", "memhelm search --spatial --preset ccbp"},
        {GOOD, "speed", "BP+CFD", "there is no best by speed; there is by harmonic_speedup, weighted_speedup"},
        {BEGIN("ccbp", "", "shared") BEST("BP+CFD", "3", BY("harmonic_speedup", "3, 4")) END, "harmonic_speedup",
         "BP+CFD", "3 combinations have no result yet: the same search goes on"},
        {BEGIN("ccbp", "", "shared") BEST("BP+CFD", "0", "\"harmonic_speedup\": null") END, "harmonic_speedup",
         "BP+CFD", "damaged: the best combination has no numbers"},
        {BEGIN("ccbp", "", "shared") BEST("BP+CFD", "0", BY("harmonic_speedup", "3, 0")) END, "harmonic_speedup",
         "BP+CFD", "damaged: a number of CTAs"},
        {BEGIN("ccbp", "", "shared") BEST("BP+CFD", "0", BY("harmonic_speedup", "1,1,1,1,1,1,1,1,1")) END,
         "harmonic_speedup", "BP+CFD", "damaged: the best combination has no numbers"},
        {BEGIN("ccbp", "", "shared") "{\"workload\": \"BP+CFD\"}" END, "harmonic_speedup", "BP+CFD",
         "damaged: best and missing are not there"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct oracles *o = oracles_new();
        struct oracle_choice c;
        struct mh_error err;
        struct oracle_query q = query(put("bad.json", cases[i].text), cases[i].metric, cases[i].workload);
        for (unsigned twice = 0; twice < 2; twice++) { /* a file that cannot be read is not read again */
            assert_int_equal(oracles_choose(o, &q, &c, &err), -1);
            assert_has(err.text, cases[i].message);
        }
        oracles_free(o);
    }
}

/* Two seeds: 1+1 has a mean of 0.5 and 3.5, 1+2 of 0.75 and 3, 2+1 of 0.75 and 2. */
#define RANKED                                                                                                         \
    "[1, 1, 1, 0.25, 3], [1, 1, 2, 0.75, 4], [1, 2, 1, 1, 3], [1, 2, 2, 0.5, 3], [2, 1, 1, 0.75, 2], [2, 1, 2, 0.75, " \
    "2]"
#define COLUMNS "\"ctas[0]\", \"ctas[1]\", \"seed\", \"harmonic_speedup\", \"max_slowdown\""
#define SURFACE(columns, rows)                                                                                         \
    BEGIN("ccbp", "", "split")                                                                                         \
    "{\"workload\": \"BP+CFD\", \"missing\": 0, \"best\": {" BY("harmonic_speedup", "1, 2") ", " BY(                   \
        "max_slowdown", "2, 1") "}, \"surface\": {\"columns\": [" columns "], \"rows\": [" rows "]}}" END

static void assert_ranks(const char *metric, unsigned most, int count, const uint32_t want[][2])
{
    struct oracles *o = oracles_new();
    struct oracle_query q = query(put("ranked.json", SURFACE(COLUMNS, RANKED)), metric, "BP+CFD");
    struct oracle_choice got[4];
    struct mh_error err;
    assert_int_equal(oracles_rank(o, &q, most, got, &err), count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(got[i].kernels, 2);
        assert_true(got[i].split);
        assert_int_equal(got[i].ctas[0], want[i][0]);
        assert_int_equal(got[i].ctas[1], want[i][1]);
    }
    oracles_free(o);
}

/* The mean over seeds decides; of equals the first that is listed; of slowdowns the least is the best. */
TEST(test_ranks)
{
    assert_ranks("harmonic_speedup", 1, 1, (const uint32_t[][2]){{1, 2}});
    assert_ranks("harmonic_speedup", 2, 2, (const uint32_t[][2]){{1, 2}, {2, 1}});
    assert_ranks("harmonic_speedup", 4, 3, (const uint32_t[][2]){{1, 2}, {2, 1}, {1, 1}});
    assert_ranks("max_slowdown", 3, 3, (const uint32_t[][2]){{2, 1}, {1, 2}, {1, 1}});
}

TEST(test_damaged_surfaces)
{
    static const char *const texts[] = {
        SURFACE("\"ctas[0]\"", RANKED),      SURFACE(COLUMNS, ""),       SURFACE(COLUMNS, "[1, 1, 1, null, 3]"),
        SURFACE(COLUMNS, "[0, 1, 1, 1, 3]"), SURFACE(COLUMNS, "[1, 1]"), SURFACE(COLUMNS, "7")};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct oracles *o = oracles_new();
        struct oracle_query q = query(put("surface.json", texts[i]), "harmonic_speedup", "BP+CFD");
        struct oracle_choice got[4];
        struct mh_error err;
        assert_int_equal(oracles_rank(o, &q, 4, got, &err), -1);
        assert_non_null(strstr(err.text, "damaged: its surface has no numbers"));
        oracles_free(o);
    }
}

TEST(test_about)
{
    struct oracles *o = oracles_new();
    struct oracle_search s;
    struct mh_error err;

    assert_int_equal(oracles_about(o, put("about.json", BEGIN("ccbp", "", "split") END), &s, &err), 0);
    assert_true(s.split);
    assert_int_equal(s.cycles, 500000);
    assert_int_equal(
        oracles_about(o, put("none.json", "{\"schema\": \"memhelm-search-1\", \"sms\": \"split\"}"), &s, &err), -1);
    assert_non_null(strstr(err.text, "none.json: damaged: sms is shared or split, cycles above 0"));
    oracles_free(o);
}

TEST(test_no_file)
{
    struct oracles *o = oracles_new();
    struct oracle_choice c;
    struct mh_error err;
    struct oracle_query q = query("no/such.json", "harmonic_speedup", "BP+CFD");

    assert_int_equal(oracles_choose(o, &q, &c, &err), -1);
    assert_non_null(strstr(err.text, "no/such.json"));
    assert_non_null(strstr(err.text, "memhelm search --json"));
    oracles_free(o);
}

/* --- As a run of a study. */

#define ROWS "title: t\npreset: ccbp\ncycles: 1000\nrows:\n"
#define CELL "- {id: r, figure: f, what: w, kind: level, paper: 1, metric: ipc, workloads: BP+CFD,\n   run: "

static void point_of(const char *file, const char *set, struct plan *p, struct point *out)
{
    char text[2048];
    struct study s;
    struct mh_error err;
    const struct plan_options o = {.twin = true, .seed = 1, .times = 1};
    snprintf(text, sizeof text, ROWS CELL "{image: %s, set: [%s], oracle: {file: %s, metric: harmonic_speedup}}}\n",
             put("fake.so", "x"), set, file);
    assert_good(!open_text(&s, text, &err), err);
    plan_point(p, &s.rows[0].measure, &s.rows[0].run, "BP+CFD", &o, out);
    study_close(&s);
}

TEST(test_point)
{
    struct plan *p = plan_new(base);
    struct point a;

    point_of(put("good.json", GOOD), "", p, &a);
    if (!a.run)
        fail_msg("%s", a.reason);
    const struct mh_config *cfg = &a.run->sim.cfg;
    assert_int_equal(cfg->sm.share, 1);
    assert_int_equal(cfg->tenants[0].cta_limit, 3);
    assert_int_equal(cfg->tenants[1].cta_limit, 4);
    assert_int_equal(cfg->run.cycles, 1000);
    assert_non_null(strstr(a.run->what, "BP+CFD, CTAs 3+4"));
    point_of(put("split.json", BEGIN("ccbp", "", "split") PAIR END), "", p, &a);
    if (!a.run)
        fail_msg("%s", a.reason);
    cfg = &a.run->sim.cfg;
    assert_int_equal(cfg->sm.share, 0); /* 8 of 16 each */
    assert_int_equal(cfg->tenants[0].sm_count, 8);
    assert_int_equal(cfg->tenants[1].sm_first, 8);
    assert_int_equal(cfg->tenants[1].cta_limit, 4);
    assert_int_equal(plan_count(p), 2);
    plan_free(p);
}

/* Not run, with the reason; what the model refuses of a combination is one, too. */
TEST(test_point_without)
{
    struct plan *p = plan_new(base);
    struct point a;

    point_of("no/such.json", "", p, &a);
    assert_null(a.run);
    assert_non_null(strstr(a.reason, "memhelm search --json"));
    point_of(put("good.json", GOOD), "sm.cta_slots=3", p, &a);
    assert_null(a.run);
    if (!strstr(a.reason, "tenants[1].cta_limit: 4 CTAs, but an SM has 3 slots"))
        fail_msg("%s", a.reason);
    assert_int_equal(plan_count(p), 0);
    plan_free(p);
}

TEST(test_rows_file)
{
    static const struct {
        const char *run, *message;
    } cases[] = {
        {"{image: x, oracle: {file: f}}}\n", "rows.yaml:6: "},
        {"{image: x, oracle: {metric: m}}}\n", "file"},
        {"{image: x, oracle: {file: f, metric: m, window: 5}}}\n", "no key 'window'"},
        {"{image: x, oracle: f}}\n", "rows.yaml:6: "},
        {"{image: x, partitions: [5], oracle: {file: f, metric: m}}}\n", "an oracle has partitions of its own"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        struct study s;
        struct mh_error err;
        snprintf(text, sizeof text, ROWS CELL "%s", cases[i].run);
        if (!open_text(&s, text, &err))
            fail_msg("taken: %s", text);
        assert_has(err.text, cases[i].message);
    }
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
