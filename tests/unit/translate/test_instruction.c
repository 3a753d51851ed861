/* What is counted of memory instructions with walks, of stalls and of warps at the L2 TLB; by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gpu/blocks.h"
#include "order_bench.h"

static struct mh_counters counters(struct mh_gpu *g)
{
    struct mh_counters c[MH_MAX_TENANTS];

    mh_blocks_counters(g, c);
    return c[0];
}

/* A walk of four reads that begins and ends, by hand. */
static void walk(struct mh_gpu *g, uint32_t instruction, uint64_t latency)
{
    uint32_t record = mh_instruction_walk(g, instruction, 0, 0);

    g->instructions->record[record].reads += 4;
    mh_instruction_walked(g->instructions, record, latency);
}

/* Reads of an instruction's walks at, below and above each edge; instructions that are not over are not counted. */
static void test_reads(void **state)
{
    static const uint32_t walks[] = {1, 4, 5, 8, 9, 12, 13, 16, 17, 40};
    struct bench b = bench_open(0);

    (void)state;
    for (uint32_t i = 0; i < sizeof walks / sizeof walks[0]; i++)
        for (uint32_t n = 0; n < walks[i]; n++)
            walk(b.g, 100 + i, 1);
    uint32_t live = mh_instruction_walk(b.g, 99, 0, 0);
    struct mh_counters c = counters(b.g);

    assert_int_equal(c.walk_instr, 10);
    assert_int_equal(c.walk_instr_many, 9);
    assert_int_equal(c.walk_reads_16, 2);
    assert_int_equal(c.walk_reads_32, 2);
    assert_int_equal(c.walk_reads_48, 2);
    assert_int_equal(c.walk_reads_64, 2);
    assert_int_equal(c.walk_reads_more, 2);
    b.g->instructions->record[live].reads = 1;
    mh_instruction_walked(b.g->instructions, live, 1);
    assert_int_equal(counters(b.g).walk_instr, 11);
    assert_int_equal(counters(b.g).walk_instr, 11); /* once */
    bench_close(&b);
}

/* A B A: A's are mixed, B has one only. C C: not. D E D E: both. Latencies: of the first and the last that ended. */
static void test_mixed(void **state)
{
    static const char order[] = "ABACCDEDE";
    struct bench b = bench_open(0);

    (void)state;
    for (uint32_t i = 0; order[i]; i++)
        walk(b.g, (uint32_t)order[i], 100 + i);
    struct mh_counters c = counters(b.g);

    assert_int_equal(c.walk_instr, 5);
    assert_int_equal(c.walk_instr_many, 4);
    assert_int_equal(c.walk_instr_mixed, 3);
    assert_int_equal(c.walk_first_cycles, 100 + 103 + 105 + 106);
    assert_int_equal(c.walk_last_cycles, 102 + 104 + 107 + 108);
    bench_close(&b);
}

/* The table is full of records that are over again and again; IDs are used a second time; nothing is lost. */
static void test_places_are_used_again(void **state)
{
    struct bench b = bench_open(0);
    const uint32_t often = 5 * b.g->instructions->capacity;

    (void)state;
    for (uint32_t i = 0; i < often; i++)
        walk(b.g, i, 1);
    assert_int_equal(counters(b.g).walk_instr, often);
    walk(b.g, 7, 1);
    b.g->instructions->accepted += 1u << (MH_WALK_INSTR_BITS - 1); /* half a turn: it cannot be that one any more */
    walk(b.g, 7, 1);
    assert_int_equal(counters(b.g).walk_instr, often + 2);
    assert_int_equal(counters(b.g).walk_instr_many, 0);
    bench_close(&b);
}

/*
 * One walker: six pages in one instruction. Page k is looked up k cycles after the first; walk k ends (k + 1) walks
 * after the look-up of the first is done. Under the SIMT order each but the first costs a search more.
 */
static void test_through_the_model(void **state)
{
    enum { N = 6, SCAN = 8 };
    static const uint64_t pages[N] = {0, 1, 2, 3, 4, 5};

    (void)state;
    for (uint32_t order = MH_WALK_FCFS; order <= MH_WALK_SIMT; order += MH_WALK_SIMT) {
        struct mh_config cfg;
        uint32_t scan = order ? SCAN : 0;

        walking_config(&cfg, 1);
        cfg.walk.walkers = 1;
        struct mh_gpu *g = warm_list_gpu(&cfg, N, N, pages);
        struct mh_counters before = counters(g);
        uint64_t first = mh_gpu_now(g) + ASK;

        g->knobs.walk_order = order;
        for (uint32_t k = 1; k <= N; k++) {
            mh_gpu_advance(g, first + L2TLB + k * WALK + (k - 1) * scan - 1);
            assert_int_equal(g->tenant[0].count.walks, before.walks + k - 1);
        }
        mh_gpu_advance(g, mh_gpu_now(g) + 1000);
        struct mh_counters c = counters(g);

        assert_int_equal(c.walk_instr - before.walk_instr, 1);
        assert_int_equal(c.walk_instr_many, 1);
        assert_int_equal(c.walk_instr_mixed, 0);
        assert_int_equal(c.walk_first_cycles, L2TLB + WALK);
        assert_int_equal(c.walk_last_cycles, L2TLB + N * WALK + (N - 1) * scan);
        assert_int_equal(c.walk_reads_32, 1); /* 24 */
        mh_gpu_destroy(g);
    }
}

/* One warp that waits for each of its loads: it issues at four cycles and at no other. */
static void test_stalls(void **state)
{
    const uint64_t addr[] = {in_page(0, 0), in_page(1, 0), in_page(0, 0)};
    struct mh_config cfg;
    struct script *s;

    (void)state;
    small_config(&cfg, 1);
    struct mh_gpu *g = chain_gpu(&cfg, 3, addr, &s);
    uint64_t second;

    mh_gpu_advance(g, 50);
    assert_int_equal(counters(g).sm_stalls, 50 - script_issued(s, 0, 0, 0, 0) - 1); /* it goes on */
    chain_run(g);
    second = script_issued(s, 0, 0, 0, 3);
    assert_int_equal(counters(g).sm_stalls, second - script_issued(s, 0, 0, 0, 0) - 3);
    mh_gpu_advance(g, mh_gpu_now(g) + 1000); /* without warps nothing stalls */
    assert_int_equal(counters(g).sm_stalls, second - script_issued(s, 0, 0, 0, 0) - 3);
    mh_gpu_destroy(g);
}

/* 1024 look-ups of two warps, 64 pages an instruction; one less is no window. */
static void test_window(void **state)
{
    (void)state;
    for (uint32_t lanes = 63; lanes <= 64; lanes++) {
        struct mh_config cfg;
        uint64_t addr[MH_MAX_LANES];
        struct script *s = script_new();

        walking_config(&cfg, 1);
        script_buffer(s, SCRIPT_BASE, CHAIN_PAGES * SCRIPT_PAGE);
        script_warps(s, 2);
        for (uint32_t i = 0; i < 16; i++) {
            for (uint32_t l = 0; l < 64; l++)
                addr[l] = in_page(i * 64 + l, 0);
            script_add_list(s, 0, 0, i % 2, op_wait(op_lanes(MH_OP_LOAD, 4, UINT64_MAX >> (i ? 0 : 64 - lanes), 0, 0)),
                            addr);
        }
        struct mh_gpu *g = script_gpu(&cfg, &s);

        chain_run(g);
        assert_int_equal(counters(g).l2tlb_access, 1024 - 64 + lanes);
        assert_int_equal(counters(g).l2tlb_windows, lanes == 64);
        assert_int_equal(counters(g).l2tlb_warps, lanes == 64 ? 2 : 0);
        mh_gpu_destroy(g);
    }
}

int test_instruction(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_places_are_used_again),
        cmocka_unit_test(test_through_the_model),
        cmocka_unit_test(test_stalls),
        cmocka_unit_test(test_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
