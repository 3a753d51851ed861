/* Which of made-up runs is the best by which metric, and what is said of them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/best.h"
#include "search/groups.h"
#include "search/search_report.h"
#include "unit/near.h"

/* Two kernels, combinations 1+1 1+2 2+1, two seeds; alone each has 100 000 thread instructions in 100 000 cycles. */
enum { COMBINATIONS = 3, SEEDS = 2, WORKLOADS = 2, RUNS = COMBINATIONS * SEEDS };

static struct search_request request;
static struct search all;
static struct kept_sim *runs, *unlimited, *alone;
static struct point points[WORKLOADS][RUNS], free_points[WORKLOADS][SEEDS];
static uint8_t ctas[COMBINATIONS][MH_MAX_TENANTS] = {{1, 1}, {1, 2}, {2, 1}};

static void pass(struct kept_sim *s)
{
    s->sim.state = SIM_DONE;
    s->sim.result.end = MH_END_PASS;
    s->sim.result.stats.cycles = 100000;
    s->sim.result.stats.tenants = s->sim.cfg.tenants_count = 2;
    for (unsigned t = 0; t < 2; t++) {
        s->sim.result.stats.tenant[t].lane_instr = 100000;
        snprintf(s->sim.cfg.tenants[t].kernel, sizeof s->sim.cfg.tenants[t].kernel, t ? "B" : "A");
    }
}

/* The speedups of combination `i` of a workload. */
static void put(unsigned w, unsigned i, unsigned seed, double first, double second)
{
    struct mh_stats *s = &runs[w * RUNS + i * SEEDS + seed].sim.result.stats;
    s->tenant[0].lane_instr = (uint64_t)(1e5 * first + 0.5);
    s->tenant[1].lane_instr = (uint64_t)(1e5 * second + 0.5);
}

static void join(struct point *p, struct kept_sim *run)
{
    pass(run);
    *p = (struct point){.run = run, .alone = {alone, alone}};
}

static int setup(void **state)
{
    (void)state;
    runs = calloc((size_t)WORKLOADS * RUNS, sizeof *runs);
    unlimited = calloc((size_t)WORKLOADS * SEEDS, sizeof *unlimited);
    alone = calloc(1, sizeof *alone);
    if (!runs || !unlimited || !alone)
        return -1;
    pass(alone);
    request = (struct search_request){.preset = "ccbp", .workload_count = WORKLOADS, .cycles = 100000, .seeds = SEEDS};
    request.seed_first = 1;
    memset(&all, 0, sizeof all);
    all.request = &request;
    for (unsigned w = 0; w < WORKLOADS; w++) {
        struct search_workload *s = &all.workloads[w];
        *s = (struct search_workload){.group = w ? "LS+BI" : "LS+LS", .name = "A+B", .tenants = 2, .most = {2, 2}};
        s->all = (struct combinations){.kernels = 2, .count = COMBINATIONS, .ctas = ctas};
        s->free = free_points[w];
        s->points = points[w];
        for (unsigned i = 0; i < RUNS; i++)
            join(&points[w][i], &runs[w * RUNS + i]);
        for (unsigned i = 0; i < SEEDS; i++)
            join(&free_points[w][i], &unlimited[w * SEEDS + i]);
    }
    /* 1+1: weighted 1.0, harmonic 0.5, slowdown 2, fairness 1. 1+2: 1.2, 2 / (1 / 0.3 + 1 / 0.9) = 0.45, 3.33, 0.33.
     * 2+1: 1.1, 2 / (1 / 0.5 + 1 / 0.6) = 0.5455, 2, 0.833. */
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        put(0, 0, seed, 0.5, 0.5);
        put(0, 1, seed, 0.3, 0.9);
        put(0, 2, seed, 0.5, 0.6);
        put(1, 0, seed, 0.8, 0.8);
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(runs);
    free(unlimited);
    free(alone);
    return 0;
}

static void test_best_of_each(void **state)
{
    const struct search_workload *w = &all.workloads[0];
    (void)state;
    assert_int_equal(search_best(&all, w, SEARCH_WEIGHTED), 1);
    assert_int_equal(search_best(&all, w, SEARCH_HARMONIC), 2);
    assert_int_equal(search_best(&all, w, SEARCH_FAIRNESS), 0);
    assert_int_equal(search_best(&all, w, SEARCH_SLOWDOWN), 0); /* as 2+1: of equals the first */
    NEAR(search_value(&all, w, 1, SEARCH_WEIGHTED).mean, 1.2);
    NEAR(search_value(&all, w, 1, SEARCH_HARMONIC).mean, 0.45);
    NEAR(search_value(&all, w, 2, SEARCH_HARMONIC).mean, 2 / (2 + 1 / 0.6));
    NEAR(search_value(&all, w, 1, SEARCH_SLOWDOWN).mean, 1 / 0.3);
    NEAR(search_value(&all, w, 2, SEARCH_FAIRNESS).mean, 0.5 / 0.6);
    NEAR(search_value(&all, w, -1, SEARCH_WEIGHTED).mean, 2);
    NEAR(search_speedup(&all, w, 1, 0), 0.3);
    NEAR(search_speedup(&all, w, 1, 1), 0.9);
    assert_int_equal(search_missing(&all, w), 0);
    assert_int_equal(search_even(&all, w), 0); /* 2 / 2 and 2 / 2 */
    request.spatial = true;
    assert_int_equal(search_even(&all, w), -1);
    assert_int_equal(search_metric_named("weighted"), SEARCH_WEIGHTED);
    assert_int_equal(search_metric_named("best"), SEARCH_METRICS);
}

/* 1.2 and 1.0 have the mean 1.1; t of one degree of freedom: 12.706 x 0.1414 / sqrt 2. */
static void test_seeds(void **state)
{
    const struct search_workload *w = &all.workloads[0];
    (void)state;
    put(0, 1, 1, 0.1, 0.9);
    put(0, 2, 1, 0.5, 0.61);
    struct interval v = search_value(&all, w, 1, SEARCH_WEIGHTED);
    NEAR(v.mean, 1.1);
    assert_true(fabs(v.half - 1.2706) < 1e-3);
    assert_int_equal(search_best(&all, w, SEARCH_WEIGHTED), 2); /* 1.105 */
}

/* A run that is not there, or that failed, makes its combination none of those that are compared. */
static void test_missing(void **state)
{
    const struct search_workload *w = &all.workloads[0];
    (void)state;
    points[0][1 * SEEDS].run->sim.state = SIM_WAITING;
    assert_int_equal(search_best(&all, w, SEARCH_WEIGHTED), 2);
    assert_int_equal(search_missing(&all, w), 1);
    points[0][2 * SEEDS + 1].run->sim.result.end = MH_END_HANG;
    assert_int_equal(search_best(&all, w, SEARCH_WEIGHTED), 0);
    assert_int_equal(search_missing(&all, w), 2);
    alone->sim.state = SIM_LOST;
    assert_int_equal(search_best(&all, w, SEARCH_WEIGHTED), -1);
    assert_true(isnan(groups_mean(&all, NULL, SEARCH_WEIGHTED)));
}

static void test_groups(void **state)
{
    unsigned workloads, combinations;
    (void)state;
    assert_string_equal(groups_name(&all, 0), "LS+LS");
    assert_string_equal(groups_name(&all, 1), "LS+BI");
    assert_null(groups_name(&all, 2));
    groups_count(&all, "LS+BI", &workloads, &combinations);
    assert_int_equal(workloads, 1);
    assert_int_equal(combinations, 3);
    groups_count(&all, NULL, &workloads, &combinations);
    assert_int_equal(workloads, 2);
    assert_int_equal(combinations, 6);
    NEAR(groups_mean(&all, "LS+LS", SEARCH_WEIGHTED), 1.2);
    NEAR(groups_mean(&all, "LS+BI", SEARCH_WEIGHTED), 2); /* what is not said is 1 + 1 */
    NEAR(groups_mean(&all, NULL, SEARCH_WEIGHTED), sqrt(2.4));
}

/* A table's blanks are as wide as its columns need. */
static void says(const char *text, const char *part)
{
    char narrow[4096];
    size_t n = 0;
    for (const char *c = text; *c && n + 1 < sizeof narrow; c++)
        if (*c != ' ' || !n || narrow[n - 1] != ' ')
            narrow[n++] = *c;
    narrow[n] = 0;
    if (!strstr(narrow, part))
        fail_msg("no '%s' in:\n%s", part, narrow);
}

static void test_report(void **state)
{
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    (void)state;
    search_report(&all, f);
    fclose(f);
    says(text, "A+B on ccbp, all SMs shared: 3 CTA combinations, 100000 GPU cycles, seeds 1-2\n");
    says(text, "harmonic speedup 2+1 0.545 +- 0.000 1.100 +- 0.000 2.000 +- 0.000 0.833 +- 0.000 0.500 0.600\n");
    says(text, "weighted speedup 1+2 0.450 +- 0.000 1.200 +- 0.000 3.333 +- 0.000 0.333 +- 0.000 0.300 0.900\n");
    says(text, "(even) 1+1 0.500 +- 0.000");
    says(text, "(no limits) - 1.000 +- 0.000 2.000 +- 0.000");
    says(text, "geometric mean of 2 ALL 6 ");
    free(text);
}

int test_search_best(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_best_of_each, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_seeds, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_missing, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_groups, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_report, setup, teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
