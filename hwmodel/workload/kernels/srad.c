/*
 * SRAD: speckle-reducing anisotropic diffusion, Rodinia's srad_v1: extract, then per iteration prepare, a tree of
 * reduce launches over sums of pixels and their squares, srad (gradients and coefficient of each pixel, whose four
 * neighbours are found through index vectors) and srad2 (update), at last compress. One iteration of the source's 100.
 * The n x n image lies column by column, 256 pixels a block. Order and instruction counts (gap) follow the recorded
 * trace; it has the shortest path where lanes diverge, so the reduction's additions are counted from the source.
 */
#include "workload/gen.h"

enum { BLOCK = 256, FLOAT = 4 };
enum { IMAGE, NORTH, SOUTH, EAST, WEST, D_N, D_S, D_E, D_W, COEFFICIENT, SUM, SUM2 }; /* buffers: index vectors, ... */
#define SPAN ((uint64_t)2 << c->v[0])                                                 /* of the reduction's level */

enum { REDUCE = 2, GAP_ADD = 12 }; /* first reduce launch; two shared read-add-writes with addresses */

/* First pixel of the warp, its byte offset, and its row and column. */
struct place {
    uint64_t first, offset, row, column;
};

static struct place place_of(const struct mh_gen *g, const struct mh_cursor *c)
{
    const uint64_t first = mh_thread(g, c, BLOCK);

    return (struct place){first, first * FLOAT, first % g->n, first / g->n};
}

/* I = exp(I / 255), or the logarithm at the end. */
static void each_pixel(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_first(g->lanes), at = g->base[IMAGE] + place_of(g, c).offset;

    switch (c->state) {
    case 0:
        MH_LOAD(c->launch ? 3 : 1, FLOAT, 10, false, mask, at, FLOAT);
        MH_STORE(c->launch ? 4 : 2, FLOAT, 2, true, mask, at, FLOAT);
        MH_END(1, false);
    }
}

static void prepare(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_first(g->lanes), at = place_of(g, c).offset;

    switch (c->state) {
    case 0:
        MH_LOAD(5, FLOAT, 10, false, mask, g->base[IMAGE] + at, FLOAT);
        MH_STORE(6, FLOAT, 1, true, mask, g->base[SUM] + at, FLOAT);
        MH_LOAD(7, FLOAT, 0, false, mask, g->base[IMAGE] + at, FLOAT);
        MH_STORE(8, FLOAT, 2, true, mask, g->base[SUM2] + at, FLOAT);
        MH_END(1, false);
    }
}

/* Largest power of two of at most 256 that is not above v. */
static uint64_t power_below(uint64_t v)
{
    uint64_t df = 1;

    while (df < BLOCK && df * 2 <= v)
        df *= 2;
    return df;
}

/* One level: 256 sums, `multiple` elements apart, become one. The last block may have fewer, and adds what is beyond a
 * power of two one by one, from elements that lie side by side whatever the level (the source's indexing). */
static void reduce(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes, block = (uint64_t)c->cta * BLOCK;
    uint64_t multiple = 1, count = g->n * g->n, last, levels, mask, winner, at;

    for (uint32_t l = REDUCE; l < c->launch; l++, multiple *= BLOCK)
        count = mh_ceil_div(count, BLOCK);
    last = count - block < BLOCK ? count - block : BLOCK;
    levels = power_below(last);
    mask = mh_mask_below(tid, last, g->lanes);
    at = (block + tid) * multiple * FLOAT;
    winner = levels > tid && levels <= tid + g->lanes ? (uint64_t)1 << (levels - 1 - tid) : 0;
    switch (c->state) {
    case 0:
        MH_LOAD(10, FLOAT, 16, false, mask, g->base[SUM] + at, (int64_t)multiple * FLOAT);
        MH_LOAD(11, FLOAT, 4, false, mask, g->base[SUM2] + at, (int64_t)multiple * FLOAT);
        MH_BARRIER(12, 3, true);
        for (; SPAN < 2 * levels; c->v[0]++) /* threads whose number + 1 is a multiple of SPAN add */
            MH_BARRIER(13, (c->v[0] ? 7 : 11) + (tid < levels && (tid + g->lanes) / SPAN > tid / SPAN ? GAP_ADD : 0),
                       false);
        for (c->v[0] = levels; winner && c->v[0] < last; c->v[0]++) {
            MH_LOAD(14, FLOAT, 6, false, winner, g->base[SUM] + (block + c->v[0]) * FLOAT, 0);
            MH_LOAD(15, FLOAT, 3, false, winner, g->base[SUM2] + (block + c->v[0]) * FLOAT, 0);
        }
        MH_STORE(16, FLOAT, 11, levels < last, winner, g->base[SUM] + block * multiple * FLOAT, 0);
        MH_STORE(17, FLOAT, 3, false, winner, g->base[SUM2] + block * multiple * FLOAT, 0);
        MH_END(3, false);
    }
}

/* Load of the pixels above (up) or below those at `at`; the first (last) row is its own neighbour. */
static void neighbour(const struct mh_gen *g, struct mh_op *op, uint64_t *addr, uint64_t at, uint64_t row, bool up)
{
    const uint32_t edge = up ? 0 : g->lanes - 1;

    op->mask = mh_mask_first(g->lanes);
    op->stride = FLOAT;
    op->base = up ? at - FLOAT : at + FLOAT;
    if (up ? row != 0 : row + g->lanes != g->n)
        return;
    op->list = true;
    for (uint32_t l = 0; l < g->lanes; l++)
        addr[l] = l == edge ? at + l * FLOAT : op->base + l * FLOAT;
}

#define MH_NEIGHBOUR(pc, gap, at, up)                                                                                  \
    do {                                                                                                               \
        mh_op_affine(op, MH_OP_LOAD, pc, FLOAT, gap, true, 0, 0, 0);                                                   \
        neighbour(g, op, addr, at, p.row, up);                                                                         \
        MH_YIELD;                                                                                                      \
    } while (0)

static void srad(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct place p = place_of(g, c);
    const uint64_t mask = mh_mask_first(g->lanes), row = p.row * FLOAT, column = p.column * FLOAT;
    const uint64_t image = g->base[IMAGE] + p.offset, pitch = g->n * FLOAT;

    switch (c->state) {
    case 0:
        MH_LOAD(20, FLOAT, 20, false, mask, image, FLOAT);
        MH_LOAD(21, FLOAT, 2, false, mask, g->base[NORTH] + row, FLOAT);
        MH_NEIGHBOUR(22, 4, image, true);
        MH_LOAD(23, FLOAT, 2, false, mask, g->base[SOUTH] + row, FLOAT);
        MH_NEIGHBOUR(24, 3, image, false);
        MH_LOAD(25, FLOAT, 3, false, mask, g->base[WEST] + column, 0);
        MH_LOAD(26, FLOAT, 4, true, mask, p.column ? image - pitch : image, FLOAT);
        MH_LOAD(27, FLOAT, 2, false, mask, g->base[EAST] + column, 0);
        MH_LOAD(28, FLOAT, 4, true, mask, p.column + 1 < g->n ? image + pitch : image, FLOAT);
        MH_STORE(29, FLOAT, 36, true, mask, g->base[D_N] + p.offset, FLOAT);
        MH_STORE(30, FLOAT, 1, false, mask, g->base[D_S] + p.offset, FLOAT);
        MH_STORE(31, FLOAT, 1, false, mask, g->base[D_W] + p.offset, FLOAT);
        MH_STORE(32, FLOAT, 1, false, mask, g->base[D_E] + p.offset, FLOAT);
        MH_STORE(33, FLOAT, 1, false, mask, g->base[COEFFICIENT] + p.offset, FLOAT);
        MH_END(1, false);
    }
}

static void srad2(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct place p = place_of(g, c);
    const uint64_t mask = mh_mask_first(g->lanes), at = p.offset, pitch = g->n * FLOAT;
    const uint64_t coefficient = g->base[COEFFICIENT] + at;

    switch (c->state) {
    case 0:
        MH_LOAD(40, FLOAT, 20, false, mask, coefficient, FLOAT);
        MH_LOAD(41, FLOAT, 2, false, mask, g->base[SOUTH] + p.row * FLOAT, FLOAT);
        MH_NEIGHBOUR(42, 4, coefficient, false);
        MH_LOAD(43, FLOAT, 2, false, mask, g->base[EAST] + p.column * FLOAT, 0);
        MH_LOAD(44, FLOAT, 4, true, mask, p.column + 1 < g->n ? coefficient + pitch : coefficient, FLOAT);
        MH_LOAD(45, FLOAT, 1, false, mask, g->base[D_N] + at, FLOAT);
        MH_LOAD(46, FLOAT, 1, false, mask, g->base[D_S] + at, FLOAT);
        MH_LOAD(47, FLOAT, 3, false, mask, g->base[D_W] + at, FLOAT);
        MH_LOAD(48, FLOAT, 2, false, mask, g->base[D_E] + at, FLOAT);
        MH_LOAD(49, FLOAT, 2, false, mask, g->base[IMAGE] + at, FLOAT);
        MH_STORE(50, FLOAT, 6, true, mask, g->base[IMAGE] + at, FLOAT);
        MH_END(1, false);
    }
}

static void add_launches(struct mh_gen *g)
{
    struct mh_launch l = {.ctas = (uint32_t)(g->n * g->n / BLOCK), .threads = BLOCK, .registers = 24 /* ours */};
    const uint32_t all = l.ctas;

    l.name = "extract_kernel", mh_gen_launch(g, l, each_pixel);
    l.name = "prepare_kernel", mh_gen_launch(g, l, prepare);
    l.name = "reduce_kernel", l.shared_bytes = 2 * BLOCK * FLOAT, mh_gen_launch(g, l, reduce);
    while (l.ctas > 1) {
        l.ctas = (uint32_t)mh_ceil_div(l.ctas, BLOCK);
        mh_gen_launch(g, l, reduce);
    }
    l.ctas = all, l.shared_bytes = 0;
    l.name = "srad_kernel", mh_gen_launch(g, l, srad);
    l.name = "srad2_kernel", mh_gen_launch(g, l, srad2);
    l.name = "compress_kernel", mh_gen_launch(g, l, each_pixel);
}

static void build(struct mh_gen *g)
{
    for (int i = IMAGE; i <= SUM2; i++)
        mh_gen_buffer(g, i >= NORTH && i <= WEST ? g->n * FLOAT : g->n * g->n * FLOAT);
    add_launches(g);
}

const struct mh_kernel mh_kernel_srad = {
    .name = "SRAD",
    .suite = "Rodinia",
    .summary = "image diffusion; streams of a dozen arrays, neighbours through index vectors",
    MH_SIZE("image width and height", 1024, 64, 16384), /* as recorded */
    MH_MULTIPLE(64, "a warp stays in its column"),
    .build = build,
};
