/*
 * GESUMMV of PolyBench/GPU (Grauer-Gray et al. 2012): y = alpha A x + beta B x, a row of both matrices per thread, so
 * that the lanes of a warp lie a row apart. The arrays may alias: compiled code loads and stores both accumulators and
 * loads x[j] twice in every iteration. Gaps are those of clang 14's LLVM IR of PolyBench-ACC's OpenCL source.
 *
 * CTAs x threads at the default size: 16 x 256; 128 MiB.
 */
#include "workload/gen.h"

enum { BLOCK = 256, FLOAT = 4 };
enum { A, B, X, Y, TMP }; /* buffers */

enum {
    GAP_START = 14, /* id, bounds, loop test, row, addresses of tmp[i] and y[i], index, extend, address */
    GAP_LOOP = 6,   /* j++, compare, branch, index, extend, address */
    GAP_X = 2,      /* extend, address of x[j] */
    GAP_FMA = 1,
    GAP_B = 1,   /* address of b[i * n + j] */
    GAP_SUM = 4, /* loop test, address */
    GAP_Y = 3,   /* address, alpha * tmp[i] + beta * y[i] */
};

static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t i = (uint64_t)c->cta * BLOCK + c->warp * g->lanes, at = (i * g->n + c->v[0]) * FLOAT;
    const uint64_t mask = mh_mask_below(i, g->n, g->lanes), x = g->base[X] + c->v[0] * FLOAT;
    const uint64_t y = g->base[Y] + i * FLOAT, tmp = g->base[TMP] + i * FLOAT;
    const int64_t row = (int64_t)g->n * FLOAT;

    switch (c->state) {
    case 0:
        for (; mask && c->v[0] < g->n; c->v[0]++) {
            MH_LOAD(1, FLOAT, c->v[0] ? GAP_LOOP : GAP_START, false, mask, g->base[A] + (i * g->n + c->v[0]) * FLOAT,
                    row);
            MH_LOAD(2, FLOAT, GAP_X, false, mask, g->base[X] + c->v[0] * FLOAT, 0);
            MH_LOAD(3, FLOAT, 0, false, mask, tmp, FLOAT);
            MH_STORE(4, FLOAT, GAP_FMA, true, mask, tmp, FLOAT);
            MH_LOAD(5, FLOAT, GAP_B, false, mask, g->base[B] + at, row);
            MH_LOAD(6, FLOAT, 0, false, mask, x, 0);
            MH_LOAD(7, FLOAT, 0, false, mask, y, FLOAT);
            MH_STORE(8, FLOAT, GAP_FMA, true, mask, y, FLOAT);
        }
        MH_LOAD(9, FLOAT, GAP_SUM, false, mask, tmp, FLOAT);
        MH_STORE(10, FLOAT, GAP_Y, true, mask, y, FLOAT);
        MH_END(mask ? 1 : 4, false);
    }
}

static void build(struct mh_gen *g)
{
    mh_gen_buffer(g, g->n * g->n * FLOAT);
    mh_gen_buffer(g, g->n * g->n * FLOAT);
    for (int i = 0; i < 3; i++)
        mh_gen_buffer(g, g->n * FLOAT);
    mh_gen_launch(g,
                  (struct mh_launch){.name = "gesummv_kernel",
                                     .ctas = (uint32_t)mh_ceil_div(g->n, BLOCK),
                                     .threads = BLOCK,
                                     .registers = 24}, /* ours */
                  body);
}

const struct mh_kernel mh_kernel_gesummv = {
    .name = "GESUMMV",
    .suite = "PolyBench/GPU",
    .summary = "y = alpha A x + beta B x; every lane its own row and page of two matrices",
    .size_meaning = "matrix order",
    .size_default = 4096, /* the suite's STANDARD size */
    .size_min = 32,
    .size_max = 32768,
    .build = build,
};
