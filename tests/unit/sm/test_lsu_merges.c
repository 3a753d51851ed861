/* l1tlb.merges: how many lines may wait for a page that misses the L1 TLB. Cycles by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/arith.h"
#include "translate_fixture.h"

enum { WARPS = 8, MISSING = L1TLB + WIRE + L2TLB + WALK + WIRE };

/* Warp 0 loads from page 0. Then `WARPS` warps load a line each, 4 cycles apart: all of page 1, the last one of page 0,
 * whose line is there. */
static struct mh_gpu *page_of_many(uint32_t merges, struct script **s)
{
    struct mh_config cfg;
    script_config(&cfg, 1, 1);
    cfg.l1tlb.merges = merges;
    cfg.l1tlb.mshrs = 2;
    cfg.sm.schedulers = 4;
    *s = script_new();
    script_buffer(*s, SCRIPT_BASE, CHAIN_PAGES * SCRIPT_PAGE);
    script_warps(*s, WARPS);
    for (uint32_t w = 0; w < WARPS; w++) {
        bool last = w == WARPS - 1;
        script_add(*s, 0, 0, w, op_load(in_page(0, 0)));
        script_add(*s, 0, 0, w, op_wait(op_after(4 * w, op_load(in_page(!last, last ? 0 : 128 * w)))));
        script_add(*s, 0, 0, w, op_wait(op_barrier()));
    }
    struct mh_gpu *g = script_gpu(&cfg, s);
    chain_run(g);
    return g;
}

/* All lines of the page wait or, with room for fewer, the next one stops the LSU. */
static void test_lines_that_wait(void **state)
{
    (void)state;
    for (uint32_t merges = 0; merges < 9; merges++) {
        struct script *s;
        struct mh_gpu *g = page_of_many(merges, &s);
        const struct mh_counters *c = &g->tenant[0].count;
        uint64_t miss = SCRIPT_NEVER, done = script_issued(s, 0, 0, WARPS - 1, 2);
        uint32_t before = 0; /* loads from page 1 that issued before that from page 0 */
        for (uint32_t w = 0; w < WARPS - 1; w++) {
            miss = mh_min64(miss, script_issued(s, 0, 0, w, 1));
            before += script_issued(s, 0, 0, w, 1) < script_issued(s, 0, 0, WARPS - 1, 1);
        }
        assert_int_equal(c->walks, 2);
        assert_int_equal(c->l1tlb_access, 2 * WARPS);
        assert_int_equal(c->l1tlb_hit + c->l1tlb_merge, 2 * WARPS - 2);
        if (merges && merges < before) /* behind the lines of the page: replays, then those that were stopped */
            assert_int_equal(done, miss + LSU + MISSING + before + HIT);
        else /* nothing stops: a hit under the misses */
            assert_true(done < miss + LSU + MISSING);
        script_end(g);
    }
}

/* Lines of one instruction: those that find room wait, the others look the page up when it is there. */
static void test_lines_of_an_instruction(void **state)
{
    (void)state;
    static const uint32_t merges[] = {0, 4, 8};
    for (uint32_t i = 0; i < 3; i++) {
        struct mh_config cfg;
        struct script *s = script_new();
        script_config(&cfg, 1, 1);
        cfg.l1tlb.merges = merges[i];
        script_buffer(s, SCRIPT_BASE, CHAIN_PAGES * SCRIPT_PAGE);
        script_warps(s, 1);
        script_add(s, 0, 0, 0, op_lanes(MH_OP_LOAD, 4, 0xff, in_page(0, 0), 128));
        script_add(s, 0, 0, 0, op_wait(op_barrier()));
        struct mh_gpu *g = script_gpu(&cfg, &s);
        const struct mh_counters *c = &g->tenant[0].count;
        script_until(g, &c->walks_live, 1);
        mh_gpu_advance(g, mh_gpu_now(g) + 20);
        uint32_t lines = 0;
        for (uint32_t id = g->sm[0].tlb_mshr[mh_tlb_mshr_of(&g->sm[0], mh_page_key(0, SCRIPT_BASE / SCRIPT_PAGE))].head;
             id != MH_NONE; id = g->sm[0].pending[id].next)
            lines++;
        assert_int_equal(lines, merges[i] == 4 ? 4 : 8);
        chain_run(g);
        assert_int_equal(c->l1tlb_access, merges[i] == 4 ? 2 : 1);
        assert_int_equal(c->l1d_access, 8);
        script_end(g);
    }
}

int test_lsu_merges(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_that_wait),
        cmocka_unit_test(test_lines_of_an_instruction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
