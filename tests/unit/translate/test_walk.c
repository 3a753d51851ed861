/* Page walk cache and walk buffer; cycles by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "translate_fixture.h"

/* What a load costs beside its walk. */
enum { AROUND = ASK + L2TLB + WIRE + HIT };

/* One set. */
static void pwc_config(struct mh_config *cfg, uint32_t entries)
{
    walking_config(cfg, 1);
    cfg->walk.pwc_bytes = entries * 8;
    cfg->walk.pwc_ways = entries;
}

/* As chain_gpu(), with a second buffer a GiB further on: it shares nothing but the root's entry with the first. */
static struct mh_gpu *far_chain(const struct mh_config *cfg, uint32_t count, const uint64_t *addr, struct script **s)
{
    *s = script_new();
    script_buffer(*s, SCRIPT_BASE, CHAIN_PAGES * SCRIPT_PAGE);
    script_buffer(*s, SCRIPT_BASE + (1 << 30), CHAIN_PAGES * SCRIPT_PAGE);
    script_warps(*s, 1);
    for (uint32_t i = 0; i < count; i++)
        script_add(*s, 0, 0, 0, op_wait(op_load(addr[i])));
    script_add(*s, 0, 0, 0, op_wait(op_barrier()));
    struct mh_gpu *g = script_gpu(cfg, s);
    chain_run(g);
    return g;
}

/*
 * One look-up, and then reads from below the deepest entry that it found: 1 read in the same leaf node, 2 in the same
 * GiB, 3 below the root. With three entries, LRU; the first four loads bring all lines into the L2.
 */
static void test_one_to_three_reads(void **state)
{
    (void)state;
    struct mh_config cfg;
    struct script *s;
    const uint64_t a = in_page(0, 0), b = in_page(600, 128), c = in_page(1 << 18, 256), d = in_page((1 << 18) + 1, 384);
    const uint64_t addr[] = {a, b, d, c, d, a, b, a};
    pwc_config(&cfg, 3);
    struct mh_gpu *g = far_chain(&cfg, 8, addr, &s);
    assert_int_equal(chain_cycles(s, 4), AROUND + PWC + 1 * READ);
    assert_int_equal(chain_cycles(s, 5), AROUND + PWC + 3 * READ);
    assert_int_equal(chain_cycles(s, 6), AROUND + PWC + 2 * READ);
    assert_int_equal(chain_cycles(s, 7), AROUND + PWC + 2 * READ); /* b's entry has replaced a's */
    assert_int_equal(g->tenant[0].count.pte1_access, 1);           /* the root was read once */
    assert_int_equal(g->tenant[0].count.pte4_access, 8);           /* leaves are not cached */
    mh_gpu_destroy(g);
}

/*
 * One entry: that of the deepest level that was read last. It is found although those above it are gone; going to and
 * fro between two leaf nodes never finds it, and pays for the look-up as well.
 */
static void test_one_or_four_reads(void **state)
{
    (void)state;
    struct mh_config cfg;
    struct script *s;
    const uint64_t addr[] = {in_page(0, 0), in_page(600, 128), in_page(1, 256),
                             in_page(0, 0), in_page(600, 128), in_page(0, 0)};
    pwc_config(&cfg, 1);
    struct mh_gpu *g = far_chain(&cfg, 6, addr, &s);
    assert_int_equal(chain_cycles(s, 3), AROUND + PWC + READ);
    assert_int_equal(chain_cycles(s, 4), AROUND + PWC + WALK);
    assert_int_equal(chain_cycles(s, 5), AROUND + PWC + WALK);
    assert_int_equal(g->tenant[0].count.walks, 6);
    mh_gpu_destroy(g);
}

/*
 * Four entries: the root's, the one below it and two of depth 3. Pages 0, 600 and 1200 have a leaf node each. Every
 * walk uses the upper two again, so that the third page replaces the first one's entry, and page 0 misses that alone.
 */
static void test_least_recently_used(void **state)
{
    (void)state;
    struct mh_config cfg;
    struct script *s;
    const uint64_t addr[] = {in_page(0, 0), in_page(600, 128), in_page(1200, 256), in_page(0, 0)};
    pwc_config(&cfg, 4);
    struct mh_gpu *g = far_chain(&cfg, 4, addr, &s);
    assert_int_equal(chain_cycles(s, 3), AROUND + PWC + 2 * READ);
    assert_int_equal(g->tenant[0].count.pte1_access, 1);
    assert_int_equal(g->tenant[0].count.pte2_access, 1);
    assert_int_equal(g->tenant[0].count.pte3_access, 4);
    mh_gpu_destroy(g);
}

/* 128 entries in sets of 16, for all page sizes: the upper levels stay, leaves are read each time. */
static void test_page_sizes(void **state)
{
    (void)state;
    static const uint32_t page[] = {4 << 10, 64 << 10, 2 << 20};
    for (uint32_t i = 0; i < 3; i++) {
        struct mh_config cfg;
        struct script *s;
        const uint64_t a = SCRIPT_BASE, b = SCRIPT_BASE + page[i] + 128, c = SCRIPT_BASE + (1 << 30) + 256;
        const uint64_t addr[] = {a, b, c, a, b, c};
        pwc_config(&cfg, 128);
        cfg.walk.pwc_ways = 16;
        cfg.memory.page_bytes = page[i];
        cfg.walk.levels = i == 2 ? 3 : 4;
        cfg.memory.bytes = 1ull << 32;
        struct mh_gpu *g = far_chain(&cfg, 6, addr, &s);
        const struct mh_counters *n = &g->tenant[0].count;
        for (uint32_t k = 3; k < 6; k++)
            assert_int_equal(chain_cycles(s, k), AROUND + PWC + READ);
        assert_int_equal(n->pte1_access, 1);
        assert_int_equal(n->pte2_access, 2);
        assert_int_equal(n->pte3_access, i == 2 ? 6 : 2);
        assert_int_equal(n->pte4_access, i == 2 ? 0 : 6);
        mh_gpu_destroy(g);
    }
}

enum { N = 6 };
static const uint64_t pages[N] = {0, 1, 2, 3, 4, 5};

/*
 * One walker and a buffer of two. Page k is looked up k cycles after the first: page 0 gets the walker, 1 and 2 the
 * buffer, page 3 and all behind it wait until a walk leaves the buffer, which is when one ends. Walks end when they
 * would with any buffer, but those that waited before the buffer count from their look-up.
 */
static void test_full_buffer(void **state)
{
    (void)state;
    struct mh_config cfg;
    walking_config(&cfg, 1);
    cfg.walk.walkers = 1;
    cfg.walk.buffer = 2;
    struct mh_gpu *g = warm_list_gpu(&cfg, N, N, pages);
    const struct mh_counters *c = &g->tenant[0].count;
    uint64_t first = mh_gpu_now(g) + ASK, cold = c->walk_cycles;
    mh_gpu_advance(g, first + N);
    assert_int_equal(c->l2tlb_access, 2 + 3);
    assert_int_equal(c->walks_live, 3);
    for (uint32_t k = 1; k <= N; k++) {
        uint64_t end = first + L2TLB + k * WALK;
        mh_gpu_advance(g, end - 1);
        assert_int_equal(c->walks, 1 + k);
        mh_gpu_advance(g, end);
        assert_int_equal(c->walks, 2 + k);
        assert_int_equal(c->l2tlb_access, 2 + (k < N - 3 ? k + 3 : N));
    }
    uint64_t sum = (L2TLB + WALK) + (L2TLB + 2 * WALK - 1) + (L2TLB + 3 * WALK - 2) + (N - 3) * 3 * WALK;
    assert_int_equal(c->walk_cycles - cold, sum);
    mh_gpu_destroy(g);
}

/* A place in the buffer is for a walk: a look-up of a page that is being walked needs none. */
static void test_full_buffer_merges(void **state)
{
    (void)state;
    struct mh_config cfg;
    walking_config(&cfg, 2);
    cfg.walk.walkers = 1;
    cfg.walk.buffer = 1;
    uint64_t addr[MH_MAX_LANES] = {in_page(0, 0), in_page(1, 0)};
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, 64 * SCRIPT_PAGE);
    script_launch(s, (struct mh_launch){.ctas = 2, .threads = 64});
    for (uint32_t cta = 0; cta < 2; cta++)
        script_add_list(s, 0, cta, 0, op_lanes(MH_OP_LOAD, 4, 3, 0, 0), addr);
    struct mh_gpu *g = script_gpu(&cfg, &s);
    mh_gpu_advance(g, ASK + 1);
    assert_int_equal(g->tenant[0].count.l2tlb_access, 4);
    assert_int_equal(g->tenant[0].count.walks_live, 2);
    mh_gpu_destroy(g);
}

/* 0 is as many places as there are MSHRs: these are what runs out. */
static void test_buffer_of_mshrs(void **state)
{
    (void)state;
    for (uint32_t buffer = 0; buffer <= 4; buffer += 4) {
        struct mh_config cfg;
        walking_config(&cfg, 1);
        cfg.walk.walkers = 1;
        cfg.walk.buffer = buffer;
        cfg.l2tlb.mshrs = 4;
        struct mh_gpu *g = warm_list_gpu(&cfg, N, N, pages);
        mh_gpu_advance(g, mh_gpu_now(g) + ASK + N);
        assert_int_equal(g->walkers[0].waiting.count, 3);
        assert_int_equal(g->l2tlb->free_walk, MH_NONE);
        assert_int_equal(g->tenant[0].count.l2tlb_access, 2 + 4);
        mh_gpu_destroy(g);
    }
}

int test_walk(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_to_three_reads),  cmocka_unit_test(test_one_or_four_reads),
        cmocka_unit_test(test_least_recently_used), cmocka_unit_test(test_page_sizes),
        cmocka_unit_test(test_full_buffer),         cmocka_unit_test(test_full_buffer_merges),
        cmocka_unit_test(test_buffer_of_mshrs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
