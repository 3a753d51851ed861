/* LATENCY_L2 and LATENCY_DRAM are the sums of their parts; the rows of run.log_series sum up to the counters. */
#include "unit/test.h"
#include "chain.h"
#include "idle_read.h"
#include "sm_fixture.h"

enum { READS = 200 };

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

TEST(test_idle_reads)
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
