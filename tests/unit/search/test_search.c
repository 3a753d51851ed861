/* Which of made-up runs is the best by which metric, and what is said of them. */
#include "unit/test.h"

#include <math.h>

#include "search/search.h"
#include "unit/near.h"
#include "random.h"
#include "search/combinations.h"
#include "memhelm/config_file.h"

/* Two kernels, combinations 1+1 1+2 2+1, two seeds; alone each has 100 000 thread instructions in 100 000 cycles. */
enum { COMBINATIONS = 3, SEEDS = 2, WORKLOADS = 2, RUNS = COMBINATIONS * SEEDS };

static struct search_request request;
static struct search all;
static struct kept_sim *runs, *unlimited, *alone;
static struct point points[WORKLOADS][RUNS], free_points[WORKLOADS][SEEDS];
static uint8_t ctas_best[COMBINATIONS][MH_MAX_TENANTS] = {{1, 1}, {1, 2}, {2, 1}};

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

static int setup(void **)
{
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
        s->all = (struct combinations){.kernels = 2, .count = COMBINATIONS, .ctas = ctas_best};
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

static int teardown(void **)
{
    free(runs);
    free(unlimited);
    free(alone);
    return 0;
}

TEST(test_best_of_each, .setup = setup, .teardown = teardown)
{
    const struct search_workload *w = &all.workloads[0];

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
TEST(test_seeds, .setup = setup, .teardown = teardown)
{
    const struct search_workload *w = &all.workloads[0];

    put(0, 1, 1, 0.1, 0.9);
    put(0, 2, 1, 0.5, 0.61);
    struct interval v = search_value(&all, w, 1, SEARCH_WEIGHTED);
    NEAR(v.mean, 1.1);
    assert_true(fabs(v.half - 1.2706) < 1e-3);
    assert_int_equal(search_best(&all, w, SEARCH_WEIGHTED), 2); /* 1.105 */
}

/* A run that is not there, or that failed, makes its combination none of those that are compared. */
TEST(test_missing, .setup = setup, .teardown = teardown)
{
    const struct search_workload *w = &all.workloads[0];

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

TEST(test_groups, .setup = setup, .teardown = teardown)
{
    unsigned workloads, combinations;

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
    assert_has(narrow, part);
}

TEST(test_report, .setup = setup, .teardown = teardown)
{
    char *text = PRINTED(f, search_report(&all, &(struct doc){f, DOC_TEXT, 0}));

    says(text, "A+B on ccbp, all SMs shared: 3 CTA combinations, 100000 GPU cycles, seeds 1-2\n");
    says(text, "harmonic speedup 2+1 0.545 +- 0.000 1.100 +- 0.000 2.000 +- 0.000 0.833 +- 0.000 0.500 0.600\n");
    says(text, "weighted speedup 1+2 0.450 +- 0.000 1.200 +- 0.000 3.333 +- 0.000 0.333 +- 0.000 0.300 0.900\n");
    says(text, "(even) 1+1 0.500 +- 0.000");
    says(text, "(no limits) - 1.000 +- 0.000 2.000 +- 0.000");
    says(text, "geometric mean of 2 ALL 6 ");
    free(text);
}

/* --- CTA combinations: small SMs by hand, random ones against a plain count, kernels with several launches, pairs. */

/* An SM of 4 slots, 8 warps, 100 registers, 60 bytes. */
static const struct mh_cta_room small = {4, 8, 100, 60};

static struct cta_launch launch(uint32_t ctas, uint64_t warps, uint64_t registers, uint64_t shared)
{
    return (struct cta_launch){{1, warps, registers, shared}, ctas};
}

static void assert_combinations(const struct combinations *c, const char *expected)
{
    char text[1024] = "";
    for (unsigned i = 0; i < c->count; i++)
        for (unsigned k = 0; k < c->kernels; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", k ? "+" : " ", c->ctas[i][k]);
    assert_string_equal(text, expected);
}

static void together(struct cta_kernel *kernels, unsigned count, const char *expected)
{
    struct combinations c;
    struct mh_error err;
    assert_int_equal(combinations_together(&c, &small, kernels, count, &err), 0);
    assert_combinations(&c, expected);
    combinations_free(&c);
}

/* a CTAs of 2 warps and 10 registers, b of 1 and 30: a + b <= 4, 2 a + b <= 8, 10 a + 30 b <= 100. */
TEST(test_by_hand)
{
    struct cta_launch a = launch(100, 2, 10, 0), b = launch(100, 1, 30, 0), c = launch(100, 1, 1, 21);

    together((struct cta_kernel[]){{&a, 1}, {&b, 1}}, 2, " 1+1 1+2 1+3 2+1 2+2 3+1");
    /* Shared memory: 21 c <= 60, and b needs none. */
    together((struct cta_kernel[]){{&c, 1}, {&b, 1}}, 2, " 1+1 1+2 1+3 2+1 2+2");
    together((struct cta_kernel[]){{&a, 1}, {&b, 1}, {&c, 1}}, 3, " 1+1+1 1+1+2 1+2+1 2+1+1");
    /* Warps alone: 3 each, so 2 in all. */
    a = launch(100, 3, 1, 0);
    together((struct cta_kernel[]){{&a, 1}, {&a, 1}}, 2, " 1+1");
    a = launch(100, 5, 1, 0);
    together((struct cta_kernel[]){{&a, 1}, {&a, 1}}, 2, "");
}

/* A launch of large CTAs, one of small ones, and one that has two CTAs in all. */
TEST(test_launches)
{
    struct cta_launch two[] = {launch(100, 4, 1, 0), launch(100, 1, 40, 0)}, b = launch(100, 2, 10, 0),
                      few[] = {launch(2, 1, 1, 0)};

    /* With the large ones 1+1 1+2, with the small ones 1+1 1+2 1+3 2+1 2+2: what fits in either. */
    together((struct cta_kernel[]){{two, 2}, {&b, 1}}, 2, " 1+1 1+2 1+3 2+1 2+2");
    together((struct cta_kernel[]){{few, 1}, {&b, 1}}, 2, " 1+1 1+2 1+3 2+1 2+2");
    assert_int_equal(cta_most(&small, &(struct cta_kernel){two, 2}, 0), 2);
    assert_int_equal(cta_most(&small, &(struct cta_kernel){&b, 1}, 0), 4);
    assert_int_equal(cta_most(&small, &(struct cta_kernel){few, 1}, 0), 2); /* both may come to one SM */
    assert_int_equal(cta_most(&small, &(struct cta_kernel){few, 1}, 2), 1); /* one each */
    few[0].ctas = 5;
    assert_int_equal(cta_most(&small, &(struct cta_kernel){few, 1}, 2), 3);
}

TEST(test_apart)
{
    struct combinations c;
    struct mh_error err;

    assert_int_equal(combinations_apart(&c, (const unsigned[]){2, 3}, 2, &err), 0);
    assert_combinations(&c, " 1+1 1+2 1+3 2+1 2+2 2+3");
    assert_int_equal(combinations_find(&c, (const uint8_t[]){2, 1}), 3);
    assert_int_equal(combinations_find(&c, (const uint8_t[]){3, 1}), -1);
    assert_int_equal(combinations_highest(&c, 0), 2);
    assert_int_equal(combinations_highest(&c, 1), 3);
    combinations_free(&c);
    assert_int_equal(combinations_apart(&c, (const unsigned[]){2, 1, 2}, 3, &err), 0);
    assert_combinations(&c, " 1+1+1 1+1+2 2+1+1 2+1+2");
    combinations_free(&c);
    assert_int_equal(combinations_apart(&c, (const unsigned[]){64, 64, 64, 64}, 4, &err), -1);
    assert_non_null(strstr(err.text, "more than 1000000 CTA combinations"));
    combinations_free(&c);
}

/* The definition, written down once more: some launch of each, with sums of all resources. */
static bool plain_fit(const struct mh_cta_room *sm, const struct cta_kernel k[2], uint32_t a, uint32_t b)
{
    for (unsigned i = 0; i < k[0].count; i++)
        for (unsigned j = 0; j < k[1].count; j++) {
            const struct cta_launch *x = &k[0].launch[i], *y = &k[1].launch[j];
            if (a <= x->ctas && b <= y->ctas && a + b <= sm->slots &&
                a * x->needs.warps + b * y->needs.warps <= sm->warps &&
                a * x->needs.registers + b * y->needs.registers <= sm->registers &&
                a * x->needs.shared_bytes + b * y->needs.shared_bytes <= sm->shared_bytes)
                return true;
        }
    return false;
}

TEST(test_random)
{
    uint64_t rng = 18;
    unsigned found = 0;

    for (unsigned round = 0; round < 300; round++) {
        struct cta_launch l[2][3];
        struct cta_kernel k[2] = {{l[0], pick(&rng, 1, 3)}, {l[1], pick(&rng, 1, 3)}};
        struct mh_cta_room sm = {pick(&rng, 2, 32), pick(&rng, 8, 64), pick(&rng, 1000, 65536), pick(&rng, 0, 98304)};
        struct combinations c;
        struct mh_error err;
        for (unsigned i = 0; i < 6; i++)
            l[i / 3][i % 3] = launch(pick(&rng, 1, 40), pick(&rng, 1, 16), pick(&rng, 1, 20000),
                                     pick(&rng, 0, 2) ? 0 : pick(&rng, 1, 40000));
        assert_int_equal(combinations_together(&c, &sm, k, 2, &err), 0);
        unsigned i = 0;
        for (uint32_t a = 1; a <= 40; a++)
            for (uint32_t b = 1; b <= 40; b++)
                if (plain_fit(&sm, k, a, b)) {
                    assert_true(i < c.count);
                    assert_int_equal(c.ctas[i][0], a);
                    assert_int_equal(c.ctas[i++][1], b);
                }
        assert_int_equal(i, c.count);
        found += i;
        combinations_free(&c);
    }
    assert_true(found > 1000);
}

static int learn(struct cta_kernel *k, const struct mh_config *cfg, uint32_t t, struct mh_error *err)
{
    struct mh_workload *w = mh_workload_make(cfg, t, err);
    assert_non_null(w);
    int status = needs_add(k, cfg, t, w, err);
    mh_workload_free(w);
    return status;
}

/* Of kernels: BP has two launches of 256 threads, one of them with shared memory; LUD three; the SM of preset `ccbp`.
 */
TEST(test_needs)
{
    struct mh_config cfg;
    struct mh_error err;
    struct cta_kernel k = {0};

    assert_int_equal(mh_config_preset(&cfg, "ccbp", &err), 0);
    assert_int_equal(mh_config_workload(&cfg, "BP:4096+LUD:64", &err), 0);
    assert_int_equal(mh_config_resolve(&cfg, &err), 0);
    struct mh_cta_room sm = mh_room_of_sm(&cfg);
    assert_int_equal(sm.slots, 32);
    assert_int_equal(sm.warps, 64);
    assert_int_equal(sm.registers, 65536);
    assert_int_equal(sm.shared_bytes, 98304);
    assert_int_equal(learn(&k, &cfg, 0, &err), 0);
    assert_int_equal(k.count, 2);
    for (unsigned i = 0; i < k.count; i++) {
        assert_int_equal(k.launch[i].needs.warps, 8);
        assert_int_equal(k.launch[i].needs.slots, 1);
        assert_int_equal(k.launch[i].ctas, 4096 / 16);
    }
    assert_int_equal(cta_most(&sm, &k, 0), 8);
    needs_free(&k);
    assert_int_equal(learn(&k, &cfg, 1, &err), 0);
    assert_int_equal(k.count, 3); /* 16, 32 and 256 threads; the largest of each */
    assert_int_equal(k.launch[0].needs.warps, 1);
    assert_int_equal(k.launch[0].ctas, 1);
    assert_int_equal(k.launch[1].ctas, 3);
    assert_int_equal(k.launch[2].needs.warps, 8);
    assert_int_equal(k.launch[2].ctas, 9);
    unsigned before = k.count;
    assert_int_equal(learn(&k, &cfg, 1, &err), 0);
    assert_int_equal(k.count, before);
    needs_free(&k);
    cfg.sm.warps = 7;
    assert_int_equal(learn(&k, &cfg, 0, &err), -1);
    assert_non_null(strstr(err.text, "BP: a CTA needs 8 warps, "));
    assert_non_null(strstr(err.text, "an SM has 7, 65536 and 98304: raise sm.warps"));
    needs_free(&k);
}

TEST(test_pairs)
{
    struct pair pairs[PAIRS_MOST];
    unsigned count = pairs_all(pairs), of[PAIR_CLASSES] = {0};
    struct mh_config cfg;
    struct mh_error err;

    for (unsigned i = 0; i < count; i++) {
        char text[128];
        of[pairs[i].class]++;
        snprintf(text, sizeof text, "%s+%s", pairs[i].first, pairs[i].second);
        assert_int_equal(mh_config_preset(&cfg, "ccbp", &err), 0);
        assert_int_equal(mh_config_workload(&cfg, text, &err), 0);
        assert_int_equal(cfg.tenants_count, 2); /* also B+Tree+CFD */
        for (unsigned k = 0; k < i; k++)
            assert_true(strcmp(pairs[i].first, pairs[k].first) || strcmp(pairs[i].second, pairs[k].second));
    }
    assert_int_equal(of[PAIR_LS_LS], 10); /* CCBP section 7.1, of 5 LS, 4 NBI and 4 DBI */
    assert_int_equal(of[PAIR_LS_BI], 40);
    assert_int_equal(of[PAIR_NBI_DBI], 16);
    assert_int_equal(count, 66);
}
