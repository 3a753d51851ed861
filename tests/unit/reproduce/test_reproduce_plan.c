/* The plan of a study: one simulation for all that want it, and the store that keeps it. */
#include "unit/test.h"

#include <sqlite3.h>

#include "include/memhelm/record.h"
#include "reproduce/reproduce.h"
#include "run/store.h"
#include "rows_text.h"

/* Stands for images that are only files here. */
static struct plan *plan_with_twins(struct plan_options *o)
{
    *o = (struct plan_options){.twin = true, .seed = 1, .times = 1};
    return plan_new(base);
}

TEST(test_one_simulation_for_all)
{
    struct plan_options o;
    struct plan *p = plan_with_twins(&o);
    struct mh_error err;
    struct point a, b, c, d;
    struct study s;

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
    assert_int_equal(d.run->sim.cfg.run.completions, 0);
    assert_int_equal(plan_count(p), 4);
    other.sets[0] = "run.completions=3";
    plan_point(p, &m, &other, "MM+NN", &o, &d);
    assert_int_equal(d.run->sim.cfg.run.completions, 6);
    v.image = "/no/such/image.so";
    plan_point(p, &m, &v, "MM+NN", &o, &d);
    assert_null(d.run);
    assert_non_null(strstr(d.reason, "/no/such/image.so"));
    plan_free(p);
    study_close(&s);
}

/* One run, for what is kept of it. */
static struct plan *plan_of_one(const struct study *s, struct point *a)
{
    struct plan_options o;
    struct mh_error err;
    struct plan *p = plan_with_twins(&o);
    char image[HOST_PATH];
    struct variant v = {.image = image};
    strcpy(image, in_base("fake.so"));
    assert_int_equal(write_file(image, "x", 1, &err), 0);
    plan_point(p, &s->rows[0].measure, &v, "MM+NN", &o, a);
    assert_non_null(a->run);
    return p;
}

static struct store *open_store(const char *path)
{
    struct mh_error err;
    struct store *st = store_open(path, &err);
    assert_good(st, err);
    return st;
}

/* As if it had run. */
static void keep_result(struct store *st, struct kept_sim *s)
{
    struct mh_result r = {.end = MH_END_PASS, .stats = {.cycles = 77, .tenants = 1}};
    struct mh_error err;
    char path[HOST_PATH];
    r.stats.tenant[0].lane_instr = 4321;
    assert_int_equal(make_dirs(s->sim.dir, &err), 0);
    assert_int_equal(path_join(path, s->sim.dir, "result.json", &err), 0);
    assert_int_equal(mh_result_write(&r, path, &err), 0);
    s->sim.state = SIM_WAITING;
    assert_int_equal(store_keep(st, s->key.text, s->what, &s->sim, &err), 0); /* not finished: not kept */
    s->sim.state = SIM_DONE;
    assert_good(!store_keep(st, s->key.text, s->what, &s->sim, &err), err);
}

TEST(test_store)
{
    struct mh_error err;
    struct study s;
    struct point a;

    assert_int_equal(open_text(&s, HEAD "rows:\n" ROW, &err), 0);
    for (unsigned call = 0; call < 2; call++) {
        struct plan *p = plan_of_one(&s, &a);
        struct store *st = open_store(in_base("results.sqlite"));
        assert_int_equal(kept_load(plan_sims(p), plan_count(p), st), call); /* what the first call kept */
        if (call) {
            assert_int_equal(a.run->sim.state, SIM_DONE);
            assert_int_equal(a.run->sim.result.stats.tenant[0].lane_instr, 4321);
            assert_true(a.run->kept);
        } else {
            keep_result(st, a.run);
        }
        store_close(st);
        plan_free(p);
    }
    study_close(&s);
}

/* A study of one row, and a store for its run. */
struct one {
    struct study study;
    struct point point;
    struct plan *plan;
    struct store *store;
};

static void open_one(struct one *one, const char *store)
{
    struct mh_error err;
    assert_int_equal(open_text(&one->study, HEAD "rows:\n" ROW, &err), 0);
    one->plan = plan_of_one(&one->study, &one->point);
    one->store = open_store(in_base(store));
}

static void close_one(struct one *one)
{
    store_close(one->store);
    plan_free(one->plan);
    study_close(&one->study);
}

/* A run that needs bursts is run again if its kept result has none. */
TEST(test_bursts_are_kept)
{
    struct one one;
    struct kept_sim *run;

    open_one(&one, "bursts.sqlite");
    run = one.point.run;
    keep_result(one.store, run);
    run->sim.state = SIM_WAITING;
    run->sim.cfg.run.log_series = BURST_CYCLES;
    assert_int_equal(kept_load(plan_sims(one.plan), plan_count(one.plan), one.store), 0);
    run->sim.bursts = (struct bursts){.periods = 2, .noc = {30, 500, 1}, .dram = {7, 25, 2}};
    keep_result(one.store, run);
    run->sim.bursts = (struct bursts){.periods = 0};
    run->sim.state = SIM_WAITING;
    assert_int_equal(kept_load(plan_sims(one.plan), plan_count(one.plan), one.store), 1);
    assert_int_equal(run->sim.bursts.noc.squares, 500);
    assert_int_equal(run->sim.bursts.dram.sum, 7);
    assert_int_equal(run->sim.bursts.dram.over, 2);
    close_one(&one);
}

/* What someone, or a disk, does to a row. */
static void spoil(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(in_base("spoilt.sqlite"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_changes(db), 1);
    sqlite3_close(db);
}

/* A digit that is another makes no other number of it: the row is not there, and kept anew. */
TEST(test_damaged_rows)
{
    static const char *const damages[] = {
        "UPDATE kept_runs SET result = replace(result, '4321', '4331')",
        "UPDATE kept_runs SET checksum = 'f' || substr(checksum, 1, 63)",
        "UPDATE kept_runs SET result = ''",
    };
    struct one one;
    struct kept_sim *run;

    open_one(&one, "spoilt.sqlite");
    run = one.point.run;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        keep_result(one.store, run);
        run->sim.state = SIM_WAITING;
        assert_int_equal(kept_load(plan_sims(one.plan), plan_count(one.plan), one.store), 1);
        spoil(damages[i]);
        run->sim.state = SIM_WAITING;
        assert_int_equal(kept_load(plan_sims(one.plan), plan_count(one.plan), one.store), 0);
        assert_int_equal(run->sim.state, SIM_WAITING);
    }
    close_one(&one);
}

/* A result of another run under this run's name. */
TEST(test_exchanged_rows)
{
    struct one one;
    struct kept_sim *run;

    open_one(&one, "spoilt.sqlite");
    run = one.point.run;
    keep_result(one.store, run);
    spoil("UPDATE kept_runs SET key = 'another'");
    run->sim.state = SIM_WAITING;
    assert_false(store_find(one.store, "another", &run->sim));
    close_one(&one);
}

static void assert_refused(const char *path, const char *why)
{
    struct mh_error err;
    assert_null(store_open(path, &err));
    assert_has(err.text, why);
}

TEST(test_files_that_are_none)
{
    static const char text[] = "this is no data base, it is a text of some length";
    struct mh_error err;
    size_t length;

    assert_refused("/dev/null/results.sqlite", "choose another file with --results");
    assert_int_equal(write_file(in_base("text.sqlite"), text, sizeof text - 1, &err), 0);
    assert_refused(in_base("text.sqlite"),
                   "text.sqlite: file is not a database; choose another file with --results, or delete this one");
    store_close(open_store(in_base("whole.sqlite")));
    char *whole = read_file(in_base("whole.sqlite"), &length, &err);
    assert_non_null(whole);
    assert_int_equal(write_file(in_base("half.sqlite"), whole, length / 2, &err), 0);
    assert_refused(in_base("half.sqlite"),
                   "half.sqlite: database disk image is malformed; choose another file with --results, or delete");
    free(whole);
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
