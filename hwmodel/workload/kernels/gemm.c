/*
 * GEMM of PolyBench/GPU (Grauer-Gray et al. 2012, in the form of PolyBench-ACC): C = alpha A B + beta C by blocks of
 * 32 x 8 threads, an element of C each. No shared memory; like the compiled source, it stores its sum in every
 * iteration. Launch, pcs and instruction counts (gap) are those of the recording. None of the five papers uses it.
 *
 * CTAs x threads at the default size: 4096 x 256; 12 MiB.
 */
#include "workload/kernels/spot.h"

enum { FLOAT = 4 };
enum { A, B, C }; /* buffers */

enum {
    GAP_START = 12, /* ids, bounds, address of C's element */
    GAP_SCALE = 1,  /* times beta */
    GAP_FIRST = 7,  /* to the loop's first load */
    GAP_LOOP = 6,   /* k++, compare, branch, address in A */
    GAP_B = 5,      /* times alpha, address in B */
    GAP_SUM = 1,    /* multiply-add */
    GAP_EXIT = 4,   /* k++, compare, branch, return (ours: not recorded) */
    GAP_OUTSIDE = 10,
};

static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct spot s = spot_of(g, c);
    const uint64_t mask = inside(g, s, 0, g->n, 0, g->n), row = g->n * FLOAT, sum = g->base[C] + s.offset;
    const uint64_t a = g->base[A] + s.row * row, b = g->base[B] + s.col * FLOAT; /* A[i][0], B[0][j] */

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(1, FLOAT, GAP_START, false, mask, sum, TX, FLOAT, (int64_t)row);
        MH_STORE_TILE(2, FLOAT, GAP_SCALE, true, mask, sum, TX, FLOAT, (int64_t)row);
        for (; mask && c->v[0] < g->n; c->v[0]++) {
            MH_LOAD_TILE(3, FLOAT, c->v[0] ? GAP_LOOP : GAP_FIRST, false, mask, a + c->v[0] * FLOAT, TX, 0,
                         (int64_t)row);
            MH_LOAD_TILE(4, FLOAT, GAP_B, true, mask, b + c->v[0] * row, TX, FLOAT, 0);
            MH_STORE_TILE(5, FLOAT, GAP_SUM, true, mask, sum, TX, FLOAT, (int64_t)row);
        }
        MH_END(mask ? GAP_EXIT : GAP_OUTSIDE, false);
    }
}

static void build(struct mh_gen *g)
{
    for (int i = 0; i < 3; i++)
        mh_gen_buffer(g, g->n * g->n * FLOAT);
    mh_gen_launch(g,
                  (struct mh_launch){.name = "gemm",
                                     .ctas = (uint32_t)(mh_ceil_div(g->n, TX) * mh_ceil_div(g->n, TY)),
                                     .threads = TX * TY,
                                     .registers = 24}, /* ours */
                  body);
}

const struct mh_kernel mh_kernel_gemm = {
    .name = "GEMM",
    .suite = "PolyBench/GPU",
    .summary = "C = alpha A B + beta C, an element per thread; not one of the papers' 49",
    .size_meaning = "matrix order",
    .size_default = 1024, /* the recorded one */
    .size_min = 32,
    .size_max = 16384,
    .build = build,
};
