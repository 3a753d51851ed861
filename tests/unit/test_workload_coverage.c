/* How often generated kernels touch each element, at small sizes, with both warp widths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "unit/workload_walk.h"
#include "workload/op_stats.h"

static struct mh_workload *make(const char *name, uint64_t size, uint64_t seed, uint32_t lanes)
{
    struct mh_error err;
    struct mh_workload *w = mh_workload_create(name, size, seed, lanes, &err);

    if (!w)
        fail_msg("%s", err.text);
    return w;
}

struct coverage {
    uint32_t launch;
    int kind;
    uint64_t base, end, element;
    uint8_t *touched;
};

static void cover_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct coverage *v = ctx;

    if (op->kind != v->kind || at.launch != v->launch)
        return;
    for (uint64_t m = op->mask; m; m &= m - 1) {
        uint64_t a = mh_op_address(op, addr, (unsigned)__builtin_ctzll(m));

        for (uint64_t b = 0; b < op->bytes && a >= v->base && a < v->end; b += v->element)
            v->touched[(a + b - v->base) / v->element]++;
    }
}

/* Each of `count` elements at the start of buffer `buffer` is touched `times` times in `launch`. */
static void covers(const char *name, uint64_t size, uint32_t launch, enum mh_op_kind kind, uint32_t buffer,
                   uint64_t count, uint32_t element, unsigned times)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        struct mh_workload *w = make(name, size, 1, lanes);
        struct coverage v = {.launch = launch, .kind = kind, .base = w->buffers[buffer].base, .element = element};

        assert_true(count * element <= w->buffers[buffer].bytes);
        v.end = v.base + count * element;
        v.touched = calloc(count, 1);
        assert_non_null(v.touched);
        walk_all(w, lanes, cover_op, &v);
        for (uint64_t i = 0; i < count; i++)
            if (v.touched[i] != times)
                fail_msg("%s %u lanes launch %u: element %llu touched %u times, not %u", name, lanes, launch,
                         (unsigned long long)i, v.touched[i], times);
        free(v.touched);
        w->destroy(w);
    }
}

static void test_coverage(void **state)
{
    (void)state;
    for (uint32_t launch = 0; launch < 2; launch++) {
        covers("MVT", 300, launch, MH_OP_LOAD, 0, 300 * 300, 4, 1);
        covers("ATAX", 300, launch, MH_OP_LOAD, 0, 300 * 300, 4, 1);
        covers("BICG", 300, launch, MH_OP_LOAD, 0, 300 * 300, 4, 1);
    }
    covers("MVT", 100, 0, MH_OP_STORE, 1, 100, 4, 100);  /* x1, once per iteration */
    covers("BICG", 100, 0, MH_OP_STORE, 4, 100, 4, 101); /* q, zeroed first */
    covers("GUPS", 4096, 0, MH_OP_LOAD, 1, 65536, 8, 1); /* seeds; the table lies below a slab only when large */
    covers("RED", 512 * 70, 0, MH_OP_LOAD, 0, 512 * 70, 4, 1);
    covers("SCAN", 9000, 0, MH_OP_LOAD, 0, 9000, 4, 1);
    covers("SCAN", 9000, 1, MH_OP_STORE, 2, 64, 4, 1);
    covers("SCAN", 9000, 2, MH_OP_LOAD, 0, 9000, 4, 1);
    covers("SCAN", 9000, 2, MH_OP_STORE, 1, 9000, 4, 1);
    covers("MM", 96, 0, MH_OP_LOAD, 0, 96 * 96, 4, 3); /* each tile of A meets three columns of tiles of B */
    covers("MM", 96, 0, MH_OP_LOAD, 1, 96 * 96, 4, 3);
    covers("MM", 96, 0, MH_OP_STORE, 2, 96 * 96, 4, 1);
    covers("HISTO", 512, 1, MH_OP_LOAD, 0, 512 * 512, 4, 1);
    covers("HISTO", 512, 1, MH_OP_STORE, 2, 512 * 512, 4, 1);
    covers("HISTO", 512, 3, MH_OP_STORE, 6, 1024 * 1024, 1, 1); /* the final histogram, in any range */
}

/* Inner points of the stencil are stored once, the shell never. */
static void test_stencil_coverage(void **state)
{
    enum { N = 72, Z = N / 8 };

    (void)state;
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        struct mh_workload *w = make("3DS", N, 1, lanes);
        uint64_t a = w->buffers[0].base, b = w->buffers[1].base;
        uint8_t loaded[N * N * Z] = {0}, stored[N * N * Z] = {0};
        struct coverage ld = {0, MH_OP_LOAD, a, a + sizeof loaded * 4, 4, loaded};
        struct coverage st = {0, MH_OP_STORE, b, b + sizeof stored * 4, 4, stored};

        walk_all(w, lanes, cover_op, &ld);
        walk_all(w, lanes, cover_op, &st);
        for (unsigned z = 0, i = 0; z < Z; z++)
            for (unsigned y = 0; y < N; y++)
                for (unsigned x = 0; x < N; x++, i++) {
                    bool inner = x > 0 && x < N - 1 && y > 0 && y < N - 1 && z > 0 && z < Z - 1;
                    /* Points on the rim of a 64 x 4 block are read again by the neighbour block, in inner planes,
                     * where the reader itself is an inner point. */
                    bool in_x = x > 0 && x<N - 1, in_y = y> 0 && y<N - 1, in_z = z> 0 && z < Z - 1;
                    unsigned halo = in_z ? (in_y && (x == 63 || x == 64)) + (in_x && y % 4 == 3 && y + 1 < N - 1) +
                                               (in_x && y % 4 == 0 && y > 1)
                                         : 0;

                    assert_int_equal(stored[i], inner);
                    assert_int_equal(loaded[i], 1 + halo);
                }
        w->destroy(w);
    }
}

/* Atomics of HISTO: as many as the counters of one block column overflow, counted here from scratch. */
struct atomics {
    uint64_t overflow, minmax, outside, looked_at;
    uint64_t histo;             /* base of the global histogram */
    uint16_t words[512 * 1024]; /* increments of each of its words, two counters each */
};

static void count_atomics(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct atomics *a = ctx;

    if (op->kind == MH_OP_ATOMIC && at.launch == 2 && op->pc == 11)
        a->overflow += (uint64_t)__builtin_popcountll(op->mask);
    if (at.launch == 2 && op->pc == 24)
        a->looked_at += (uint64_t)__builtin_popcountll(op->mask);
    for (uint64_t m = op->kind == MH_OP_ATOMIC && at.launch == 2 && op->pc == 25 ? op->mask : 0; m; m &= m - 1) {
        a->outside++;
        a->words[(mh_op_address(op, addr, (unsigned)__builtin_ctzll(m)) - a->histo) / 4]++;
    }
    if (op->kind == MH_OP_ATOMIC && at.launch == 0)
        a->minmax++;
}

static void test_histo_atomics(void **state)
{
    static struct atomics a[3];
    struct mh_workload *w;
    unsigned most = 0;

    (void)state;
    for (int i = 0; i < 2; i++) {
        w = make("HISTO", 1024, 1, i ? 64 : 32);
        walk_all(w, i ? 64 : 32, count_atomics, &a[i]);
        w->destroy(w);
    }
    /* 2^20 points over 14 columns cannot overflow 256-counters more often than this. */
    assert_true(a[0].overflow > 0 && a[0].overflow <= (1u << 20) / 256);
    assert_int_equal(a[0].overflow, a[1].overflow);
    assert_int_equal(a[0].minmax, 128);
    assert_int_equal(a[0].outside, 0); /* the prescan reaches eight true deviations, the data six */
    /* At 512 x 512 every prescan thread sees one point and so no deviation: the span is the range of the mean, rows 504
     * to 527. Row 503, 2.1 deviations off, has some 270 points in its densest bins, which stop counting at 255. */
    w = make("HISTO", 512, 1, 32);
    a[2].histo = w->buffers[4].base;
    walk_all(w, 32, count_atomics, &a[2]);
    w->destroy(w);
    for (size_t i = 0; i < sizeof a[2].words / sizeof *a[2].words; i++)
        most = a[2].words[i] > most ? a[2].words[i] : most;
    assert_in_range(most, 256, 2 * 255);
    assert_true(a[2].outside < a[2].looked_at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_stencil_coverage),
        cmocka_unit_test(test_histo_atomics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
