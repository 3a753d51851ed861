/* How often kernels touch each element, with both warp widths. */
#include "unit/test.h"
#include "touches.h"
#include "unit/workload_walk.h"

TEST(test_coverage)
{
    for (uint32_t launch = 0; launch < 2; launch++) {
        covers("MVT", 300, launch, LOAD, 0, 300 * 300, 4, 1);
        covers("ATAX", 300, launch, LOAD, 0, 300 * 300, 4, 1);
        covers("BICG", 300, launch, LOAD, 0, 300 * 300, 4, 1);
    }
    covers("MVT", 100, 0, STORE, 1, 100, 4, 100);  /* x1, once per iteration */
    covers("BICG", 100, 0, STORE, 4, 100, 4, 101); /* q, zeroed first */
    covers("GUPS", 4096, 0, LOAD, 1, 65536, 8, 1); /* seeds; the table lies below a slab only when large */
    covers("RED", 512 * 70, 0, LOAD, 0, 512 * 70, 4, 1);
    covers("SCAN", 9000, 0, LOAD, 0, 9000, 4, 1);
    covers("SCAN", 9000, 1, STORE, 2, 64, 4, 1);
    covers("SCAN", 9000, 2, LOAD, 0, 9000, 4, 1);
    covers("SCAN", 9000, 2, STORE, 1, 9000, 4, 1);
    covers("MM", 96, 0, LOAD, 0, 96 * 96, 4, 3); /* each tile of A meets three columns of tiles of B */
    covers("MM", 96, 0, LOAD, 1, 96 * 96, 4, 3);
    covers("MM", 96, 0, STORE, 2, 96 * 96, 4, 1);
    covers("GEMM", 100, 0, LOAD, 0, 100 * 100, 4, 100); /* a row of A for each column of C */
    covers("GEMM", 100, 0, LOAD, 1, 100 * 100, 4, 100);
    covers("GEMM", 100, 0, STORE, 2, 100 * 100, 4, 101); /* scaled first */
    covers("HISTO", 512, 1, LOAD, 0, 512 * 512, 4, 1);
    covers("HISTO", 512, 1, STORE, 2, 512 * 512, 4, 1);
    covers("HISTO", 512, 3, STORE, 6, 1024 * 1024, 1, 1); /* the final histogram, in any range */
}

TEST(test_streams)
{
    covers("GESUMMV", 100, 0, LOAD, 0, 100 * 100, 4, 1);
    covers("GESUMMV", 100, 0, LOAD, 1, 100 * 100, 4, 1);
    covers("GESUMMV", 100, 0, LOAD, 2, 100, 4, 200); /* x[j] by every row, twice */
    covers("GESUMMV", 100, 0, STORE, 3, 100, 4, 101);
    covers("KMeans", 1000, 0, LOAD, 0, 1000 * 34, 4, 1);
    covers("KMeans", 1000, 0, STORE, 1, 1000 * 34, 4, 1);
    covers("KMeans", 1000, 1, LOAD, 1, 1000 * 34, 4, 5);
    covers("KMeans@swap", 1000, UINT32_MAX, STORE, 1, 1000 * 34, 4, 1);
    covers("KMeans@swap", 1000, UINT32_MAX, LOAD, 1, 1000 * 34, 4, 0);
    covers("KMeans@nearest", 1000, UINT32_MAX, STORE, 1, 1000 * 34, 4, 0);
    covers("KMeans@nearest", 1000, UINT32_MAX, LOAD, 1, 1000 * 34, 4, 5);
    covers("PathFinder", 1000, 0, STORE, 2, 1000, 4, 1);
    covers("PathFinder", 1000, 1, STORE, 1, 1000, 4, 1);
    covers("JPEG", 96, 0, LOAD, 0, 96 * 96, 4, 1);
    covers("JPEG", 96, 0, STORE, 1, 96 * 96, 4, 1);
    covers("JPEG", 96, 1, STORE, 1, 96 * 96, 4, 1);
    covers("JPEG", 96, 2, STORE, 0, 96 * 96, 4, 1);
    covers("JPEG@decode", 96, UINT32_MAX, LOAD, 0, 96 * 96, 4, 1);
    covers("JPEG@decode", 96, UINT32_MAX, STORE, 0, 96 * 96, 4, 1);
    covers("LIB", 500, 0, STORE, 0, 500, 4, 1);
    covers("LIB", 500, 1, STORE, 1, 500, 4, 1);
    covers("LavaMD", 2, 0, LOAD, 1, 8 * 100 * 4, 8, 9); /* its own, then all eight boxes of a 2 x 2 x 2 cube */
    covers("LavaMD", 2, 0, STORE, 3, 8 * 100 * 4, 8, 800);
    covers("SPMV", 40, 0, STORE, 4, 1600, 4, 1);
    covers("SPMV@random", 40, 0, STORE, 4, 1600, 4, 1);
    covers("SRT", 8192, 0, STORE, 3, 8192, 4, 1);
    covers("SRT", 8192, 1, STORE, 2, 1024, 4, 1);
    covers("SSSP", 1024, 2, STORE, 5, 1024, 4, 1);
    covers("B+Tree", 40000, 0, STORE, 5, 400, 4, 1);  /* every key is found */
    covers("XSBench", 1000, 0, STORE, 3, 1000, 4, 1); /* small buffers come first */
}

TEST(test_transforms)
{
    for (uint32_t l = 0; l < 2; l++) {
        check_touches("TRD", 1280, l, LOAD, 0, 3 * l, 4, once);
        check_touches("TRD", 1280, l, LOAD, 0, 3 * l + 1, 4, once);
        check_touches("TRD", 1280, l, STORE, 0, 3 * l + 2, 4, once);
    }
    for (uint32_t b = 0; b < 5; b++)
        check_touches("BLK", 50000, 0, b < 2 ? STORE : LOAD, 0, b, 4, once);
    check_touches("SCP", 768, 0, LOAD, 0, 0, 4, once);
    check_touches("SCP", 768, 0, LOAD, 0, 1, 4, once);
    check_touches("SCP", 768, 0, STORE, 0, 2, 4, once);
    for (uint32_t l = 0; l < 2; l++) {
        check_touches("FFT", 5, l, LOAD, 0, 0, 4, once);
        check_touches("FFT", 5, l, STORE, 0, 0, 4, twice);
    }
}

/* Three transforms of three passes over 2^14 elements, the product before the last. */
TEST(test_walsh)
{
    for (uint32_t l = 0; l < 10; l++) {
        const uint32_t buffer = l < 3 ? 0 : 1;

        check_touches("FWT", 16384, l, LOAD, 0, buffer, 4, once);
        check_touches("FWT", 16384, l, STORE, 0, buffer, 4, once);
    }
    check_touches("FWT", 16384, 6, LOAD, 0, 0, 4, once);
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

TEST(test_histo_atomics)
{
    static struct atomics a[3];
    struct mh_workload *w;
    unsigned most = 0;

    for (int i = 0; i < 2; i++) {
        w = walk_make("HISTO", 1024, 1, i ? 64 : 32);
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
    w = walk_make("HISTO", 512, 1, 32);
    a[2].histo = w->buffers[4].base;
    walk_all(w, 32, count_atomics, &a[2]);
    w->destroy(w);
    for (size_t i = 0; i < sizeof a[2].words / sizeof *a[2].words; i++)
        most = a[2].words[i] > most ? a[2].words[i] : most;
    assert_in_range(most, 256, 2 * 255);
    assert_true(a[2].outside < a[2].looked_at);
}

TEST_GROUP(.slow = true);
