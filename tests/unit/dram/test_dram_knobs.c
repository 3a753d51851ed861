/* The knobs of the DRAM scheduler on a GPU: legal values, effects on walks and latencies, switching all the time. */
#include "unit/test.h"
#include "memhelm/config_file.h"
#include "script.h"

TEST(test_without_queues)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.dram.golden = cfg.dram.silver = cfg.dram.normal = 0;
    struct script *s = script_new();
    script_warps(s, 1);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    assert_int_equal(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_DRAM_QUEUES, 0);
    script_refused(g, MH_REG_DRAM_QUEUES, 1);
    script_knob(g, MH_REG_SILVER_THRESH, 500);
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
    assert_good(g, err);
    return g;
}

/* GPU cycles that a page table line takes in DRAM, over both tenants, from cycle 10000 to 40000. */
static double walk_latency(uint32_t queues)
{
    LOCAL_GPU(g) = busy_gpu(16, 64, 192);
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
    assert_true(lines > 500);
    return (double)cycles / (double)lines;
}

TEST(test_walks_go_first)
{
    double one = walk_latency(0), golden = walk_latency(1);
    print_message("page table lines in DRAM: %.1f cycles in one queue, %.1f golden\n", one, golden);
    assert_true(golden < one);
}

/* Nothing is lost, whenever it is switched and however small the queues are: they push back in every way. */
static void check_switching(uint32_t golden, uint32_t silver, uint32_t normal)
{
    LOCAL_GPU(g) = busy_gpu(golden, silver, normal);
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
}

TEST(test_switching)
{
    check_switching(16, 64, 192);
    check_switching(2, 3, 8);
    check_switching(1, 1, 2);
}

enum { WARM = 10000, END = 40000 };

/* Two tenants that read, write and walk much. */
static struct mh_gpu *ranked_gpu(const char *scheduler, uint32_t golden)
{
    struct mh_config cfg = {0};
    struct mh_error err = {""};
    assert_int_equal(mh_config_preset(&cfg, "mask", &err) || mh_config_workload(&cfg, "MVT+GUPS", &err), 0);
    cfg.run.cycles = 1000000;
    set_word(&cfg, "dram.scheduler", scheduler);
    if (!golden)
        cfg.dram.golden = cfg.dram.silver = cfg.dram.normal = 0;
    struct mh_gpu *g = mh_config_resolve(&cfg, &err) ? NULL : mh_gpu_create(&cfg, &err);
    assert_good(g, err);
    return g;
}

static void set_ranks(struct mh_gpu *g, uint32_t zero, uint32_t one)
{
    script_write(g, MH_REG_DRAM_RANK, zero);
    script_knob(g, MH_REG_DRAM_RANK + MH_REG_DRAM_RANK_STRIDE, one);
}

TEST(test_legal)
{
    struct mh_gpu *g = ranked_gpu("fr-fcfs", 0);
    assert_true(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_DRAM_RANK);
    assert_int_equal(script_read(g, MH_REG_CAP_DRAM_BANKS), 8);
    script_knob(g, MH_REG_DRAM_RANK, 255);
    script_refused(g, MH_REG_DRAM_RANK, 256);
    script_refused(g, MH_REG_DRAM_MONITOR, 2);
    mh_gpu_destroy(g);
    g = ranked_gpu("mpki", 1); /* has an order of its own */
    assert_int_equal(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_DRAM_RANK, 0);
    script_refused(g, MH_REG_DRAM_RANK, 1);
    script_refused(g, MH_REG_DRAM_MONITOR, 1);
    mh_gpu_destroy(g);
}

/* GPU cycles of a data read of the tenant in DRAM, from cycle WARM to END. */
static double latency(uint32_t zero, uint32_t one, uint32_t tenant)
{
    LOCAL_GPU(g) = ranked_gpu("fr-fcfs", 1);
    set_ranks(g, zero, one);
    mh_gpu_advance(g, WARM);
    struct mh_counters before = mh_gpu_stats(g)->tenant[tenant];
    mh_gpu_advance(g, END);
    const struct mh_counters *c = &mh_gpu_stats(g)->tenant[tenant];
    uint64_t lines = c->dram_read - before.dram_read;
    assert_true(lines > 500);
    double cycles = (double)(c->dram_cycles - before.dram_cycles) / (double)lines;
    return cycles;
}

TEST(test_higher_rank_is_faster)
{
    for (uint32_t t = 0; t < 2; t++) {
        double equal = latency(0, 0, t), high = latency(t == 0, t == 1, t), low = latency(t == 1, t == 0, t);
        print_message("tenant %u: %.1f cycles, %.1f with the higher rank, %.1f with the lower\n", t, equal, high, low);
        assert_true(high < equal && equal < low);
    }
}

/* Equal ranks and the watch change no counter but the watch's own, which account for every read. */
TEST(test_only_looks)
{
    struct mh_gpu *plain = ranked_gpu("fr-fcfs", 1), *g = ranked_gpu("fr-fcfs", 1);
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
TEST(test_switching_ranks)
{
    LOCAL_GPU(g) = ranked_gpu("fr-fcfs", 1);
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
}
