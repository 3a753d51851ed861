/*
 * CONS: CUDA SDK convolutionSeparable: a 17-point filter along the rows of an n x n image, then along the columns. A
 * block computes eight tiles in a row (16 x 4 threads) or in a column (16 x 8), from ten tiles in shared memory, the
 * outer two being halo. Warps cover two or four rows of 16 pixels. Gaps count the source's operations as LLVM IR would;
 * the filter is in constant memory. The loops over tiles are unrolled, as in the source.
 *
 * CTAs x threads at the default size: 18432 x 64, 9216 x 128; 108 MiB.
 */
#include "workload/gen.h"

enum { FLOAT = 4, TX = 16, ROWS_TY = 4, COLUMNS_TY = 8, STEPS = 8, TILES = STEPS + 2, TAPS = 17 };
enum { INPUT, OUTPUT, BUFFER }; /* buffers */

enum {
    GAP_START = 16,        /* ids, tile's base, pointers, address */
    GAP_TILE = 3,          /* shared write with its address, global address */
    GAP_HALO = 5,          /* bounds test and branch besides */
    GAP_FILTER = 4 * TAPS, /* per tap: shared address, read, constant, multiply-add */
};

/* Order of the source: the tiles to compute, then the halo before and behind. */
static uint32_t tile(const struct mh_cursor *c)
{
    return c->v[0] < STEPS ? (uint32_t)c->v[0] + 1 : c->v[0] == STEPS ? 0 : TILES - 1;
}

/* First pixel of the warp in tile `t`; false if that lies outside of the image. */
static bool pixel(const struct mh_gen *g, const struct mh_cursor *c, uint32_t t, uint64_t *at)
{
    const bool columns = c->launch == 1;
    const uint64_t across = g->n / (columns ? TX : STEPS * TX), bx = c->cta % across, by = c->cta / across;
    const uint64_t row = c->warp * g->lanes / TX;
    const uint64_t step = columns ? by * STEPS + t : bx * STEPS + t; /* tiles from one before the image's first */
    uint64_t x, y;

    if (step == 0 || (step - 1) * (columns ? COLUMNS_TY : TX) >= g->n)
        return false;
    x = columns ? bx * TX : (step - 1) * TX;
    y = columns ? (step - 1) * COLUMNS_TY + row : by * ROWS_TY + row;
    *at = (y * g->n + x) * FLOAT;
    return true;
}

static void convolve(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t from = g->base[c->launch ? BUFFER : INPUT], to = g->base[c->launch ? OUTPUT : BUFFER];
    const int64_t pitch = (int64_t)g->n * FLOAT;
    const uint32_t pc = 20 * c->launch + 1;
    uint64_t at = 0, mask = mh_mask_first(g->lanes);

    switch (c->state) {
    case 0:
        for (; c->v[0] < TILES; c->v[0]++) {
            mask = pixel(g, c, tile(c), &at) ? mh_mask_first(g->lanes) : 0;
            MH_LOAD_TILE(pc + (uint32_t)c->v[0], FLOAT,
                         c->v[0] == 0      ? GAP_START
                         : c->v[0] < STEPS ? GAP_TILE
                                           : GAP_TILE + GAP_HALO,
                         false, mask, from + at, TX, FLOAT, pitch);
        }
        MH_BARRIER(pc + 10, GAP_TILE, true);
        for (c->v[0] = 1; c->v[0] <= STEPS; c->v[0]++) {
            (void)pixel(g, c, (uint32_t)c->v[0], &at);
            MH_STORE_TILE(pc + 10 + (uint32_t)c->v[0], FLOAT, GAP_FILTER + 1, false, mask, to + at, TX, FLOAT, pitch);
        }
        MH_END(1, false);
    }
}

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.registers = 24 /* ours */};

    for (int i = 0; i < 3; i++)
        mh_gen_buffer(g, g->n * g->n * FLOAT);
    l.name = "convolutionRowsKernel", l.threads = TX * ROWS_TY;
    l.ctas = (uint32_t)(g->n / (STEPS * TX) * (g->n / ROWS_TY));
    l.shared_bytes = ROWS_TY * TILES * TX * FLOAT;
    mh_gen_launch(g, l, convolve);
    l.name = "convolutionColumnsKernel", l.threads = TX * COLUMNS_TY;
    l.ctas = (uint32_t)(g->n / TX * (g->n / (STEPS * COLUMNS_TY)));
    l.shared_bytes = TX * (TILES * COLUMNS_TY + 1) * FLOAT;
    mh_gen_launch(g, l, convolve);
}

const struct mh_kernel mh_kernel_convolution = {
    .name = "CONS",
    .suite = "CUDA SDK",
    .summary = "separable 17-point filter of an image; 16-wide tiles with halos in shared memory",
    .size_meaning = "image width and height",
    .size_default = 3072, /* the source's */
    .size_min = 128,
    .size_max = 16384,
    .size_multiple = STEPS * TX,
    .size_reason = "a block's row of tiles",
    .build = build,
};
