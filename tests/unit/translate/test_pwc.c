/* Counters of waiting walks in the page walk cache, and what they keep from being replaced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "order_bench.h"

/* Pages whose entries of depth 3 differ: a leaf node each. */
enum { LEAF = 512 };

static uint32_t vpn_of(uint32_t page)
{
    return (uint32_t)(SCRIPT_BASE / SCRIPT_PAGE) + page;
}

/* The entry of depth 3 of the page has been read. */
static void fill(struct bench *b, uint32_t page)
{
    struct mh_gpu *g = b->g;
    uint32_t node = g->tenant[0].page_root;

    node = mh_pt_entry(g->pages, node, vpn_of(page), 1);
    node = mh_pt_entry(g->pages, node, vpn_of(page), 2);
    mh_pwc_fill(g, 0, node, vpn_of(page), 3);
}

static uint32_t count_in(const struct bench *b)
{
    return mh_pwc_pins(&b->g->walkers[0].pwc);
}

/* Is it there? Asked without a use: the order of the set is put back. */
static bool has(struct bench *b, uint32_t page)
{
    struct mh_tags *pwc = &b->g->walkers[0].pwc;
    uint32_t before[64];

    memcpy(before, pwc->entry, pwc->stride * sizeof *before);
    struct mh_pwc_found f = mh_pwc_look_up(b->g, 0, b->g->tenant[0].page_root, vpn_of(page), MH_PWC_LEAVE, 0);

    memcpy(pwc->entry, before, pwc->stride * sizeof *before);
    return f.levels & 4;
}

/* Up with each walk that waits, to 3; down with each that is served, not below 0. */
static void test_counts(void **state)
{
    static const uint32_t up[] = {1, 2, 3, 3, 3}, down[] = {2, 1, 0, 0, 0};
    struct bench b = bench_open(4);

    (void)state;
    fill(&b, 0);
    for (uint32_t i = 0; i < 5; i++) {
        bench_arrive(&b, 1, 0, i);
        assert_int_equal(count_in(&b), up[i]);
    }
    for (uint32_t i = 0; i < 5; i++) {
        bench_serve(&b);
        assert_int_equal(count_in(&b), down[i]);
    }
    bench_close(&b);
}

/* A walk counts down what it has counted up: not what came later, and nothing without WALK_PIN. */
static void test_counts_its_own(void **state)
{
    struct bench b = bench_open(4);

    (void)state;
    bench_arrive(&b, 1, 0, 0); /* finds nothing */
    fill(&b, 0);
    bench_arrive(&b, 2, 0, 0);
    b.g->knobs.walk_pin = 0;
    bench_arrive(&b, 3, 0, 0);
    assert_int_equal(count_in(&b), 1);
    assert_int_equal(bench_walk(&b, bench_serve(&b))->instruction, 2); /* 1 read; so has 3, and 1 four */
    assert_int_equal(count_in(&b), 0);
    bench_arrive(&b, 4, 0, 0);
    b.g->knobs.walk_pin = 1;
    bench_arrive(&b, 5, 0, 0);
    assert_int_equal(bench_walk(&b, bench_serve(&b))->instruction, 3);
    assert_int_equal(bench_walk(&b, bench_serve(&b))->instruction, 4);
    assert_int_equal(count_in(&b), 1);
    bench_close(&b);
}

/* Two entries. The one that a walk waits for stays although the other was used later; with all counted LRU is left. */
static void test_replacement(void **state)
{
    struct bench b = bench_open(2);

    (void)state;
    fill(&b, 0);
    fill(&b, LEAF);
    bench_arrive(&b, 1, 0, 0);
    fill(&b, LEAF); /* used later than 0 */
    fill(&b, 2 * LEAF);
    assert_true(has(&b, 0) && !has(&b, LEAF) && has(&b, 2 * LEAF));
    bench_arrive(&b, 2, 0, 2 * LEAF);
    fill(&b, LEAF); /* both counted: 0 was used longest ago */
    assert_true(!has(&b, 0) && has(&b, LEAF) && has(&b, 2 * LEAF));
    assert_int_equal(count_in(&b), 1);
    bench_serve(&b);
    bench_serve(&b);
    assert_int_equal(count_in(&b), 0);
    fill(&b, 0);
    assert_true(has(&b, 0) && has(&b, 2 * LEAF) && !has(&b, LEAF)); /* that of 2 * LEAF was used when it was served */
    bench_close(&b);
}

/* An entry that is read again keeps its count. */
static void test_read_again(void **state)
{
    struct bench b = bench_open(2);

    (void)state;
    fill(&b, 0);
    bench_arrive(&b, 1, 0, 0);
    fill(&b, 0);
    assert_int_equal(count_in(&b), 1);
    bench_close(&b);
}

/* Four sets of one entry. Neighbours of a node have sets of their own, or share the node's. */
static void test_index(void **state)
{
    static const char *const by[] = {"entry", "node"};

    (void)state;
    for (uint32_t node = 0; node < 2; node++) {
        struct mh_config cfg;
        struct mh_pwc_found f;

        bench_config(&cfg, 4);
        cfg.walk.pwc_ways = 1;
        strcpy(cfg.walk.pwc_index, by[node]);
        struct bench b = bench_of(&cfg);

        fill(&b, 0);
        fill(&b, LEAF);
        f = mh_pwc_look_up(b.g, 0, b.g->tenant[0].page_root, vpn_of(0), MH_PWC_LEAVE, 0);
        assert_int_equal(f.levels & 4, node ? 0 : 4);
        f = mh_pwc_look_up(b.g, 0, b.g->tenant[0].page_root, vpn_of(LEAF), MH_PWC_LEAVE, 0);
        assert_int_equal(f.levels & 4, 4);
        bench_close(&b);
    }
}

int test_pwc(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),     cmocka_unit_test(test_counts_its_own), cmocka_unit_test(test_replacement),
        cmocka_unit_test(test_read_again), cmocka_unit_test(test_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
