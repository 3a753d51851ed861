/* The knobs DRAM_RANK and DRAM_MONITOR on a GPU: legal values, what they do to latencies, what they leave alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "memhelm/config_file.h"
#include "script.h"

enum { WARM = 10000, END = 40000 };

/* Two tenants that read, write and walk much. */
static struct mh_gpu *busy_gpu(const char *scheduler, uint32_t golden)
{
    struct mh_config cfg = {0};
    struct mh_error err = {""};
    assert_int_equal(mh_config_preset(&cfg, "mask", &err) || mh_config_workload(&cfg, "MVT+GUPS", &err), 0);
    cfg.run.cycles = 1000000;
    strcpy(cfg.dram.scheduler, scheduler);
    if (!golden)
        cfg.dram.golden = cfg.dram.silver = cfg.dram.normal = 0;
    struct mh_gpu *g = mh_config_resolve(&cfg, &err) ? NULL : mh_gpu_create(&cfg, &err);
    if (!g)
        fail_msg("%s", err.text);
    return g;
}

static void set_ranks(struct mh_gpu *g, uint32_t zero, uint32_t one)
{
    script_write(g, MH_REG_DRAM_RANK, zero);
    script_knob(g, MH_REG_DRAM_RANK + MH_REG_DRAM_RANK_STRIDE, one);
}

static void test_legal(void **state)
{
    (void)state;
    struct mh_gpu *g = busy_gpu("fr-fcfs", 0);
    assert_true(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_DRAM_RANK);
    assert_int_equal(script_read(g, MH_REG_CAP_DRAM_BANKS), 8);
    script_knob(g, MH_REG_DRAM_RANK, 255);
    script_refused(g, MH_REG_DRAM_RANK, 256);
    script_refused(g, MH_REG_DRAM_MONITOR, 2);
    mh_gpu_destroy(g);
    g = busy_gpu("mpki", 1); /* has an order of its own */
    assert_int_equal(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_DRAM_RANK, 0);
    script_refused(g, MH_REG_DRAM_RANK, 1);
    script_refused(g, MH_REG_DRAM_MONITOR, 1);
    mh_gpu_destroy(g);
}

/* GPU cycles of a data read of the tenant in DRAM, from cycle WARM to END. */
static double latency(uint32_t zero, uint32_t one, uint32_t tenant)
{
    struct mh_gpu *g = busy_gpu("fr-fcfs", 1);
    set_ranks(g, zero, one);
    mh_gpu_advance(g, WARM);
    struct mh_counters before = mh_gpu_stats(g)->tenant[tenant];
    mh_gpu_advance(g, END);
    const struct mh_counters *c = &mh_gpu_stats(g)->tenant[tenant];
    uint64_t lines = c->dram_read - before.dram_read;
    assert_true(lines > 500);
    double cycles = (double)(c->dram_cycles - before.dram_cycles) / (double)lines;
    mh_gpu_destroy(g);
    return cycles;
}

static void test_higher_rank_is_faster(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < 2; t++) {
        double equal = latency(0, 0, t), high = latency(t == 0, t == 1, t), low = latency(t == 1, t == 0, t);
        print_message("tenant %u: %.1f cycles, %.1f with the higher rank, %.1f with the lower\n", t, equal, high, low);
        assert_true(high < equal && equal < low);
    }
}

/* Equal ranks and the watch change no counter but the watch's own, which account for every read. */
static void test_only_looks(void **state)
{
    (void)state;
    struct mh_gpu *plain = busy_gpu("fr-fcfs", 1), *g = busy_gpu("fr-fcfs", 1);
    script_write(g, MH_REG_DRAM_MONITOR, 1);
    set_ranks(g, 7, 7);
    mh_gpu_advance(plain, END);
    mh_gpu_advance(g, END);
    for (uint32_t t = 0; t < 2; t++) {
        struct mh_counters a = mh_gpu_stats(plain)->tenant[t], b = mh_gpu_stats(g)->tenant[t];
        assert_int_equal(a.dram_alone_reads + a.dram_alone_hits + a.dram_banks_area + a.dram_banks_cycles, 0);
        assert_int_equal(b.dram_alone_reads, b.dram_read + b.dram_walk);
        assert_in_range(b.dram_alone_hits, 1, b.dram_alone_reads);
        assert_true(b.dram_banks_area > b.dram_banks_cycles && b.dram_banks_area < 8 * b.dram_banks_cycles);
        uint64_t cycles = (uint64_t)END * g->cfg.clock.dram_hz / g->cfg.clock.gpu_hz * g->cfg.dram.channels;
        assert_in_range(b.dram_banks_cycles, cycles / 20, cycles);
        b.dram_alone_reads = b.dram_alone_hits = b.dram_banks_area = b.dram_banks_cycles = 0;
        assert_memory_equal(&a, &b, sizeof a);
    }
    mh_gpu_destroy(plain);
    mh_gpu_destroy(g);
}

/* Nothing is lost, whenever ranks, watch and queues are switched. */
static void test_switching(void **state)
{
    (void)state;
    struct mh_gpu *g = busy_gpu("fr-fcfs", 1);
    uint64_t rng = 3;
    for (uint64_t cycle = 0; cycle < 30000; cycle += 1 + random_next(&rng) % 300) {
        mh_gpu_advance(g, cycle);
        script_write(g, MH_REG_SILVER_THRESH, random_next(&rng) % 40 % 30);
        script_write(g, MH_REG_DRAM_QUEUES, random_next(&rng) % 4 == 0);
        script_write(g, MH_REG_DRAM_MONITOR, random_next(&rng) % 2);
        set_ranks(g, random_next(&rng) % 3, random_next(&rng) % 3);
        mh_gpu_check(g);
    }
    assert_null(mh_gpu_deadlock(g));
    assert_true(mh_gpu_stats(g)->tenant[0].dram_walk > 100 && mh_gpu_stats(g)->tenant[1].dram_read > 100);
    mh_gpu_destroy(g);
}

int test_dram_rank_knobs(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legal),
        cmocka_unit_test(test_higher_rank_is_faster),
        cmocka_unit_test(test_only_looks),
        cmocka_unit_test(test_switching),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
