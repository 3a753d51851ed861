/* Partitions of the SMs between two tenants: what is run, and which of them counts. */
#include "unit/test.h"

#include "reproduce/series.h"
#include "unit/near.h"
#include "rows_text.h"

#define CELL "{id: r, figure: f, what: w, kind: level, paper: '1', workloads: MM+NN, "

/* A row of a file, its image and a plan; images are only files here. */
struct search {
    struct study study;
    struct plan *plan;
    struct scope scope;
    char image[HOST_PATH], other[HOST_PATH];
};

static void fake_image(char path[HOST_PATH], const char *name)
{
    struct mh_error err;
    strcpy(path, in_base(name));
    assert_int_equal(write_file(path, name, strlen(name), &err), 0); /* another content is another image */
}

/* The rest of the row: metric, partitions and the like, and between the two parts, where there are two, the other
 * image. */
static void open_search(struct search *x, const char *rest, const char *after)
{
    char text[2048];
    struct mh_error err;
    memset(x, 0, sizeof *x);
    fake_image(x->image, "fake.so");
    fake_image(x->other, "other.so");
    snprintf(text, sizeof text, HEAD "rows:\n- " CELL "run: %s, %s%s%s", x->image, rest, after ? x->other : "",
             after ? after : "");
    assert_good(!open_text(&x->study, text, &err), err);
    x->plan = plan_new(base);
    x->scope = (struct scope){.study = &x->study, .plan = x->plan, .seeds = 1};
    x->scope.options = (struct plan_options){.twin = true, .seed = 1, .times = 1};
}

static void open_row(struct search *x, struct series *s)
{
    struct mh_error err;
    const struct row *r = &x->study.rows[0];
    assert_good(!series_open(s, &x->scope, &r->measure, &r->run, &err), err);
}

static void close_search(struct search *x, struct series *s)
{
    series_close(s);
    plan_free(x->plan);
    study_close(&x->study);
}

enum { POINTS = 8 };

/* Simulations in the place of those that a test cannot run: it has no image `baseline`. */
static struct kept_sim runs[POINTS], alone;

/* 100 cycles, in which the tenants issue so many thread instructions. */
static void finish(struct kept_sim *s, uint32_t tenants, uint64_t lanes0, uint64_t lanes1)
{
    struct mh_stats *stats = &s->sim.result.stats;
    s->sim.state = SIM_DONE;
    s->sim.result.end = MH_END_PASS;
    stats->cycles = 100;
    stats->tenants = tenants;
    stats->tenant[0].lane_instr = lanes0;
    stats->tenant[1].lane_instr = lanes1;
}

/* Alone every tenant issues 100; the speedup of the first is then lanes / 100, that of the second 0.5. */
static void finish_point(struct point *p, struct kept_sim *run, unsigned first_sms, uint64_t lanes)
{
    run->sim.cfg.tenants[0].sm_count = first_sms;
    finish(run, 2, lanes, 50);
    finish(&alone, 1, 100, 0);
    *p = (struct point){.run = run, .alone = {&alone, &alone}};
}

TEST(test_division)
{
    static const unsigned first[] = {1, 15, 29};
    struct search x;
    struct series s;
    struct plan_options o = {.twin = true, .seed = 1, .times = 1};
    struct point p, equal;

    open_search(&x, "metric: ipc}\n", NULL);
    open_row(&x, &s);
    for (unsigned i = 0; i < 3; i++) {
        o.first_sms = first[i];
        plan_point(x.plan, s.measure, &x.study.rows[0].run, "MM+NN", &o, &p);
        if (!p.run)
            fail_msg("%s", p.reason);
        const struct mh_tenant_cfg *t = p.run->sim.cfg.tenants;
        assert_int_equal(t[0].sm_first, 0);
        assert_int_equal(t[0].sm_count, first[i]);
        assert_int_equal(t[1].sm_first, first[i]);
        assert_int_equal(t[1].sm_count, 30 - first[i]);
    }
    assert_int_equal(plan_count(x.plan), 3); /* equal parts, of the row, are 15 of 30: one simulation */
    o.first_sms = 15;
    plan_point(x.plan, s.measure, &x.study.rows[0].run, "MM+NN", &o, &equal);
    assert_ptr_equal(equal.run, s.run.points[0].run);
    o.alone = true; /* though the metric is ipc */
    plan_point(x.plan, s.measure, &x.study.rows[0].run, "MM+NN", &o, &p);
    assert_non_null(strstr(p.reason, "baseline"));
    close_search(&x, &s);
}

TEST(test_refused)
{
    static const struct {
        const char *workload;
        unsigned first_sms;
        const char *reason;
    } cases[] = {
        {"MM+NN", 29, NULL},
        {"MM+NN", 30, "30 SMs for the first tenant leave none of 30"},
        {"MM", 5, "of two tenants, here are 1"},
        {"MM+NN+BP", 5, "of two tenants, here are 3"},
    };
    struct search x;
    struct series s;

    open_search(&x, "metric: ipc}\n", NULL);
    open_row(&x, &s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan_options o = {.twin = true, .seed = 1, .times = 1, .first_sms = cases[i].first_sms};
        struct point p;
        plan_point(x.plan, s.measure, &x.study.rows[0].run, cases[i].workload, &o, &p);
        assert_int_equal(p.run == NULL, cases[i].reason != NULL);
        if (cases[i].reason && !strstr(p.reason, cases[i].reason))
            fail_msg("'%s' instead of '%s'", p.reason, cases[i].reason);
    }
    close_search(&x, &s);
}

TEST(test_own_best)
{
    struct search x;
    struct series s;
    struct summary sum;

    open_search(&x, "metric: 'sms[0]', partitions: [5, 10, 15]}\n", NULL);
    open_row(&x, &s);
    assert_int_equal(s.run.partitions, 3);
    assert_null(s.run.under);
    assert_null(s.against.points);
    finish_point(&s.run.points[0], &runs[0], 5, 40);
    finish_point(&s.run.points[1], &runs[1], 10, 60);
    assert_null(series_point(&s, &s.run, 0, 0)); /* the third might be the best */
    series_summarise(&s, OVER_MEAN, 0, &sum);
    assert_int_equal(sum.missing, 1);
    finish_point(&s.run.points[2], &runs[2], 15, 30);
    NEAR(series_cell(&s, 0, 0), 10);
    finish_point(&s.run.points[2], &runs[2], 15, 60);
    NEAR(series_cell(&s, 0, 0), 10); /* of equals that with fewer SMs for the first */
    finish_point(&s.run.points[2], &runs[2], 15, 61);
    NEAR(series_cell(&s, 0, 0), 15);
    finish_point(&s.run.points[0], &runs[0], 5, 62);
    NEAR(series_cell(&s, 0, 0), 5);
    series_summarise(&s, OVER_MEAN, 0, &sum);
    assert_int_equal(sum.missing, 0);
    NEAR(sum.value, 5);
    runs[1].sim.result.end = MH_END_DEADLOCK;
    assert_null(series_point(&s, &s.run, 0, 0));
    close_search(&x, &s);
}

TEST(test_best_under_another)
{
    struct search x;
    struct series s;
    struct summary sum;

    open_search(&x, "metric: weighted_speedup, partitions: [5, 25], under: ", "}\n");
    open_row(&x, &s);
    assert_int_equal(plan_count(x.plan), 4);
    finish_point(&s.run.points[0], &runs[0], 5, 90);
    finish_point(&s.run.points[1], &runs[1], 25, 20);
    finish_point(&s.run.under[0], &runs[2], 5, 30);
    series_summarise(&s, OVER_MEAN, 0, &sum);
    assert_int_equal(sum.missing, 1);
    finish_point(&s.run.under[1], &runs[3], 25, 31);
    assert_ptr_equal(series_point(&s, &s.run, 0, 0), &s.run.points[1]);
    NEAR(series_cell(&s, 0, 0), 0.7); /* 20/100 + 50/100, though 5 SMs give 1.4 */
    finish_point(&s.run.under[1], &runs[3], 25, 29);
    NEAR(series_cell(&s, 0, 0), 1.4);
    close_search(&x, &s);
}

/* A run's own partitions go before the row's: the best of all against equal parts. */
TEST(test_own_list)
{
    struct search x;
    struct series s;

    open_search(&x,
                "metric: weighted_speedup, partitions: [5, 15], relation: gain,\n"
                "   against: {image: ",
                ", partitions: [15]}}\n");
    open_row(&x, &s);
    assert_int_equal(s.run.partitions, 2);
    assert_int_equal(s.against.partitions, 1);
    finish_point(&s.run.points[0], &runs[0], 5, 100);
    finish_point(&s.run.points[1], &runs[1], 15, 50);
    finish_point(&s.against.points[0], &runs[2], 15, 50);
    NEAR(series_cell(&s, 0, 0), 0.5); /* 1.5 of 5 SMs over 1.0 of 15 */
    close_search(&x, &s);
}

/* Each workload chooses for itself, with each seed. */
TEST(test_cells)
{
    static const char *const workloads[] = {"MM+NN", "NN+MM"};
    struct search x;
    struct series s;

    open_search(&x, "metric: 'sms[0]', partitions: [5, 25]}\n", NULL);
    x.scope.seeds = 2;
    x.scope.workloads = workloads;
    x.scope.workload_count = 2;
    open_row(&x, &s);
    for (unsigned i = 0; i < POINTS; i++) /* 25 is the best of the last cell alone */
        finish_point(&s.run.points[i], &runs[i], i % 2 ? 25 : 5, i == POINTS - 1 ? 90 : 50);
    NEAR(series_cell(&s, 0, 0), 5);
    NEAR(series_cell(&s, 1, 0), 5);
    NEAR(series_cell(&s, 0, 1), 5);
    NEAR(series_cell(&s, 1, 1), 25);
    NEAR(series_cell_mean(&s, 1), 15);
    close_search(&x, &s);
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
