/*
 * MM: C = A B, the matrixMul of the CUDA SDK: a 32 x 32 block of threads per 32 x 32 tile of C; for each pair of tiles
 * every thread loads one element of A and one of B into shared memory and multiplies there. Gaps count the source's
 * operations as LLVM IR would.
 *
 * CTAs x threads at the default size: 1024 x 1024; 12 MiB.
 */
#include "workload/gen.h"

enum { TILE = 32, FLOAT = 4 };
enum { A, B, C }; /* buffers */

enum {
    GAP_START = 18,          /* ids, tile bounds, loop test, address */
    GAP_SECOND = 4,          /* shared address and write of A's element, address in B */
    GAP_TO_SHARED = 2,       /* shared address and write of B's element */
    GAP_MULTIPLY = 5 * TILE, /* per k: two addresses, two shared reads, multiply-add; unrolled */
    GAP_LOOP = 6,            /* a += aStep, b += bStep, compare, branch, two addresses */
    GAP_STORE = 6,           /* loop test, index of C, address */
};

static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint32_t tiles = (uint32_t)(g->n / TILE), warp_row = c->warp * g->lanes / TILE;
    const uint64_t by = c->cta / tiles, bx = c->cta % tiles, mask = mh_mask_first(g->lanes);
    const uint64_t row = by * TILE + warp_row, col = bx * TILE;
    const int64_t pitch = (int64_t)g->n * FLOAT;
    const uint64_t a = g->base[A] + row * g->n * FLOAT, a_step = TILE * FLOAT;
    const uint64_t b = g->base[B] + (warp_row * g->n + col) * FLOAT, b_step = TILE * g->n * FLOAT;

    switch (c->state) {
    case 0:
        for (; c->v[0] < tiles; c->v[0]++) {
            MH_LOAD_TILE(1, FLOAT, c->v[0] ? GAP_LOOP : GAP_START, false, mask, a + c->v[0] * a_step, TILE, FLOAT,
                         pitch);
            /* The shared write of A's element stands between the loads in the source; compilers sink it below both. */
            MH_LOAD_TILE(2, FLOAT, GAP_SECOND, false, mask, b + c->v[0] * b_step, TILE, FLOAT, pitch);
            MH_BARRIER(3, GAP_TO_SHARED, true);
            MH_BARRIER(4, GAP_MULTIPLY, false);
        }
        MH_STORE_TILE(5, FLOAT, GAP_STORE, false, mask, g->base[C] + (row * g->n + col) * FLOAT, TILE, FLOAT, pitch);
        MH_END(1, false);
    }
}

static void build(struct mh_gen *g)
{
    uint64_t tiles = g->n / TILE;

    for (int i = 0; i < 3; i++)
        mh_gen_buffer(g, g->n * g->n * FLOAT);
    mh_gen_launch(g,
                  (struct mh_launch){.name = "matrixMul",
                                     .ctas = (uint32_t)(tiles * tiles),
                                     .threads = TILE * TILE,
                                     .registers = 24, /* ours */
                                     .shared_bytes = 2 * TILE * TILE * FLOAT},
                  body);
}

const struct mh_kernel mh_kernel_mm = {
    .name = "MM",
    .suite = "CUDA SDK",
    .summary = "C = A B; 32 x 32 tiles in shared memory",
    .size_meaning = "matrix order",
    .size_default = 1024, /* ours; the SDK's own matrices fit in the L2 */
    .size_min = 32,
    .size_max = 32768,
    .size_multiple = TILE,
    .size_reason = "the tile",
    .build = build,
};
