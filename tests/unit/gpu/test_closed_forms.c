/*
 * Idle reads to the cycle, the peaks in the window, and latencies as sums of their parts. Streams, conflicts, each way
 * of a read: make validate.
 */
#include "script.h"
#include "unit/test.h"
#include "chain.h"
#include "idle_read.h"
#include "gpu/gpu.h"
#include "sm_fixture.h"

enum { LSU = 1 /* issue takes the cycle before */, L1 = 1 + 1 /* L1 TLB, L1D */ };
enum { READS = 250 };

/* Sixteen pages far apart (several leaf nodes), reads of few lines, some twice in a row. */
TEST(test_idle_reads)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct mh_config cfg = script_config(1, 1);
        struct script *s;
        uint64_t addr[READS] = {0}, rng = seed, at = 0, kinds[3] = {0};
        cfg.clock.dram_hz = 1674000000;
        cfg.run.seed = seed;
        cfg.l1tlb.entries = 1;
        cfg.l1d.bytes = MH_LINE_BYTES;
        cfg.l1d.ways = 1;
        for (uint32_t i = 0; i < READS; i++)
            addr[i] = i && random_next(&rng) % 4 == 0
                          ? addr[i - 1]
                          : in_page(random_next(&rng) % 16 * 123, random_next(&rng) % 1024 * 4);
        LOCAL_GPU(g) = chain_ended(&cfg, READS, addr, &s);
        struct idle *m = idle_new(g);
        for (uint32_t i = 0; i < READS; i++) {
            assert_int_equal(script_issued(s, 0, 0, 0, i), at);
            uint64_t done = idle_read(m, addr[i], at, NULL);
            kinds[done - at == LSU + L1 ? 0 : done - at <= 60 ? 1 : 2]++;
            at = done;
        }
        assert_int_equal(script_issued(s, 0, 0, 0, READS), at);
        for (uint32_t k = 0; k < 3; k++) /* near, middling, far: all of them were there */
            assert_true(kinds[k] > 20);
        idle_free(m);
    }
}

static void expect(struct mh_gpu *g, uint32_t interval, uint32_t reply, uint32_t line, uint32_t noc, uint32_t dram)
{
    assert_int_equal(script_read(g, MH_REG_CAP_RATE_INTERVAL), interval);
    assert_int_equal(script_read(g, MH_REG_CAP_REPLY_BYTES), reply);
    assert_int_equal(script_read(g, MH_REG_CAP_LINE_BYTES), line);
    assert_int_equal(script_read(g, MH_REG_CAP_NOC_PEAK), noc);
    assert_int_equal(script_read(g, MH_REG_CAP_DRAM_PEAK), dram);
    mh_gpu_destroy(g);
}

static struct mh_gpu *idle(const struct mh_config *cfg)
{
    struct script *s = script_new();

    script_buffer(s, SCRIPT_BASE, SCRIPT_PAGE);
    return script_gpu(cfg, &s);
}

/*
 * CCBP table 1: 16 ports x 1.2 GHz x 32 B = 614.4 GB/s, at 1.8 GHz 341.33 B a cycle, x 1024 = 349 525.33. DRAM 319
 * GB/s: 16 x 16 B x 1246.09375 / 1800 = 177.22 B, x 1024 = 181 475.56. 200 NoC cycles are 300 GPU cycles, x 256 = 76
 * 800.
 */
TEST(test_preset_ccbp)
{
    struct mh_config cfg = script_preset("ccbp", 0, 1);

    expect(idle(&cfg), 76800, 160, 128, 349525, 181475);
    cfg = script_preset("ccbp", 0, 1);
    set_word(&cfg, "l1d.rate_clock", "gpu");
    cfg.clock.noc_hz = 0; /* the GPU's: 512 B a cycle */
    expect(idle(&cfg), 51200, 160, 128, 524288, 181475);
}

/* One FIFO: no intervals. Two SMs, DRAM at the GPU's clock: 8 channels of 16 B. */
TEST(test_without_subqueues)
{
    struct mh_config cfg = script_config(2, 1);

    cfg.dram.channels = 8;
    cfg.dram.bus_bytes = 4;
    cfg.dram.data_rate = 4;
    cfg.clock.noc_hz = 0;
    assert_int_equal(mh_rate_interval(&cfg), 0);
    assert_int_equal(mh_noc_peak(&cfg), 1024 * 2 * cfg.noc.flit_bytes);
    assert_int_equal(mh_dram_peak(&cfg), 1024 * 8 * 16);
}

/* A payload fills whole flits: 128 bytes are 3 of 48; more than 32 bits hold is the most that they hold. */
TEST(test_rounding)
{
    struct mh_config cfg = script_config(2, 1);

    cfg.memory.line_bytes = 128;
    cfg.noc.flit_bytes = 48;
    assert_int_equal(mh_reply_bytes(&cfg), 192);
    cfg.noc.flit_bytes = 256;
    assert_int_equal(mh_reply_bytes(&cfg), 512);
    cfg.clock.gpu_hz = 1000000;
    cfg.clock.dram_hz = 10000000000;
    cfg.dram.channels = 32;
    cfg.dram.bus_bytes = 128;
    cfg.dram.data_rate = 8;
    assert_int_equal(mh_dram_peak(&cfg), UINT32_MAX);
}

/* LATENCY_L2 and LATENCY_DRAM are the sums of their parts; the rows of run.log_series sum up to the counters. */

struct parts {
    uint64_t l2, dram, reads, hits, misses;
};

/* A read that enters the miss queue at `at`, and finds its line there. */
static void add(struct parts *p, const struct mh_config *cfg, enum idle_found where, uint64_t at)
{
    const struct dram_sums sums = idle_dram_sums(cfg);
    const uint32_t line = cfg->memory.line_bytes;
    uint64_t looked_up = idle_crossing(cfg, at, 1), waited = 0, there = idle_l2_hit(cfg, at, line);
    if (where == IDLE_L1D)
        return;
    if (where != IDLE_L2) {
        waited = idle_fill(cfg, &sums, where, looked_up) - looked_up;
        there = idle_dram_read(cfg, &sums, where, at, line);
    }
    p->l2 += there - at - waited;
    p->dram += waited;
    p->reads++;
    p->hits += where == IDLE_L2;
    p->misses += where != IDLE_L2;
}

/* With ideal translation a line enters the miss queue in the LSU's cycle, the one after its issue. */
static void idle_reads(const char *preset)
{
    struct mh_config cfg = script_preset(preset, 1, 1);
    struct script *s;
    uint64_t addr[READS], rng = 5, at = 0;
    struct parts want = {0};
    cfg.dram.refi = 0;
    cfg.l1tlb.ideal = 1;
    cfg.l1d.bytes = 2 * cfg.memory.line_bytes;
    cfg.l1d.ways = 1;
    for (uint32_t i = 0; i < READS; i++)
        addr[i] = in_page(random_next(&rng) % 16 * 97, random_next(&rng) % 8 * 512);
    LOCAL_GPU(g) = chain_ended(&cfg, READS, addr, &s);
    struct idle *m = idle_new(g);
    for (uint32_t i = 0; i < READS; i++) {
        struct idle_path path;
        uint64_t done = idle_read(m, addr[i], at, &path);
        add(&want, &cfg, path.data, at + 1);
        at = done;
    }
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(script_issued(s, 0, 0, 0, READS), at);
    assert_true(want.hits > 20 && want.misses > 20);
    assert_int_equal(c->latency_reads, want.reads);
    assert_int_equal(c->latency_l2, want.l2);
    assert_int_equal(c->latency_dram, want.dram);
    idle_free(m);
}

TEST(test_latency_parts)
{
    idle_reads("ccbp");
    idle_reads("mask");
}

/* Table 1: 200 cycles from load to use with a hit, of which one is the LSU's and two are the L1s'. */
TEST(test_a_hit_of_ccbp)
{
    struct mh_config cfg = script_preset("ccbp", 1, 1);
    struct script *s;
    const uint64_t addr[] = {in_page(0, 0), in_page(0, 4096 - 128), in_page(0, 0)};
    cfg.dram.refi = 0;
    cfg.l1d.bytes = cfg.memory.line_bytes;
    cfg.l1d.ways = 1;
    LOCAL_GPU(g) = chain_gpu(&cfg, 3, addr, &s);
    script_until(g, &g->tenant[0].count.latency_reads, 2);
    uint64_t before = g->tenant[0].count.latency_l2, dram = g->tenant[0].count.latency_dram;
    chain_run(g);
    assert_int_equal(g->tenant[0].count.latency_reads, 3);
    assert_int_equal(g->tenant[0].count.latency_dram, dram);
    assert_int_equal(g->tenant[0].count.latency_l2 - before, chain_cycles(s, 2) - 1 - 2);
    assert_in_range(chain_cycles(s, 2), 199, 201);
}

/*
 * Each read is under way from the cycle in which its L1D MSHR asks to that in which its line is used, L1 TLB and L1D
 * after the reply's last flit: the sum over all cycles of the MSHRs that wait. Lines are whole: an MSHR asks once.
 */
TEST(test_reads_in_a_crowd)
{
    enum { CYCLES = 30000 };
    struct mh_config cfg = shared_config(2);
    struct mix mix[2];
    uint64_t waited = 0, sum = 0, reads = 0;
    cfg.l1d.sector_bytes = 0;
    for (uint32_t t = 0; t < 2; t++) {
        cfg.tenants[t].arrive = 2; /* the test cannot look between the events of cycle 0 and those of cycle 1 */
        cfg.tenants[t].leave = CYCLES - 5000;
    }
    struct mh_gpu *g = mixed_gpu(&cfg, mix);
    for (uint64_t t = 1; t < CYCLES; t++) {
        mh_gpu_advance(g, t);
        for (uint32_t i = 0; i < cfg.sm.count; i++)
            for (uint32_t m = 0; m < cfg.l1d.mshrs; m++)
                waited += mh_index_find(&g->sm[i].l1_index, g->sm[i].l1_mshr[m].line) == (int)m;
    }
    for (uint32_t t = 0; t < 2; t++) {
        const struct mh_counters *c = &g->tenant[t].count;
        sum += c->latency_l2 + c->latency_dram;
        reads += c->latency_reads;
    }
    assert_true(reads > 5000);
    assert_int_equal(sum + reads * (cfg.l1tlb.latency + cfg.l1d.latency), waited);
    script_end(g);
}

enum { EVERY = 400, ROWS = 50 };

static const char *const names[] = {
#define MH_SERIES(field) #field,
#include "memhelm/series.def"
};

struct sums {
    uint64_t rows, cycle[2], column[2][MH_SERIES_COLUMNS];
};

static void add_row(void *ctx, const struct mh_series_row *row)
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
    struct mh_config cfg = shared_config(2);
    struct mix mix[2];
    cfg.run.log_series = every;
    cfg.l2.bytes /= 32; /* so that it writes lines back */
    LOCAL_GPU(g) = mixed_gpu(&cfg, mix);
    mh_gpu_observe(g, &(struct mh_observer){.ctx = sums, .series = add_row});
    for (uint64_t t = step; t < ROWS * EVERY; t += step)
        mh_gpu_advance(g, t);
    mh_gpu_advance(g, ROWS * EVERY);
    struct mh_stats s = *mh_gpu_stats(g);
    s.events = 0;
    return s;
}

TEST(test_rows)
{
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
TEST(test_steps)
{
    static const uint64_t steps[] = {1, 7, 399, 400, 1000};
    struct sums first = {0};
    stats_of(EVERY, 1 << 20, &first);
    for (uint32_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct sums sums = {0};
        stats_of(EVERY, steps[i], &sums);
        assert_memory_equal(&sums, &first, sizeof sums);
    }
}
