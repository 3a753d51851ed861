/*
 * 3DS8: finite differences of eighth order in space on a 2n x n x n grid (CUDA SDK's 3DFD, P. Micikevicius, as in the
 * MAFIA suite, whose 3DS it is): a block of 32 x 8 threads marches through z with the points in front and behind in
 * registers and the plane, with a halo of eight points on each side, in shared memory. Four neighbours each way are
 * used; planes are written from the fifth on. Halo points are not checked against the grid's sides: they are the
 * neighbouring rows' and planes' in memory. Coefficients are read from global memory, since the store of the result may
 * alias them. Gaps count the source's operations as LLVM IR would.
 *
 * MASK's authors publish it as 3DS (CMU-SAFARI/Mosaic, v3.x/pthread_benchmark). CTAs x threads at the default size:
 * 128 x 256; 32 MiB.
 */
#include "workload/gen.h"

enum { TX = 32, TY = 8, RADIUS = 8, ORDER = 4, FLOAT = 4, COEFFICIENTS = 10 };
enum { INPUT, OUTPUT, COEFFICIENT }; /* buffers */

enum {
    GAP_START = 16, /* ids, point, stride, address */
    GAP_AHEAD = 2,  /* index, address */
    GAP_MOVE = 9,   /* loop test, index, address; the eight points move by renaming in an unrolled loop */
    GAP_ABOVE = 6,  /* compare, branch, shared address, index, address */
    GAP_BELOW = 4,  /* shared address and write, index, address */
    GAP_PLANE = 4,  /* shared writes with addresses */
    GAP_FIRST = 1,  /* address */
    GAP_RING = 16,  /* four shared addresses and reads, five sums, product and sum */
    GAP_STORE = 3,  /* last sum, index, address */
};

static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t width = 2 * g->n, row = width * FLOAT, plane = g->n * row, blocks = width / TX;
    const uint64_t x = c->cta % blocks * TX, y = c->cta / blocks * TY + c->warp * g->lanes / TX;
    const uint64_t at = y * row + x * FLOAT, mask = mh_mask_first(g->lanes);
    const uint64_t side = mask & (mh_mask_first(RADIUS) | mh_mask_first(RADIUS) << TX);
    const uint64_t mid = g->base[INPUT] + at + (c->v[0] - ORDER) * plane;

    switch (c->state) {
    case 0:
        for (; c->v[0] < 2 * ORDER; c->v[0]++)
            MH_LOAD_TILE(1 + (uint32_t)c->v[0], FLOAT, c->v[0] ? GAP_AHEAD : GAP_START, false, mask,
                         g->base[INPUT] + at + c->v[0] * plane, TX, FLOAT, (int64_t)row);
        for (; c->v[0] < g->n - RADIUS; c->v[0]++) {
            MH_LOAD_TILE(10, FLOAT, GAP_MOVE, false, mask, g->base[INPUT] + at + c->v[0] * plane, TX, FLOAT,
                         (int64_t)row);
            MH_BARRIER(11, 1, false);
            MH_LOAD_TILE(12, FLOAT, GAP_ABOVE, false, mask, mid - RADIUS * row, TX, FLOAT, (int64_t)row);
            MH_LOAD_TILE(13, FLOAT, GAP_BELOW, true, mask, mid + TY * row, TX, FLOAT, (int64_t)row);
            MH_LOAD_TILE(14, FLOAT, GAP_ABOVE, true, side, mid - RADIUS * FLOAT, TX, FLOAT, (int64_t)row);
            MH_LOAD_TILE(15, FLOAT, GAP_BELOW, true, side, mid + TX * FLOAT, TX, FLOAT, (int64_t)row);
            MH_BARRIER(16, GAP_PLANE, true);
            for (c->v[1] = 0; c->v[1] <= ORDER; c->v[1]++)
                MH_LOAD(17 + (uint32_t)c->v[1], FLOAT, c->v[1] ? GAP_RING : GAP_FIRST, false, mask,
                        g->base[COEFFICIENT] + c->v[1] * FLOAT, 0);
            MH_STORE_TILE(25, FLOAT, GAP_RING + GAP_STORE, true, mask, g->base[OUTPUT] - g->base[INPUT] + mid, TX,
                          FLOAT, (int64_t)row);
        }
        MH_END(3, false);
    }
}

static void build(struct mh_gen *g)
{
    mh_gen_buffer(g, 2 * g->n * g->n * g->n * FLOAT);
    mh_gen_buffer(g, 2 * g->n * g->n * g->n * FLOAT);
    mh_gen_buffer(g, COEFFICIENTS * FLOAT);
    mh_gen_launch(g,
                  (struct mh_launch){.name = "stencil_3D_order8",
                                     .ctas = (uint32_t)(2 * g->n / TX * (g->n / TY)),
                                     .threads = TX * TY,
                                     .registers = 32, /* ours */
                                     .shared_bytes = (TY + 2 * RADIUS) * (TX + 2 * RADIUS) * FLOAT},
                  body);
}

const struct mh_kernel mh_kernel_stencil_order8 = {
    .name = "3DS8",
    .suite = "CUDA SDK",
    .summary = "eighth-order stencil on 2n x n x n; four planes ahead in registers, halos of eight in shared memory",
    .size_meaning = "points in y and z; x has twice as many",
    .size_default = 128, /* the MAFIA suite's, 256 x 128 x 128 */
    .size_min = 32,
    .size_max = 1024,
    .size_multiple = TX,
    .size_reason = "the source has no bounds tests",
    .build = build,
};
