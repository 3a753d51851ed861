/*
 * LATENCY_L2 and LATENCY_DRAM: on an idle GPU both are the sums of parts that idle_read.h writes down once more; in a
 * crowd they are all of the time for which reads were under way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "chain.h"
#include "idle_read.h"
#include "shared_sms.h"

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
    struct mh_config cfg;
    struct script *s;
    uint64_t addr[READS], rng = 5, at = 0;
    struct parts want = {0};
    script_preset(&cfg, preset, 1, 1);
    cfg.dram.refi = 0;
    cfg.l1tlb.ideal = 1;
    cfg.l1d.bytes = 2 * cfg.memory.line_bytes;
    cfg.l1d.ways = 1;
    for (uint32_t i = 0; i < READS; i++)
        addr[i] = in_page(random_next(&rng) % 16 * 97, random_next(&rng) % 8 * 512);
    struct mh_gpu *g = chain_ended(&cfg, READS, addr, &s);
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
    mh_gpu_destroy(g);
}

static void test_idle_reads(void **state)
{
    (void)state;
    idle_reads("ccbp");
    idle_reads("mask");
}

/* Table 1: 200 cycles from load to use with a hit, of which one is the LSU's and two are the L1s'. */
static void test_a_hit_of_ccbp(void **state)
{
    (void)state;
    struct mh_config cfg;
    struct script *s;
    const uint64_t addr[] = {in_page(0, 0), in_page(0, 4096 - 128), in_page(0, 0)};
    script_preset(&cfg, "ccbp", 1, 1);
    cfg.dram.refi = 0;
    cfg.l1d.bytes = cfg.memory.line_bytes;
    cfg.l1d.ways = 1;
    struct mh_gpu *g = chain_gpu(&cfg, 3, addr, &s);
    script_until(g, &g->tenant[0].count.latency_reads, 2);
    uint64_t before = g->tenant[0].count.latency_l2, dram = g->tenant[0].count.latency_dram;
    chain_run(g);
    assert_int_equal(g->tenant[0].count.latency_reads, 3);
    assert_int_equal(g->tenant[0].count.latency_dram, dram);
    assert_int_equal(g->tenant[0].count.latency_l2 - before, chain_cycles(s, 2) - 1 - 2);
    assert_in_range(chain_cycles(s, 2), 199, 201);
    mh_gpu_destroy(g);
}

/*
 * Each read is under way from the cycle in which its L1D MSHR asks to that in which its line is used, L1 TLB and L1D
 * after the reply's last flit: the sum over all cycles of the MSHRs that wait. Lines are whole: an MSHR asks once.
 */
static void test_reads_in_a_crowd(void **state)
{
    (void)state;
    enum { CYCLES = 30000 };
    struct mh_config cfg;
    struct mix mix[2];
    uint64_t waited = 0, sum = 0, reads = 0;
    shared_config(&cfg, 2);
    cfg.l1d.sector_bytes = 0;
    for (uint32_t t = 0; t < 2; t++) {
        cfg.tenants[t].arrive = 2; /* nobody can look between the events of cycle 0 and those of cycle 1 */
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

int test_latency_parts(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_idle_reads),
        cmocka_unit_test(test_a_hit_of_ccbp),
        cmocka_unit_test(test_reads_in_a_crowd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
