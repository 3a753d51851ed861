/* What made-up runs come to: means, noise, knees, and what the core did. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "latency/values.h"

enum { SEEDS = 2, WORKLOADS = 3, GAINING = 2 };

static struct latency_request request;
static struct latency all;
static struct latency_image *const image = &all.images[0];
static struct plan_sim *sims, *alone;
static struct point cells[POINTS * WORKLOADS * SEEDS], guarded[POINTS * WORKLOADS];

static struct plan_sim *sim_of(unsigned point, unsigned workload, unsigned seed)
{
    return &sims[(point * WORKLOADS + workload) * SEEDS + seed];
}

/* Thread instructions in 1000 cycles; alone there are 1000, so that the speedup is a thousandth of it. */
static void put(unsigned point, unsigned workload, unsigned seed, uint64_t instructions)
{
    sim_of(point, workload, seed)->sim.result.stats.tenant[0].lane_instr = instructions;
}

static void passed(struct plan_sim *s, uint64_t instructions)
{
    s->sim.state = SIM_DONE;
    s->sim.result.end = MH_END_PASS;
    s->sim.result.stats.cycles = 1000;
    s->sim.result.stats.tenants = 1;
    s->sim.result.stats.tenant[0].lane_instr = instructions;
}

/* All runs passed, and none gains. */
static int setup(void **state)
{
    (void)state;
    memset(&all, 0, sizeof all);
    memset(cells, 0, sizeof cells);
    memset(guarded, 0, sizeof guarded);
    sims = calloc(POINTS * WORKLOADS * SEEDS, sizeof *sims);
    alone = calloc(1, sizeof *alone);
    request = (struct latency_request){.seeds = 1};
    all.request = &request;
    all.noise_seeds = SEEDS;
    *image = (struct latency_image){.workload_count = WORKLOADS, .gaining = GAINING, .seeds = SEEDS};
    image->cells = cells;
    image->guarded = guarded;
    passed(alone, 1000);
    for (unsigned i = 0; i < POINTS * WORKLOADS * SEEDS; i++) {
        passed(&sims[i], 1000);
        cells[i].run = &sims[i];
        cells[i].alone[0] = alone;
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(sims);
    free(alone);
    return 0;
}

static void near(double v, double want)
{
    if (!(fabs(v - want) < 1e-9))
        fail_msg("%.12g, not %.12g", v, want);
}

/* Two workloads, of 21 % and of nothing: 10 %. The plain one is in its column alone. */
static void test_means(void **state)
{
    struct latency_row row;
    (void)state;
    put(0, 0, 0, 1210);
    put(3, 0, 0, 1210);
    put(3, 2, 0, 500);
    latency_row(&all, image, 3, &row);
    near(row.gains[0], 0.21);
    near(row.gains[1], 0);
    near(row.gains[2], -0.5);
    near(row.weighted_speedup, 1.1);
    near(row.gain, 0.1);
    near(row.kept, 1);
    near(row.fairness, 1);
}

/* Gains are against the same seed: 10 % and 20 % in no time, mean 15 %, noise 10 %; with more of it, no gain. */
static void test_noise(void **state)
{
    struct latency_summary s;
    (void)state;
    put(0, 0, 0, 1210);
    put(0, 0, 1, 720); /* of 500: 44 %, the mean with the other workload 20 % */
    put(POINTS_LAST, 0, 1, 500);
    latency_summarise(&all, image, &s);
    near(s.gain, 0.15);
    near(s.noise, 0.1);
    assert_int_equal(s.verdict, GAIN_REAL);
    put(0, 0, 0, 1010);
    latency_summarise(&all, image, &s);
    assert_int_equal(s.verdict, GAIN_NOISE);
    put(0, 0, 0, 500);
    put(0, 0, 1, 250);
    latency_summarise(&all, image, &s);
    assert_int_equal(s.verdict, GAIN_LOSS);
}

/* 21 % in no time, both seeds: no noise. Clocks keep it down to the third, bus latencies up to the first. */
static void test_knees(void **state)
{
    struct latency_summary s;
    (void)state;
    for (unsigned seed = 0; seed < SEEDS; seed++)
        for (unsigned w = 0; w < GAINING; w++) {
            put(0, w, seed, 1210);
            for (unsigned i = 0; i < 3; i++)
                put(POINTS_FIRST_CLOCK + i, w, seed, 1200);
            put(POINTS_FIRST_CLOCK + 4, w, seed, 1210); /* slower than one that does not keep it */
            put(POINTS_FIRST_BUS, w, seed, 1200);
        }
    latency_summarise(&all, image, &s);
    assert_int_equal(s.clock, 3);
    assert_int_equal(s.clock_noise, 3);
    assert_int_equal(s.bus, 1);
}

/* A slower core loses 4 % where noise is 6 %: one knee by the numbers, another that says what can be told apart. */
static void test_knee_beyond_noise(void **state)
{
    struct latency_summary s;
    (void)state;
    for (unsigned w = 0; w < GAINING; w++) {
        put(0, w, 0, 1300);
        put(0, w, 1, 1360);
        put(POINTS_FIRST_CLOCK, w, 0, 1300);
        put(POINTS_FIRST_CLOCK + 1, w, 0, 1260);
        put(POINTS_FIRST_CLOCK + 2, w, 0, 1230);
    }
    latency_summarise(&all, image, &s);
    near(s.noise, 0.06);
    assert_int_equal(s.verdict, GAIN_REAL);
    assert_int_equal(s.clock, 1);
    assert_int_equal(s.clock_noise, 2);
    assert_int_equal(s.bus, 0);
}

/* Both sources, all workloads; boot is not counted as awake. */
static void test_core(void **state)
{
    struct latency_row row;
    (void)state;
    for (unsigned w = 0; w < WORKLOADS; w++) {
        struct mh_result *r = &sim_of(2, w, 0)->sim.result;
        r->stats.control.source[MH_SOURCE_EPOCH] = (struct mh_source_stats){10, 8, 2, 800, 300 + w};
        r->stats.control.source[MH_SOURCE_WALK_EPOCH] = (struct mh_source_stats){10, 8, 1, 160, 50};
        r->core.boot = 100;
        r->core.awake = 130;
        r->core.asleep = 70;
    }
    latency_row(&all, image, 2, &row);
    near(row.answer_mean, 60);
    assert_int_equal(row.answer_max, 302);
    assert_int_equal(row.raised, 60);
    assert_int_equal(row.missed, 9);
    near(row.awake, 0.3);
    assert_false(row.bites);
    guarded[2 * WORKLOADS + 2].run = sim_of(2, 2, 1);
    latency_row(&all, image, 2, &row);
    assert_false(row.bites);
    sim_of(2, 2, 1)->sim.result.core.recovery.bites = 1;
    latency_row(&all, image, 2, &row);
    assert_true(row.bites);
}

static void test_missing(void **state)
{
    struct latency_summary s;
    struct latency_row row;
    (void)state;
    put(0, 0, 0, 1210);
    put(0, 0, 1, 1210);
    sim_of(POINTS_FIRST_CLOCK + 1, 1, 0)->sim.state = SIM_STOPPED;
    put(POINTS_FIRST_CLOCK, 0, 0, 1210);
    latency_row(&all, image, POINTS_FIRST_CLOCK + 1, &row);
    near(row.gains[0], 0);
    assert_true(isnan(row.gains[1]) && isnan(row.gain) && isnan(row.kept) && isnan(row.weighted_speedup));
    latency_summarise(&all, image, &s);
    assert_int_equal(s.verdict, GAIN_REAL);
    assert_int_equal(s.clock, -1);
    sim_of(0, 0, 1)->sim.result.end = MH_END_FAULT;
    latency_summarise(&all, image, &s);
    assert_int_equal(s.verdict, GAIN_UNKNOWN);
    alone->sim.state = SIM_LOST;
    assert_true(isnan(latency_speedup(&all, image, 0, 0, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_means, setup, teardown),
        cmocka_unit_test_setup_teardown(test_noise, setup, teardown),
        cmocka_unit_test_setup_teardown(test_knees, setup, teardown),
        cmocka_unit_test_setup_teardown(test_knee_beyond_noise, setup, teardown),
        cmocka_unit_test_setup_teardown(test_core, setup, teardown),
        cmocka_unit_test_setup_teardown(test_missing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
