/* The knobs DRAM_QUEUES and SILVER_THRESH on a GPU: legal values, what they do to walks, and switching all the time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "memhelm/config_file.h"
#include "script.h"

static void test_without_queues(void **state)
{
    (void)state;
    struct mh_config cfg;
    script_config(&cfg, 1, 1);
    cfg.dram.golden = cfg.dram.silver = cfg.dram.normal = 0;
    struct script *s = script_new();
    script_warps(s, 1);
    struct mh_gpu *g = script_gpu(&cfg, &s);
    assert_int_equal(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_DRAM_QUEUES, 0);
    script_refused(g, MH_REG_DRAM_QUEUES, 1);
    script_knob(g, MH_REG_SILVER_THRESH, 500);
    mh_gpu_destroy(g);
}

/* Two tenants of which both walk much and one writes, on channels with the places given. */
static struct mh_gpu *busy_gpu(uint32_t golden, uint32_t silver, uint32_t normal)
{
    struct mh_config cfg = {0};
    struct mh_error err = {""};
    assert_int_equal(mh_config_preset(&cfg, "mask", &err) || mh_config_workload(&cfg, "MVT+GUPS", &err), 0);
    cfg.run.cycles = 1000000;
    cfg.dram.golden = golden;
    cfg.dram.silver = silver;
    cfg.dram.normal = normal;
    cfg.dram.write_high = normal / 4 + 1;
    cfg.dram.write_low = normal / 8;
    struct mh_gpu *g = mh_config_resolve(&cfg, &err) ? NULL : mh_gpu_create(&cfg, &err);
    if (!g)
        fail_msg("%s", err.text);
    return g;
}

/* GPU cycles that a page table line takes in DRAM, over both tenants, from cycle 10000 to 40000. */
static double walk_latency(uint32_t queues)
{
    struct mh_gpu *g = busy_gpu(16, 64, 192);
    script_knob(g, MH_REG_DRAM_QUEUES, queues);
    mh_gpu_advance(g, 10000);
    struct mh_stats before = *mh_gpu_stats(g);
    mh_gpu_advance(g, 40000);
    const struct mh_stats *after = mh_gpu_stats(g);
    uint64_t cycles = 0, lines = 0;
    for (uint32_t t = 0; t < 2; t++) {
        cycles += after->tenant[t].dram_walk_cycles - before.tenant[t].dram_walk_cycles;
        lines += after->tenant[t].dram_walk - before.tenant[t].dram_walk;
    }
    mh_gpu_destroy(g);
    assert_true(lines > 500);
    return (double)cycles / (double)lines;
}

static void test_walks_go_first(void **state)
{
    (void)state;
    double one = walk_latency(0), golden = walk_latency(1);
    print_message("page table lines in DRAM: %.1f cycles in one queue, %.1f golden\n", one, golden);
    assert_true(golden < one);
}

/* Nothing is lost, whenever it is switched and however small the queues are: they push back in every way. */
static void check_switching(uint32_t golden, uint32_t silver, uint32_t normal)
{
    struct mh_gpu *g = busy_gpu(golden, silver, normal);
    uint64_t rng = golden;
    for (uint64_t cycle = 0; cycle < 30000; cycle += 1 + random_next(&rng) % 300) {
        mh_gpu_advance(g, cycle);
        for (uint32_t t = 0; t < 2; t++)
            script_write(g, MH_REG_SILVER_THRESH + t * MH_REG_SILVER_THRESH_STRIDE, random_next(&rng) % 40 % 30);
        script_knob(g, MH_REG_DRAM_QUEUES, random_next(&rng) % 4 != 0);
        mh_gpu_check(g);
    }
    assert_null(mh_gpu_deadlock(g));
    assert_true(mh_gpu_stats(g)->tenant[0].dram_walk > 100 && mh_gpu_stats(g)->tenant[1].dram_read > 100);
    mh_gpu_destroy(g);
}

static void test_switching(void **state)
{
    (void)state;
    check_switching(16, 64, 192);
    check_switching(2, 3, 8);
    check_switching(1, 1, 2);
}

int test_dram_knobs(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_queues),
        cmocka_unit_test(test_walks_go_first),
        cmocka_unit_test(test_switching),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
