/*
 * LUD: blocked LU decomposition in place, Rodinia's lud (16 x 16 blocks). Per step of the diagonal three launches: one
 * block factors the diagonal tile, one block per tile right of and below it solves that pair of tiles (half of its 32
 * threads each), one block per remaining tile subtracts their product. Order of accesses and instruction counts (gap)
 * follow the recorded trace; where lanes diverge it holds the shortest path only, and the loops here are counted from
 * it: 9 instructions a row and 15 a product.
 *
 * CTAs x threads at the default size: 382 launches; per step 1 x 16, (t - 1) x 32, (t - 1)^2 x 256 with t = 128, 127,
 * .. tiles; 16 MiB.
 */
#include "workload/gen.h"

enum { TILE = 16, FLOAT = 4, ROW_BYTES = TILE * FLOAT };

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

    l.name = "lud_diagonal", l.ctas = 1, l.threads = TILE, l.shared_bytes = TILE_BYTES;
    mh_gen_launch(g, l, diagonal);
    if (tiles == 0)
        return;
    l.name = "lud_perimeter", l.ctas = tiles, l.threads = 2 * TILE, l.shared_bytes = 3 * TILE_BYTES;
    mh_gen_launch(g, l, perimeter);
    l.name = "lud_internal", l.ctas = tiles * tiles, l.threads = TILE * TILE, l.shared_bytes = 2 * TILE_BYTES;
    mh_gen_launch(g, l, internal);
}

static void build(struct mh_gen *g)
{
    mh_gen_buffer(g, g->n * g->n * FLOAT);
    for (uint32_t tiles = (uint32_t)(g->n / TILE); tiles > 0; tiles--)
        add_step(g, tiles - 1);
}

const struct mh_kernel mh_kernel_lud = {
    .name = "LUD",
    .suite = "Rodinia",
    .summary = "LU decomposition; 16 x 16 tiles in shared memory, three launches a step",
    .size_meaning = "matrix order",
    .size_default = 2048, /* as recorded */
    .size_min = 32,
    .size_max = 32768,
    .size_multiple = TILE,
    .size_reason = "the tile",
    .build = build,
};
