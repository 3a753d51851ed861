/* run.log_series: rows at their cycles, whose sums are the counters; and a run that is the same with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "shared_sms.h"

enum { EVERY = 400, ROWS = 50 };

static const char *const names[] = {
#define MH_SERIES(field) #field,
#include "memhelm/series.def"
};

struct sums {
    uint64_t rows, cycle[2], column[2][MH_SERIES_COLUMNS];
};

static void add(void *ctx, const struct mh_series_row *row)
{
    struct sums *s = ctx;
    assert_int_equal(row->tenant, s->rows % 2);
    assert_int_equal(row->cycle, (s->rows / 2 + 1) * EVERY);
    s->rows++;
    for (uint32_t i = 0; i < MH_SERIES_COLUMNS; i++)
        s->column[row->tenant][i] += row->delta[i];
}

static uint64_t counter(const struct mh_counters *c, const char *name)
{
    uint32_t i = 0;
    while (strcmp(mh_counter_names[i], name))
        i++;
    return ((const uint64_t *)c)[i];
}

/* The statistics after ROWS * EVERY cycles, `step` at a time. */
static struct mh_stats stats_of(uint64_t every, uint64_t step, struct sums *sums)
{
    struct mh_config cfg;
    struct mix mix[2];
    shared_config(&cfg, 2);
    cfg.run.log_series = every;
    cfg.l2.bytes /= 32; /* so that it writes lines back */
    struct mh_gpu *g = mixed_gpu(&cfg, mix);
    mh_gpu_observe(g, &(struct mh_observer){.ctx = sums, .series = add});
    for (uint64_t t = step; t < ROWS * EVERY; t += step)
        mh_gpu_advance(g, t);
    mh_gpu_advance(g, ROWS * EVERY);
    struct mh_stats s = *mh_gpu_stats(g);
    mh_gpu_destroy(g);
    s.events = 0;
    return s;
}

static void test_rows(void **state)
{
    (void)state;
    struct sums sums = {0}, none = {0};
    struct mh_stats with = stats_of(EVERY, 1 << 20, &sums), without = stats_of(0, 1 << 20, &none);
    assert_int_equal(sums.rows, 2 * ROWS);
    assert_int_equal(none.rows, 0);
    for (uint32_t t = 0; t < 2; t++)
        for (uint32_t i = 0; i < MH_SERIES_COLUMNS; i++) {
            assert_int_equal(sums.column[t][i], counter(&with.tenant[t], names[i]));
            assert_true(sums.column[t][i] > 0);
        }
    assert_memory_equal(&with, &without, sizeof with);
}

/* However far one advances at a time. */
static void test_steps(void **state)
{
    (void)state;
    static const uint64_t steps[] = {1, 7, 399, 400, 1000};
    struct sums first = {0};
    stats_of(EVERY, 1 << 20, &first);
    for (uint32_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct sums sums = {0};
        stats_of(EVERY, steps[i], &sums);
        assert_memory_equal(&sums, &first, sizeof sums);
    }
}

int test_series(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
