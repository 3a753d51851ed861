/* The plan of a study: one simulation for all that want it, and the store that keeps it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "record/result.h"
#include "reproduce/reproduce.h"
#include "unit/rows_text.h"

/* Stands for images that are only files here. */
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
        cmocka_unit_test(test_one_simulation_for_all),
        cmocka_unit_test(test_store),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
