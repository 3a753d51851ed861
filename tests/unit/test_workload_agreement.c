/* Generated ATAX, BICG and BP against recordings of the real programs, op by op and per static memory instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "unit/workload_walk.h"
#include "workload/op_stats.h"

#ifndef TEST_DATA
#define TEST_DATA "tests/data/"
#endif

enum { MAX_PCS = 64 };

/* Sums per pair (recorded pc, generated pc); each may appear in one pair only. */
struct pair {
    uint32_t recorded, generated, kind;
    struct mh_op_sums r, g;
};

struct pairs {
    struct pair p[MAX_PCS];
    unsigned count;
};

static struct mh_workload *open_workload(const char *spec, uint64_t size, uint32_t lanes)
{
    struct mh_error err;
    struct mh_workload *w = mh_workload_create(spec, size, 1, lanes, &err);

    if (!w)
        fail_msg("%s", err.text);
    return w;
}

static struct pair *pair_of(struct pairs *all, const struct mh_op *r, const struct mh_op *g)
{
    for (unsigned i = 0; i < all->count; i++) {
        struct pair *p = &all->p[i];

        if (p->recorded == r->pc && p->generated == g->pc)
            return p;
        assert_true(p->recorded != r->pc && p->generated != g->pc);
    }
    assert_true(all->count < MAX_PCS);
    all->p[all->count] = (struct pair){.recorded = r->pc, .generated = g->pc, .kind = r->kind};
    return &all->p[all->count++];
}

/* Everything that is recorded, with addresses relative to the recording's: buffers lie at the same places. */
static void compare_op(const struct mh_op *r, const uint64_t *ra, const struct mh_op *g, const uint64_t *ga)
{
    assert_int_equal(r->kind, g->kind);
    if (r->kind == MH_OP_EXIT)
        return; /* the gap before the end is not recorded */
    assert_int_equal(r->gap, g->gap);
    if (!mh_op_is_memory(r))
        return;
    assert_int_equal(r->bytes, g->bytes);
    assert_int_equal(r->mask, g->mask);
    for (uint64_t m = r->mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);

        assert_int_equal(mh_op_address(r, ra, lane), mh_op_address(g, ga, lane));
    }
}

static void compare_warp(const struct mh_workload *r, struct mh_cursor rc, const struct mh_workload *g,
                         struct mh_cursor gc, struct pairs *all)
{
    uint64_t ra[MH_MAX_LANES], ga[MH_MAX_LANES];
    struct mh_op ro, go;

    r->start(r, &rc);
    g->start(g, &gc);
    do {
        r->next(r, &rc, &ro, ra);
        g->next(g, &gc, &go, ga);
        compare_op(&ro, ra, &go, ga);
        if (mh_op_is_memory(&ro)) {
            struct pair *p = pair_of(all, &ro, &go);

            mh_op_sums_add(&p->r, &ro, ra);
            mh_op_sums_add(&p->g, &go, ga);
        }
    } while (ro.kind != MH_OP_EXIT);
}

/* Launches of the trace against launches first.. of the kernel, on the CTAs that were recorded. */
static void agree(const char *trace, const char *kernel, uint64_t size, uint32_t lanes, uint32_t first,
                  unsigned instructions)
{
    char spec[128];
    struct mh_workload *r, *g;
    struct pairs all = {.count = 0};

    snprintf(spec, sizeof spec, "trace:" TEST_DATA "%s.w%u.gmt.zst", trace, lanes);
    r = open_workload(spec, 0, lanes);
    g = open_workload(kernel, size, lanes);
    for (uint32_t l = 0; l < r->launch_count; l++) {
        const struct mh_launch *rl = &r->launches[l], *gl = &g->launches[first + l];

        assert_string_equal(rl->name, gl->name);
        assert_int_equal(rl->threads, gl->threads);
        assert_true(rl->ctas > 0 && rl->ctas <= gl->ctas);
        for (uint32_t cta = 0; cta < rl->ctas; cta++)
            for (uint32_t warp = 0; warp < walk_warps(r, l, lanes); warp++)
                compare_warp(r, (struct mh_cursor){.launch = l, .cta = cta, .warp = warp}, g,
                             (struct mh_cursor){.launch = first + l, .cta = cta, .warp = warp}, &all);
    }
    assert_int_equal(all.count, instructions);
    print_message("%s, %u lanes: lanes / 128 B lines / 4 KiB pages per warp instruction\n", kernel, lanes);
    for (unsigned i = 0; i < all.count; i++) {
        const struct pair *p = &all.p[i];
        double n = (double)p->r.ops;

        print_message("  pc %3u %-6s %8.3f %8.3f %8.3f  recorded, %8.3f %8.3f %8.3f generated\n", p->recorded,
                      p->kind == MH_OP_LOAD ? "load" : "store", p->r.lanes / n, p->r.lines / n, p->r.pages / n,
                      p->g.lanes / n, p->g.lines / n, p->g.pages / n);
        assert_true(p->r.ops > 0);
        assert_memory_equal(&p->r, &p->g, sizeof p->r);
    }
    r->destroy(r);
    g->destroy(g);
}

static void test_atax(void **state)
{
    (void)state;
    agree("pb_atax_k1", "ATAX", 4096, 32, 0, 4);
    agree("pb_atax_k1", "ATAX", 4096, 64, 0, 4);
    agree("pb_atax_k2", "ATAX", 4096, 32, 1, 4);
    agree("pb_atax_k2", "ATAX", 4096, 64, 1, 4);
}

static void test_bicg(void **state)
{
    (void)state;
    agree("pb_bicg", "BICG", 4096, 32, 0, 8);
    agree("pb_bicg", "BICG", 4096, 64, 0, 8);
}

static void test_bp(void **state)
{
    (void)state;
    agree("rod_backprop", "BP", 1048576, 64, 0, 20);
}

/* Sanity of the yardstick itself: numbers worked out by hand. */
static void test_footprint(void **state)
{
    struct mh_op op = {.kind = MH_OP_LOAD, .bytes = 4, .mask = 0xffffffff, .base = 0x100000000, .stride = 4};
    uint64_t addr[MH_MAX_LANES] = {[1] = 0x1ffe, [3] = 0x5000, [5] = 0x1000};
    struct mh_op_footprint f;

    (void)state;
    mh_op_footprint(&op, NULL, &f); /* 128 bytes in a row */
    assert_true(f.lanes == 32 && f.sectors == 4 && f.lines == 1 && f.pages == 1);
    op.stride = 16384; /* a matrix row apart */
    mh_op_footprint(&op, NULL, &f);
    assert_true(f.lanes == 32 && f.sectors == 32 && f.lines == 32 && f.pages == 32);
    op.stride = -4, op.base += 64; /* backwards over a line's boundary: bytes -60..67 */
    mh_op_footprint(&op, NULL, &f);
    assert_true(f.sectors == 5 && f.lines == 2 && f.pages == 2);
    op.list = true, op.mask = 0x2a; /* unsorted; the first access crosses a page */
    mh_op_footprint(&op, addr, &f);
    assert_true(f.lanes == 3 && f.sectors == 4 && f.lines == 4 && f.pages == 3);
    op.kind = MH_OP_BARRIER;
    mh_op_footprint(&op, addr, &f);
    assert_true(f.lanes == 0 && f.lines == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_footprint),
        cmocka_unit_test(test_atax),
        cmocka_unit_test(test_bicg),
        cmocka_unit_test(test_bp),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
