/*
 * LINEAR: the four products of a decoder layer, fp16, Y = X W' with W [outputs][inputs], as CUTLASS computes them on
 * tensor cores (SM80, multistage mainloop). A batch of more than 64 tokens takes the default tile, 128 x 256 x 64 by 8
 * warps of 64 x 64, 3 stages, blocks swizzled over 8 tiles of outputs. Up to 64 tokens take 64 x 128 x 64 by 4 warps of
 * 32 x 64, a shape of CUTLASS's generator; then the depth is split until the CTAs fill an A100 with two an SM (ours),
 * and a second kernel adds the slices (GemmSplitKParallel, ReduceSplitK). Query, key and value are one product, as are
 * gate and up (vLLM).
 *
 * A warp's load is 16 bytes a lane, 8 lanes a row of 64 halves: a line. The loads of the tile after the next are spread
 * over three of the four steps of a tile's computation, a third of X's and W's each and what is left. They go to shared
 * memory (cp.async): only the barrier needs them. There a warp waits for all loads but its newest 7, the most that an
 * op may leave; the source waits for all but its newest 12.
 *
 * Gaps: LM_MMA a product of a tensor core; ldmatrix and address arithmetic are 1 each. In which order warps store the
 * rows of a tile is ours.
 *
 * With a route (MOE) a CTA first reads which rows it has and whose weights; X's rows are gathered and Y's scattered,
 * and CTAs are in groups of 8 tiles of rows, as in vLLM's fused_moe_kernel.
 */
#include "workload/kernels/language_model.h"

enum { DEPTH = 64, STAGES = 3, FLOAT = 4, VECTOR = 16, ROW_LANES = DEPTH * LM_HALF / VECTOR };
enum { STORED = 16 /* rows of Y that pass shared memory at a time */, PARTITIONS = 4 /* slices read at a time */ };
enum { SMALL_TOKENS = 64, SMS = 108, SWIZZLE = 3 /* log2 */ };
enum { LOADS_X = 4, LOADS_W = 8, GROUP = 3 /* loads of a step: one of X, two of W */, LOADS = LOADS_X + LOADS_W };
enum { ROUTE_LOADS = LOADS_X + 2, ROUTE_GROUP = 8 };
enum { REDUCE_ROWS = 4, REDUCE_COLUMNS = 256, REDUCE_THREADS = 128 };
enum { PC_X = LM_PC_LINEAR, PC_W, PC_Y, PC_BARRIER, PC_SLICE, PC_SLICE_HALF, PC_SUM, PC_ROUTE };

enum {
    GAP_START = 60,  /* ids, tile, swizzle, addresses and predicates of 12 loads */
    GAP_LOAD = 3,    /* predicate, address, address in shared memory */
    GAP_STAGE = 4,   /* next tile, stage, commit, wait */
    GAP_SHARED = 10, /* 8 writes of results to shared memory, addresses */
    GAP_STORE = 7,   /* read, conversions, address, predicate */
    GAP_SLICE = 9,   /* 8 sums, loop test */
    GAP_CONVERT = 10,
    GAP_ROUTE = 12, /* ids, group, tile, address; to the others 3 */
};

/* Threadblock tile and its warps. */
struct tile {
    uint32_t rows, columns, warp_rows, threads;
    uint32_t step; /* instructions for 16 of the depth: products, ldmatrix, others */
};

static const struct tile large = {128, 256, 64, 256, 32 * LM_MMA + 8 + 6},
                         small = {64, 128, 32, 128, 16 * LM_MMA + 6 + 6};

static const struct tile *tile_of(uint32_t tokens)
{
    return tokens > SMALL_TOKENS ? &large : &small;
}

/* A CTA's tile of Y, and the tiles of depth that it sums over. */
struct part {
    const struct lm_step *step;
    const struct tile *tile;
    uint64_t row, column; /* first of Y */
    uint64_t rows;        /* below which its rows are */
    uint64_t weight;
    bool idle; /* route: behind the last tile */
    uint32_t slice, first, tiles;
};

/* The CTA of a routed product: the tiles of rows of a group are next to each other. */
static void take_route(struct part *p, uint32_t cta)
{
    const struct lm_step *s = p->step;
    const struct lm_route *r = s->route;
    const uint32_t columns = s->columns / p->tile->columns, group = cta / (ROUTE_GROUP * columns) * ROUTE_GROUP;
    const uint32_t size = r->most - group < ROUTE_GROUP ? r->most - group : ROUTE_GROUP;
    const uint32_t in_group = cta % (ROUTE_GROUP * columns), tile = group + in_group % size;

    p->row = (uint64_t)tile * p->tile->rows;
    p->column = (uint64_t)(in_group / size) * p->tile->columns;
    p->idle = tile >= r->tiles;
    p->rows = p->row + (p->idle ? 0 : r->filled[tile]);
    p->weight += p->idle ? 0 : r->expert[tile] * (uint64_t)s->columns * s->depth * LM_HALF;
}

static struct part part_of(const struct mh_gen *g, const struct mh_cursor *c)
{
    const struct lm_step *s = lm_step(g, c);
    const struct tile *t = tile_of(s->route ? s->route->rows : s->rows);
    const uint32_t columns = s->columns / t->columns, tiles = s->depth / DEPTH, cta = c->cta;
    const uint32_t per = (uint32_t)mh_ceil_div(tiles, s->slices), x = (uint32_t)mh_ceil_div(s->rows, t->rows)
                                                                      << SWIZZLE;
    struct part p = {.step = s, .tile = t, .rows = s->rows, .weight = s->weight, .tiles = tiles};

    if (s->route) {
        take_route(&p, cta);
        return p;
    }
    if (t == &large) {
        p.row = (uint64_t)(cta % x >> SWIZZLE) * t->rows;
        p.column = (uint64_t)(cta / x << SWIZZLE | (cta & ((1 << SWIZZLE) - 1))) * t->columns;
        return p;
    }
    p.column = (uint64_t)(cta % columns) * t->columns;
    p.slice = cta / columns;
    p.first = p.slice * per;
    p.tiles = p.first + per < tiles ? per : tiles - p.first;
    return p;
}

/* Lanes of an access whose rows are below `rows`: `width` lanes a row, the first of them `row`. */
static uint64_t rows_below(const struct mh_gen *g, uint64_t row, uint64_t rows, uint64_t width)
{
    return mh_mask_below(row * width, rows * width, g->lanes);
}

/* First row of the warp's load number i of `loads` of a tile: a warp's rows lie together. */
static uint64_t load_row(const struct mh_gen *g, const struct mh_cursor *c, uint64_t loads, uint64_t i)
{
    return (c->warp * loads + i) * (g->lanes / ROW_LANES);
}

static uint64_t mask_of_x(const struct mh_gen *g, const struct mh_cursor *c, const struct part *p, uint64_t step)
{
    return rows_below(g, p->row + load_row(g, c, LOADS_X, step), p->rows, ROW_LANES);
}

/* Instructions before load i of tile k, `first` of its step: the steps of tile k - 2 that come before. */
static uint32_t load_gap(const struct tile *t, uint64_t k, uint64_t i, bool first)
{
    if (!first || i >= LOADS - GROUP)
        return GAP_LOAD;
    if (k < STAGES - 1)
        return !k && i < GROUP ? GAP_START : GAP_LOAD;
    return GAP_LOAD + t->step * (i < GROUP && k >= STAGES ? 2 : 1);
}

/* A routed op's rows, `width` lanes each, from row `first` on: `top` slots share one. */
static void list_rows(struct mh_op *op, uint64_t *addr, const struct part *p, uint64_t first, uint64_t base,
                      uint64_t pitch, uint32_t top, uint64_t width)
{
    MH_LIST_LANES(op, addr, lane,
                  base + p->step->route->slot[first + lane / width] / top * pitch + lane % width * VECTOR);
}

/* Load c->v[1] of tile c->v[0]; false: no lane of the warp has a row of X there. */
static bool load(const struct mh_gen *g, const struct mh_cursor *c, struct mh_op *op, uint64_t *addr,
                 const struct part *p)
{
    const uint64_t k = c->v[0], i = c->v[1], step = i / GROUP, w = 2 * step + i % GROUP - 1;
    const uint64_t pitch = p->step->depth * (uint64_t)LM_HALF, at = (p->first + k) * DEPTH * LM_HALF;
    const uint64_t x_mask = mask_of_x(g, c, p, step);

    if (i % GROUP) {
        const uint64_t row = p->column + load_row(g, c, LOADS_W, w);
        const bool first = !x_mask && i % GROUP == 1;

        mh_op_affine(op, MH_OP_LOAD, PC_W, VECTOR, load_gap(p->tile, k, i, first), false, mh_mask_first(g->lanes),
                     p->weight + row * pitch + at, 0);
    } else {
        const uint64_t row = p->row + load_row(g, c, LOADS_X, step);

        mh_op_affine(op, MH_OP_LOAD, PC_X, VECTOR, load_gap(p->tile, k, i, true), false, x_mask,
                     p->step->in + row * pitch + at, 0);
    }
    if (p->step->route && !k && (i == 0 || (i == 1 && !x_mask)))
        mh_op_set_needs(op, true);
    if (p->step->route && i % GROUP == 0)
        list_rows(op, addr, p, p->row + load_row(g, c, LOADS_X, step), p->step->in + at, pitch, p->step->top,
                  ROW_LANES);
    else
        mh_op_tile(op, g->lanes, ROW_LANES, VECTOR, (int64_t)pitch);
    return op->mask != 0;
}

/* Before the barrier behind the loads of tile k, or where they would be. */
static uint32_t barrier_gap(const struct part *p, uint64_t k)
{
    const uint32_t steps = k < p->tiles || k < STAGES - 1 ? 0 : k < STAGES ? 3 : 4;

    return GAP_STAGE + steps * p->tile->step;
}

/* Store c->v[1] of the eight rows of each row of warps that begin at c->v[0] * 8; false: they are below Y. */
static bool store(const struct mh_gen *g, const struct mh_cursor *c, struct mh_op *op, uint64_t *addr,
                  const struct part *p)
{
    const uint64_t element = p->step->slices > 1 ? FLOAT : LM_HALF, width = p->tile->columns * element / VECTOR;
    const uint64_t warps = p->tile->threads / g->lanes, slot = c->warp * (STORED / warps) + c->v[1] * g->lanes / width;
    const uint64_t row = p->row + slot / 8 * p->tile->warp_rows + c->v[0] * 8 + slot % 8;
    const uint64_t pitch = p->step->columns * element, y = p->step->slices > 1 ? p->step->more : p->step->out;

    mh_op_affine(op, MH_OP_STORE, PC_Y, VECTOR, GAP_STORE, false, rows_below(g, row, p->rows, width),
                 y + (p->slice * (uint64_t)p->step->rows + row) * pitch + p->column * element, 0);
    if (p->step->route)
        list_rows(op, addr, p, row, y + p->column * element, pitch, 1, width);
    else
        mh_op_tile(op, g->lanes, (uint32_t)width, VECTOR, (int64_t)pitch);
    return op->mask != 0;
}

/* What a CTA of a route reads first: rows in all; the slots of X's rows, as its loads have them; its expert. */
static void read_route(const struct mh_gen *g, const struct mh_cursor *c, struct mh_op *op, const struct part *p)
{
    const struct lm_route *r = p->step->route;
    const uint64_t i = c->v[1], all = mh_mask_first(g->lanes);

    mh_op_affine(op, MH_OP_LOAD, PC_ROUTE, FLOAT, i ? GAP_LOAD : GAP_ROUTE, i == 1, all, r->padded, 0);
    if (i == ROUTE_LOADS - 1)
        op->base = r->experts + p->row / p->tile->rows * FLOAT;
    else if (i) {
        op->base = r->slots + (p->row + load_row(g, c, LOADS_X, i - 1)) * FLOAT;
        mh_op_tile(op, g->lanes, ROW_LANES, 0, FLOAT);
    }
}

/* Of a warp for eight rows of each row of warps. */
static uint64_t stores(const struct part *p)
{
    const uint64_t element = p->step->slices > 1 ? FLOAT : LM_HALF;

    return STORED * p->tile->columns * element / VECTOR / p->tile->threads;
}

/* c->v[]: tile of depth, load; then rows of Y, store */
static void linear_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct part p = part_of(g, c);

    switch (c->state) {
    case 0:
        for (; p.step->route && c->v[1] < (p.idle ? 1 : ROUTE_LOADS); c->v[1]++) {
            read_route(g, c, op, &p);
            MH_YIELD;
        }
        if (!p.idle && p.column < p.step->columns) {
            for (; c->v[0] < p.tiles + STAGES - 1; c->v[0]++) {
                for (c->v[1] = 0; c->v[0] < p.tiles && c->v[1] < LOADS; c->v[1]++)
                    if (load(g, c, op, addr, &p))
                        MH_YIELD;
                if (c->v[0])
                    MH_BARRIER(PC_BARRIER, barrier_gap(&p, c->v[0]),
                               c->v[0] < p.tiles ? MH_NEEDS(MH_WAIT_MAX, 0) : MH_NEEDS(1, 0));
            }
            for (c->v[0] = 0; c->v[0] < p.tile->warp_rows / 8; c->v[0]++) {
                MH_BARRIER(PC_BARRIER, c->v[0] ? 1 : p.tile->step, false);
                MH_BARRIER(PC_BARRIER, GAP_SHARED, false);
                for (c->v[1] = 0; c->v[1] < stores(&p); c->v[1]++)
                    if (store(g, c, op, addr, &p))
                        MH_YIELD;
            }
        }
        MH_END(2, p.idle);
    }
}

/* A thread adds 8 outputs of all slices, 4 rows of 256 a CTA; rows fastest. */
static void reduce_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct lm_step *s = lm_step(g, c);
    const uint64_t groups = mh_ceil_div(s->rows, REDUCE_ROWS);
    const uint64_t row = c->cta % groups * REDUCE_ROWS + c->warp * g->lanes / 32;
    const uint64_t mask = rows_below(g, row, s->rows, 32), column = c->cta / groups * REDUCE_COLUMNS;
    const uint64_t in = s->more + (row * s->columns + column) * FLOAT, slice = (uint64_t)s->rows * s->columns * FLOAT;
    const int64_t pitch = (int64_t)s->columns * FLOAT;

    switch (c->state) {
    case 0:
        for (; c->v[0] < s->slices; c->v[0]++) {
            MH_LOAD_TILE(PC_SLICE, VECTOR, c->v[0] ? GAP_SLICE : GAP_LOAD + GAP_LOAD,
                         MH_NEEDS(c->v[0] % PARTITIONS ? 0 : 1, 0), mask, in + c->v[0] * slice, 32, 2 * VECTOR, pitch);
            MH_LOAD_TILE(PC_SLICE_HALF, VECTOR, 1, false, mask, in + c->v[0] * slice + VECTOR, 32, 2 * VECTOR, pitch);
        }
        MH_STORE_TILE(PC_SUM, VECTOR, GAP_SLICE + GAP_CONVERT, true, mask,
                      s->out + (row * s->columns + column) * LM_HALF, 32, VECTOR, pitch / 2);
        MH_END(1, false);
    }
}

/* Two CTAs an SM of an A100, no slice without a tile. */
static uint32_t slices_of(uint32_t tokens, uint32_t columns, uint32_t depth)
{
    const uint32_t ctas = columns / small.columns, tiles = depth / DEPTH;
    const uint32_t wanted = tokens > SMALL_TOKENS ? 1 : (uint32_t)mh_ceil_div(2 * SMS, ctas);
    const uint32_t per = (uint32_t)mh_ceil_div(tiles, wanted < tiles ? wanted : tiles);

    return (uint32_t)mh_ceil_div(tiles, per);
}

static uint32_t ctas_of(const struct lm_step *s, const struct tile *t)
{
    const uint32_t columns = s->columns / t->columns;

    if (t == &small)
        return columns * s->slices;
    return (uint32_t)(mh_ceil_div(s->rows, t->rows) << SWIZZLE) * (uint32_t)mh_ceil_div(columns, 1 << SWIZZLE);
}

void lm_linear_buffers(struct mh_gen *g, const struct lm_product *products, uint32_t count)
{
    struct lm *lm = g->data;
    uint64_t most = 0;

    for (uint32_t i = 0; i < count; i++) {
        const uint64_t outputs = (uint64_t)lm->tokens * products[i].columns;
        const uint32_t slices = slices_of(lm->tokens, products[i].columns, products[i].depth);

        most = slices > 1 && slices * outputs > most ? slices * outputs : most;
    }
    if (most)
        lm->workspace = mh_gen_buffer(g, most * FLOAT);
}

static void add_product(struct mh_gen *g, struct lm_step step, const struct tile *t, uint32_t ctas)
{
    const struct mh_launch l = {.name = t == &large ? "gemm_128x256_64x3" : "gemm_64x128_64x3",
                                .ctas = ctas,
                                .threads = t->threads,
                                .registers = 224 /* ours: 128 sums, fragments */,
                                .shared_bytes = (t->rows + t->columns) * DEPTH * LM_HALF * STAGES};

    lm_add(g, l, step, linear_body);
}

void lm_add_linear(struct mh_gen *g, uint64_t in, uint64_t weight, uint64_t out, struct lm_product product)
{
    const struct lm *lm = g->data;
    const struct tile *t = tile_of(lm->tokens);
    const struct lm_step step = {.in = in,
                                 .weight = weight,
                                 .out = out,
                                 .more = lm->workspace,
                                 .rows = lm->tokens,
                                 .columns = product.columns,
                                 .depth = product.depth,
                                 .slices = slices_of(lm->tokens, product.columns, product.depth)};
    struct mh_launch l = {.name = "reduce_split_k", .threads = REDUCE_THREADS, .registers = 48 /* ours */};

    add_product(g, step, t, ctas_of(&step, t));
    if (step.slices == 1)
        return;
    l.ctas = (uint32_t)mh_ceil_div(step.rows, REDUCE_ROWS) * (step.columns / REDUCE_COLUMNS);
    lm_add(g, l, step, reduce_body);
}

uint32_t lm_tile_rows(uint32_t rows)
{
    return tile_of(rows)->rows;
}

void lm_add_routed(struct mh_gen *g, uint64_t in, uint64_t weight, uint64_t out, struct lm_product product,
                   const struct lm_route *route, uint32_t top)
{
    const struct tile *t = tile_of(route->rows);
    const struct lm_step step = {.in = in,
                                 .weight = weight,
                                 .out = out,
                                 .columns = product.columns,
                                 .depth = product.depth,
                                 .slices = 1,
                                 .top = top,
                                 .route = route};

    add_product(g, step, t, route->most * (product.columns / t->columns));
}

void lm_products(const struct lm_shape *s, struct lm_product product[LM_PRODUCTS])
{
    product[LM_QKV] = (struct lm_product){lm_qkv(s), s->width};
    product[LM_OUT] = (struct lm_product){s->width, s->heads * LM_HEAD};
    product[LM_GATE_UP] = (struct lm_product){2 * s->ffn, s->width};
    product[LM_DOWN] = (struct lm_product){s->width, s->ffn};
}

static void build(struct mh_gen *g)
{
    const struct lm *lm = lm_begin_prefill(g, g->variant, (uint32_t)g->n);
    struct lm_product p[LM_PRODUCTS];
    uint64_t in[LM_PRODUCTS], out[LM_PRODUCTS], weight[LM_PRODUCTS];

    if (!lm)
        return;
    lm_products(&lm->shape, p);
    for (uint32_t i = 0; i < LM_PRODUCTS; i++) {
        in[i] = mh_gen_buffer(g, (uint64_t)lm->tokens * p[i].depth * LM_HALF);
        weight[i] = mh_gen_buffer(g, lm_product_bytes(p[i]));
        out[i] = mh_gen_buffer(g, (uint64_t)lm->tokens * p[i].columns * LM_HALF);
    }
    lm_linear_buffers(g, p, LM_PRODUCTS);
    for (uint32_t i = 0; i < LM_PRODUCTS; i++)
        lm_add_linear(g, in[i], weight[i], out[i], p[i]);
}

const struct mh_kernel mh_kernel_linear = {
    .name = "LINEAR",
    .suite = LM_SUITE,
    .summary = "the four products of a layer on tensor cores, in tiles; up to 64 tokens with split depth; @ the model",
    MH_SIZE("tokens", 32 /* ours */, 1, 8192),
    .variants = lm_models,
    .build = build,
};
