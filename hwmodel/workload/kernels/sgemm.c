/*
 * SGEMM: C = A B', Parboil's sgemm (cuda version, after V. Volkov): matrices by columns; a block of 16 x 8 threads
 * makes 128 x 16 elements of C, a thread a row of them in registers. Of B it loads 8 x 16 elements at a time into
 * shared memory; each thread loads its element of each of A's columns. Gaps count the source's operations as LLVM IR
 * would.
 *
 * The authors of MASK and of walk stealing publish it as MM (v3.x/pthread_benchmark of CMU-SAFARI/Mosaic and, with the
 * same matrices, of csl-iisc/DWS-HPCA2021, commit 46d6c60). These are Parboil's medium input, 1024 x 992 by 992 x 1056:
 * the product beside them in the first, matrix3.txt, is 1024 x 1056. `@medium` has that shape, n x 31/32 n by 31/32 n x
 * 33/32 n; CTAs x threads at the default size: 512 x 128 and 12 MiB, `@medium` 528 x 128.
 */
#include "workload/gen.h"

enum { TILE_N = 16, HEIGHT = 8, TILE_M = TILE_N * HEIGHT, FLOAT = 4 };
enum { A, B, C };        /* buffers */
enum { SQUARE, MEDIUM }; /* variants */

enum {
    GAP_START = 28,     /* ids, row, column, 16 zeros, loop test, address in B */
    GAP_LOOP = 6,       /* i += 8, compare, branch, row of B, address */
    GAP_TO_SHARED = 2,  /* shared address and write */
    GAP_COLUMN = 3,     /* index in A, extension, address; unrolled */
    GAP_MULTIPLY = 32,  /* per column: 16 shared reads and multiply-adds, unrolled */
    GAP_RESULT = 4,     /* index in C, extension, address, product with alpha */
    GAP_MULTIPLY_C = 2, /* by beta, sum */
};

/* Columns of C, and of A: whole tiles. */
static uint64_t columns(const struct mh_gen *g)
{
    return g->variant == MEDIUM ? (g->n + g->n / 32 + TILE_N - 1) / TILE_N * TILE_N : g->n;
}

static uint64_t inner(const struct mh_gen *g)
{
    return g->variant == MEDIUM ? (g->n - g->n / 32) / HEIGHT * HEIGHT : g->n;
}

static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t blocks = g->n / TILE_M, bx = c->cta % blocks, by = c->cta / blocks, tid = c->warp * g->lanes;
    const uint64_t mask = mh_mask_first(g->lanes), pitch = g->n * FLOAT, row = (bx * TILE_M + tid) * FLOAT;
    const uint64_t pitch_b = columns(g) * FLOAT, depth = inner(g);
    const uint64_t b = g->base[B] + by * TILE_N * FLOAT + tid / TILE_N * pitch_b;
    const uint64_t result = g->base[C] + by * TILE_N * pitch + row;

    switch (c->state) {
    case 0:
        for (; c->v[0] < depth; c->v[0] += HEIGHT) {
            MH_LOAD_TILE(1, FLOAT, c->v[0] ? GAP_LOOP : GAP_START, false, mask, b + c->v[0] * pitch_b, TILE_N, FLOAT,
                         (int64_t)pitch_b);
            MH_BARRIER(2, GAP_TO_SHARED, true);
            for (c->v[1] = 0; c->v[1] < HEIGHT; c->v[1]++)
                MH_LOAD(3 + (uint32_t)c->v[1], FLOAT, GAP_COLUMN + (c->v[1] ? GAP_MULTIPLY : 0), c->v[1] > 0, mask,
                        g->base[A] + row + (c->v[0] + c->v[1]) * pitch, FLOAT);
            MH_BARRIER(11, GAP_MULTIPLY, true);
        }
        for (c->v[0] = 0; c->v[0] < TILE_N; c->v[0]++) {
            MH_LOAD(12 + (uint32_t)c->v[0], FLOAT, GAP_RESULT, false, mask, result + c->v[0] * pitch, FLOAT);
            MH_STORE(30 + (uint32_t)c->v[0], FLOAT, GAP_MULTIPLY_C, true, mask, result + c->v[0] * pitch, FLOAT);
        }
        MH_END(1, false);
    }
}

static void build(struct mh_gen *g)
{
    mh_gen_buffer(g, g->n * inner(g) * FLOAT);
    mh_gen_buffer(g, inner(g) * columns(g) * FLOAT);
    mh_gen_buffer(g, g->n * columns(g) * FLOAT);
    mh_gen_launch(g,
                  (struct mh_launch){.name = "mysgemmNT",
                                     .ctas = (uint32_t)(g->n / TILE_M * (columns(g) / TILE_N)),
                                     .threads = TILE_M,
                                     .registers = 32, /* ours */
                                     .shared_bytes = HEIGHT * TILE_N * FLOAT},
                  body);
}

const struct mh_kernel mh_kernel_sgemm = {
    .name = "SGEMM",
    .suite = "Parboil",
    .summary = "C = A B' by columns; a row of 16 results a thread, tiles of B in shared memory",
    .variants = (const char *const[]){[SQUARE] = "square", [MEDIUM] = "medium", NULL},
    .size_meaning = "rows of C",
    .size_default = 1024, /* of Parboil's medium input; square it is the nearest to that */
    .size_min = 128,
    .size_max = 32768,
    .size_multiple = TILE_M,
    .size_reason = "the tile",
    .build = build,
};
