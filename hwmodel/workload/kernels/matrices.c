/* Kernels on one dense matrix: statistics of its columns, factors. */
#include "workload/gen.h"

/*
 * CORR and COVAR of PolyBench/GPU (Grauer-Gray et al. 2012): correlation and covariance matrix of n variables (columns)
 * over n observations (rows). Mean and deviation: a column per thread; reduce: 32 x 8 threads, an element each; the
 * matrix: thread j1 computes row j1 from the diagonal on and mirrors it, so that the lanes of a warp run for different
 * lengths, write a row and an element apart, and stay in step. Accumulators are stored in every iteration: the arrays
 * may alias. Accesses and gaps are those of clang 14's LLVM IR of PolyBench-ACC's OpenCL sources: a deviation is
 * divided, its root taken and compared in registers and stored once, and CORR reads an element again to mirror it.
 */

enum { BLOCK = 256, TX = 32, TY = 8, FLOAT = 4 };
enum { DATA, SYMMAT, MEAN, STD }; /* buffers; COVAR has no STD */

enum {
    GAP_ZERO = 6,      /* id, bounds, address */
    GAP_FIRST = 6,     /* loop test, address of row 0 */
    GAP_LOOP = 7,      /* i++, compare, branch, product, sum, extend, address */
    GAP_DIVIDE = 4,    /* loop test, division */
    GAP_COLUMN = 8,    /* loop test, address of mean[j], branch, address of row 0 */
    GAP_DEVIATION = 2, /* difference, multiply-add */
    GAP_ROOT = 7,      /* loop test, division, square root, compare with eps, select */
    GAP_ELEMENT = 10,  /* two ids, bounds, address of mean[j] */
    GAP_INDEX = 4,     /* product, sum, extend, address */
    GAP_STD = 2,       /* square root, address */
    GAP_SCALE = 2,     /* product, quotient */
    GAP_DIAGONAL = 9,  /* id, bounds, index, address */
    GAP_INNER = 5,     /* branch, address of row 0 */
    GAP_SECOND = 3,    /* sum, extend, address */
    GAP_AGAIN = 4,     /* loop test, address */
    GAP_MIRROR = 4,    /* index, extend, address */
    GAP_MORE_ROWS = 3, /* j2++, compare, branch */
};

static void mean(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t j = mh_thread(g, c, BLOCK), mask = mh_mask_below(j, g->n, g->lanes);
    const uint64_t result = g->base[MEAN] + j * FLOAT;

    switch (c->state) {
    case 0:
        MH_STORE(1, FLOAT, GAP_ZERO, false, mask, result, FLOAT);
        for (; mask && c->v[0] < g->n; c->v[0]++) {
            MH_LOAD(2, FLOAT, c->v[0] ? GAP_LOOP : GAP_FIRST, false, mask, g->base[DATA] + (c->v[0] * g->n + j) * FLOAT,
                    FLOAT);
            MH_STORE(3, FLOAT, 1, true, mask, result, FLOAT);
        }
        MH_STORE(4, FLOAT, GAP_DIVIDE, false, mask, result, FLOAT);
        MH_END(mask ? 1 : 4, false);
    }
}

static void deviation(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t j = mh_thread(g, c, BLOCK), mask = mh_mask_below(j, g->n, g->lanes);
    const uint64_t result = g->base[STD] + j * FLOAT, average = g->base[MEAN] + j * FLOAT;

    switch (c->state) {
    case 0:
        MH_STORE(5, FLOAT, GAP_ZERO, false, mask, result, FLOAT);
        for (; mask && c->v[0] < g->n; c->v[0]++) {
            MH_LOAD(6, FLOAT, c->v[0] ? GAP_LOOP : GAP_COLUMN, false, mask,
                    g->base[DATA] + (c->v[0] * g->n + j) * FLOAT, FLOAT);
            MH_LOAD(7, FLOAT, 0, false, mask, average, FLOAT);
            MH_STORE(8, FLOAT, GAP_DEVIATION, true, mask, result, FLOAT);
        }
        MH_STORE(9, FLOAT, GAP_ROOT, false, mask, result, FLOAT);
        MH_END(mask ? 1 : 4, false);
    }
}

static void reduce(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint32_t grid_x = (uint32_t)mh_ceil_div(g->n, TX), rows = g->lanes / TX;
    const uint64_t i = (uint64_t)(c->cta / grid_x) * TY + c->warp * rows, j = (uint64_t)(c->cta % grid_x) * TX;
    const uint64_t row_mask = mh_mask_below(j, g->n, TX), at = g->base[DATA] + (i * g->n + j) * FLOAT;
    const uint64_t mask = (i < g->n ? row_mask : 0) | (rows == 2 && i + 1 < g->n ? row_mask << TX : 0);
    const int64_t pitch = (int64_t)g->n * FLOAT;
    const bool scales = g->base[STD] != 0;

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(12, FLOAT, GAP_ELEMENT, false, mask, g->base[MEAN] + j * FLOAT, TX, FLOAT, 0);
        MH_LOAD_TILE(13, FLOAT, GAP_INDEX, false, mask, at, TX, FLOAT, pitch);
        MH_STORE_TILE(14, FLOAT, 1, true, mask, at, TX, FLOAT, pitch);
        if (scales) {
            MH_LOAD_TILE(15, FLOAT, GAP_STD, false, mask, g->base[STD] + j * FLOAT, TX, FLOAT, 0);
            MH_STORE_TILE(16, FLOAT, GAP_SCALE, true, mask, at, TX, FLOAT, pitch);
        }
        MH_END(mask ? 1 : 8, false);
    }
}

/* Row j1 from column j2 = j1 + c->v[0] on; CORR starts behind the diagonal, which it sets to 1. */
static void matrix(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const bool corr = g->base[STD] != 0;
    const uint64_t j1 = mh_thread(g, c, BLOCK), skip = corr ? 1 : 0, n = g->n;
    const int64_t diagonal = (int64_t)(n + 1) * FLOAT;
    uint64_t j2 = j1 + skip + c->v[0], mask = mh_mask_below(j2, n, g->lanes), row, mirror;

    row = g->base[SYMMAT] + (j1 * n + j2) * FLOAT;
    mirror = g->base[SYMMAT] + (j2 * n + j1) * FLOAT;
    switch (c->state) {
    case 0:
        if (corr)
            MH_STORE(17, FLOAT, GAP_DIAGONAL, false, mask, g->base[SYMMAT] + (j1 * n + j1) * FLOAT, diagonal);
        for (; j2 < n; c->v[0]++, c->v[1] = 0) {
            j2 = j1 + skip + c->v[0];
            mask = mh_mask_below(j2, n, g->lanes);
            row = g->base[SYMMAT] + (j1 * n + j2) * FLOAT;
            if (corr)
                MH_LOAD(18, FLOAT, c->v[0] ? 7 : 9, false, mask, row, diagonal); /* loop test, index, extend, address */
            else
                MH_STORE(19, FLOAT, c->v[0] ? 6 : 10, false, mask, row, diagonal);
            for (; mask && c->v[1] < n; c->v[1]++) {
                MH_LOAD(20, FLOAT, c->v[1] ? GAP_LOOP : GAP_INNER, false, mask,
                        g->base[DATA] + (c->v[1] * n + j1) * FLOAT, FLOAT);
                MH_LOAD(21, FLOAT, GAP_SECOND, false, mask, g->base[DATA] + (c->v[1] * n + j2) * FLOAT, FLOAT);
                MH_STORE(22, FLOAT, 1, true, mask, row, diagonal);
            }
            if (corr)
                MH_LOAD(24, FLOAT, GAP_AGAIN, false, mask, row, diagonal);
            MH_STORE(23, FLOAT, corr ? GAP_MIRROR : GAP_MORE_ROWS + GAP_MIRROR, corr, mask, mirror, diagonal);
        }
        MH_END(GAP_MORE_ROWS, false);
    }
}

static void corr_build(struct mh_gen *g, bool corr)
{
    struct mh_launch l = {.threads = BLOCK, .registers = 20 /* ours */};

    MH_BUFFERS(g, g->n * g->n * FLOAT, g->n * g->n * FLOAT);
    for (int i = 0; i < (corr ? 2 : 1); i++)
        mh_gen_buffer(g, g->n * FLOAT);
    l.ctas = (uint32_t)mh_ceil_div(g->n, BLOCK);
    l.name = "mean_kernel", mh_gen_launch(g, l, mean);
    l.name = "std_kernel";
    if (corr)
        mh_gen_launch(g, l, deviation);
    l.name = "reduce_kernel";
    l.ctas = (uint32_t)(mh_ceil_div(g->n, TX) * mh_ceil_div(g->n, TY));
    mh_gen_launch(g, l, reduce);
    l.name = corr ? "corr_kernel" : "covar_kernel";
    l.ctas = (uint32_t)mh_ceil_div(g->n, BLOCK);
    mh_gen_launch(g, l, matrix);
}

static void build_corr(struct mh_gen *g)
{
    corr_build(g, true);
}

static void build_covar(struct mh_gen *g)
{
    corr_build(g, false);
}

/* 2048 is the STANDARD size of the suite. */
#define SIZES .size_meaning = "variables and observations", .size_default = 2048, .size_min = 32, .size_max = 32768

const struct mh_kernel mh_kernel_corr = {
    .name = "CORR",
    .suite = "PolyBench/GPU",
    .summary = "correlation matrix; columns, then stores a row and an element apart",
    SIZES,
    .build = build_corr,
};

const struct mh_kernel mh_kernel_covar = {
    .name = "COVAR",
    .suite = "PolyBench/GPU",
    .summary = "covariance matrix; columns, then stores a row and an element apart",
    SIZES,
    .build = build_covar,
};

/*
 * LUD: blocked LU decomposition in place, Rodinia's lud (16 x 16 blocks). Per step of the diagonal three launches: one
 * block factors the diagonal tile, one block per tile right of and below it solves that pair of tiles (half of its 32
 * threads each), one block per remaining tile subtracts their product. Order of accesses and instruction counts (gap)
 * follow the recorded trace; where lanes diverge it holds the shortest path only, and the loops here are counted from
 * it: 9 instructions a row and 15 a product.
 */

enum { TILE = 16, ROW_BYTES = TILE * FLOAT };

enum {
    GAP_ROW = 9,
    GAP_PRODUCT = 15,
    PRODUCTS = TILE * (TILE - 1) / 2,                              /* of a triangular solve */
    GAP_SOLVE = 2 * (2 + TILE * GAP_ROW + PRODUCTS * GAP_PRODUCT), /* the two halves of the warp, one after the other */
};

/* Bytes from the matrix to its element at the step's diagonal, plus (row, column). */
static uint64_t at(const struct mh_gen *g, const struct mh_cursor *c, uint64_t row, uint64_t column)
{
    const uint64_t step = (uint64_t)(c->launch / 3) * TILE;

    return g->base[0] + ((step + row) * g->n + step + column) * FLOAT;
}

static void diagonal(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_first(TILE);

    switch (c->state) {
    case 0:
        for (; c->v[0] < TILE; c->v[0]++) /* into shared memory; loads go ahead of the writes there */
            MH_LOAD(1, FLOAT, c->v[0] ? 12 : 8, false, mask, at(g, c, c->v[0], 0), FLOAT);
        MH_BARRIER(2, 9, true);
        for (c->v[0] = 0; c->v[0] < TILE - 1; c->v[0]++) {
            MH_BARRIER(3, 6 + GAP_ROW + (uint32_t)c->v[0] * GAP_PRODUCT, false);
            MH_BARRIER(4, 2 + GAP_ROW + (uint32_t)(c->v[0] + 1) * GAP_PRODUCT, false);
        }
        for (c->v[0] = 1; c->v[0] < TILE; c->v[0]++)
            MH_STORE(5, FLOAT, c->v[0] > 1 ? 12 : 16, false, mask, at(g, c, c->v[0], 0), FLOAT);
        MH_END(4, false);
    }
}

/* Threads 0..15 solve the tile to the right, a column each; 16..31 the one below, a row each. */
static void perimeter(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t right = mh_mask_first(TILE), below = right << TILE, tile = (c->cta + 1) * (uint64_t)TILE;

    switch (c->state) {
    case 0:
        for (; c->v[0] < TILE / 2; c->v[0]++) /* lower half of the diagonal tile */
            MH_LOAD(10 + (uint32_t)c->v[0], FLOAT, c->v[0] ? 8 : 13, false, below,
                    at(g, c, TILE / 2 + c->v[0], 0) - ROW_BYTES, FLOAT);
        for (c->v[0] = 0; c->v[0] < TILE; c->v[0]++)
            MH_LOAD(18, FLOAT, c->v[0] ? 12 : 13, false, below, at(g, c, tile + c->v[0], 0) - ROW_BYTES, FLOAT);
        for (c->v[0] = 0; c->v[0] < TILE / 2; c->v[0]++) /* upper half */
            MH_LOAD(20 + (uint32_t)c->v[0], FLOAT,
                    c->v[0] == 0   ? 11
                    : c->v[0] == 1 ? 7
                                   : 8,
                    false, right, at(g, c, c->v[0], 0), FLOAT);
        for (c->v[0] = 0; c->v[0] < TILE; c->v[0]++)
            MH_LOAD(28, FLOAT, c->v[0] ? 12 : 10, false, right, at(g, c, c->v[0], tile), FLOAT);
        MH_BARRIER(30, 9, true);
        MH_BARRIER(31, GAP_SOLVE, false);
        for (c->v[0] = 0; c->v[0] < TILE; c->v[0]++)
            MH_STORE(32, FLOAT, c->v[0] ? 12 : 17, false, below, at(g, c, tile + c->v[0], 0) - ROW_BYTES, FLOAT);
        for (c->v[0] = 1; c->v[0] < TILE; c->v[0]++)
            MH_STORE(33, FLOAT, c->v[0] > 1 ? 12 : 17, false, right, at(g, c, c->v[0], tile), FLOAT);
        MH_END(4, false);
    }
}

static void internal(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tiles = g->n / TILE - c->launch / 3 - 1, ty = c->warp * g->lanes / TILE;
    const uint64_t row = (c->cta / tiles + 1) * TILE + ty, column = (c->cta % tiles + 1) * TILE;
    const uint64_t mask = mh_mask_first(g->lanes);
    const int64_t pitch = (int64_t)g->n * FLOAT;

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(40, FLOAT, 18, false, mask, at(g, c, ty, column), TILE, FLOAT, pitch);
        MH_LOAD_TILE(41, FLOAT, 12, false, mask, at(g, c, row, 0), TILE, FLOAT, pitch);
        MH_BARRIER(42, 2, true);
        MH_LOAD_TILE(43, FLOAT, 213, false, mask, at(g, c, row, column), TILE, FLOAT, pitch);
        MH_STORE_TILE(44, FLOAT, 1, true, mask, at(g, c, row, column), TILE, FLOAT, pitch);
        MH_END(1, false);
    }
}

static void add_step(struct mh_gen *g, uint32_t tiles)
{
    enum { TILE_BYTES = TILE * ROW_BYTES };
    struct mh_launch l = {.registers = 20 /* ours */};

    l.name = "lud_diagonal", l.ctas = 1, l.threads = TILE, l.shared_bytes = TILE_BYTES, mh_gen_launch(g, l, diagonal);
    if (tiles == 0)
        return;
    l.name = "lud_perimeter", l.ctas = tiles, l.threads = 2 * TILE, l.shared_bytes = 3 * TILE_BYTES,
    mh_gen_launch(g, l, perimeter);
    l.name = "lud_internal", l.ctas = tiles * tiles, l.threads = TILE * TILE, l.shared_bytes = 2 * TILE_BYTES,
    mh_gen_launch(g, l, internal);
}

static void lud_build(struct mh_gen *g)
{
    mh_gen_buffer(g, g->n * g->n * FLOAT);
    for (uint32_t tiles = (uint32_t)(g->n / TILE); tiles > 0; tiles--)
        add_step(g, tiles - 1);
}

const struct mh_kernel mh_kernel_lud = {
    .name = "LUD",
    .suite = "Rodinia",
    .summary = "LU decomposition; 16 x 16 tiles in shared memory, three launches a step",
    MH_SIZE("matrix order", 2048, 32, 32768), /* as recorded */
    MH_MULTIPLE(TILE, "the tile"),
    .build = lud_build,
};
