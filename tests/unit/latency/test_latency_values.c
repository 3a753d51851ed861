/* What made-up runs measured: speedups, fairness, and what the mcu did. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "latency/measured.h"
#include "latency_runs.h"
#include "unit/near.h"

static struct latency_image *const image = &all.images[0];

/* Two tenants of 2 and 0.5 times their IPC alone, in one of three workloads and one of five seeds. */
static void test_fairness(void **state)
{
    struct latency_row row;
    struct kept_sim *s = sim_of(0, 3, 1, 4);
    (void)state;
    s->sim.cfg.tenants_count = s->sim.result.stats.tenants = 2;
    s->sim.result.stats.tenant[0].lane_instr = 200000;
    s->sim.result.stats.tenant[1].lane_instr = 50000;
    cells[0][(POINTS_LAST * WORKLOADS + 1) * SEEDS + 4].alone[1] = alone;
    latency_row(&all, image, 3, &row);
    NEAR(latency_speedup(&all, image, 3, 1, 4), 2.5);
    NEAR(row.fairness, (4 + cbrt(0.25)) / 5);
    latency_row(&all, image, 4, &row);
    NEAR(row.fairness, 1);
}

/* All sources, workloads and seeds; boot is not counted as awake. */
static void test_core(void **state)
{
    struct latency_row row;
    (void)state;
    for (unsigned w = 0; w < WORKLOADS; w++)
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            struct mh_result *r = &sim_of(0, 2, w, seed)->sim.result;
            r->stats.control.source[MH_SOURCE_EPOCH] = (struct mh_source_stats){10, 8, 2, 800, 300 + w + seed};
            r->stats.control.source[MH_SOURCE_WALK_EPOCH] = (struct mh_source_stats){10, 8, 1, 160, 50};
            r->mcu.boot = 100;
            r->mcu.awake = 130;
            r->mcu.asleep = 70;
        }
    latency_row(&all, image, 2, &row);
    NEAR(row.answer_mean, 60);
    assert_int_equal(row.answer_max, 306);
    assert_int_equal(row.raised, 300);
    assert_int_equal(row.missed, 45);
    NEAR(row.awake, 0.3);
    assert_false(row.bites);
    guarded[0][2 * WORKLOADS + 2].run = sim_of(0, 2, 2, 1);
    latency_row(&all, image, 2, &row);
    assert_false(row.bites);
    sim_of(0, 2, 2, 1)->sim.result.mcu.recovery.bites = 1;
    latency_row(&all, image, 2, &row);
    assert_true(row.bites);
}

static void test_missing(void **state)
{
    struct latency_row row;
    (void)state;
    put(0, 2, 1, 0, 1.21);
    NEAR(latency_speedup(&all, image, 2, 1, 0), 1.21);
    sim_of(0, 2, 1, 0)->sim.state = SIM_STOPPED;
    sim_of(0, 3, 1, 0)->sim.result.end = MH_END_FAULT;
    assert_true(isnan(latency_speedup(&all, image, 2, 1, 0)));
    assert_true(isnan(latency_speedup(&all, image, 3, 1, 0)));
    latency_row(&all, image, 2, &row);
    assert_true(isnan(row.fairness));
    NEAR(latency_speedup(&all, image, 2, 1, 1), 1);
    alone->sim.state = SIM_LOST;
    assert_true(isnan(latency_speedup(&all, image, 2, 1, 1)));
}

int test_latency_values(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_fairness, setup, teardown),
        cmocka_unit_test_setup_teardown(test_core, setup, teardown),
        cmocka_unit_test_setup_teardown(test_missing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
