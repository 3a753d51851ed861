/*
 * Two streaming programs, an element or a few per thread: TRD, SHOC's triad (two launches, as the source alternates two
 * sets of buffers); BLK, CUDA SDK BlackScholes (480 x 128 threads stride over the options). Gaps count the source's
 * operations as LLVM IR would; square roots, logarithms and exponentials are 8 each, as the GPU's sequences for them.
 *
 * CTAs x threads at the default size: TRD 2 launches of 32768 x 128, 96 MiB; BLK 480 x 128, 76 MiB.
 */
#include "workload/gen.h"

enum { FLOAT = 4, TRIAD_BLOCK = 128, BLK_BLOCKS = 480, BLK_BLOCK = 128 };

enum {
    GAP_THREAD = 6,   /* ids, index, bounds, extension, address */
    GAP_TRIAD = 3,    /* product, sum, address */
    GAP_STRIDE = 5,   /* next index, compare, branch, extension, address */
    GAP_OPTION = 104, /* sqrt, log, d1 and d2 (9), two cumulative normals of 22 with an exp each, exp, price (8) */
    GAP_PUT = 6,      /* parity: three products, two sums, address */
};

/* C = A + s B */
static void triad(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t i = (uint64_t)c->cta * TRIAD_BLOCK + c->warp * g->lanes, mask = mh_mask_below(i, g->n, g->lanes);
    const uint64_t *base = g->base + 3 * c->launch;

    switch (c->state) {
    case 0:
        MH_LOAD(1, FLOAT, GAP_THREAD, false, mask, base[0] + i * FLOAT, FLOAT);
        MH_LOAD(2, FLOAT, 1, false, mask, base[1] + i * FLOAT, FLOAT);
        MH_STORE(3, FLOAT, GAP_TRIAD, true, mask, base[2] + i * FLOAT, FLOAT);
        MH_END(1, false);
    }
}

static void black_scholes(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    enum { CALL, PUT, PRICE, STRIKE, YEARS };
    const uint64_t first = (uint64_t)c->cta * BLK_BLOCK + c->warp * g->lanes;
    uint64_t i = first + c->v[0], mask = mh_mask_below(i, g->n, g->lanes);

    switch (c->state) {
    case 0:
        for (; i < g->n; c->v[0] += BLK_BLOCKS * BLK_BLOCK, i = first + c->v[0]) {
            mask = mh_mask_below(i, g->n, g->lanes);
            MH_LOAD(1, FLOAT, c->v[0] ? GAP_STRIDE : GAP_THREAD, false, mask, g->base[PRICE] + i * FLOAT, FLOAT);
            MH_LOAD(2, FLOAT, 1, false, mask, g->base[STRIKE] + i * FLOAT, FLOAT);
            MH_LOAD(3, FLOAT, 1, false, mask, g->base[YEARS] + i * FLOAT, FLOAT);
            MH_STORE(4, FLOAT, GAP_OPTION, true, mask, g->base[CALL] + i * FLOAT, FLOAT);
            MH_STORE(5, FLOAT, GAP_PUT, false, mask, g->base[PUT] + i * FLOAT, FLOAT);
        }
        MH_END(GAP_STRIDE, false);
    }
}

static void build_triad(struct mh_gen *g)
{
    struct mh_launch l = {.name = "triad", .threads = TRIAD_BLOCK, .registers = 10 /* ours */};

    for (int i = 0; i < 6; i++)
        mh_gen_buffer(g, g->n * FLOAT);
    l.ctas = (uint32_t)(g->n / TRIAD_BLOCK);
    mh_gen_launch(g, l, triad);
    mh_gen_launch(g, l, triad);
}

static void build_black_scholes(struct mh_gen *g)
{
    for (int i = 0; i < 5; i++)
        mh_gen_buffer(g, g->n * FLOAT);
    mh_gen_launch(g,
                  (struct mh_launch){
                      .name = "BlackScholesGPU", .ctas = BLK_BLOCKS, .threads = BLK_BLOCK, .registers = 20 /* ours */},
                  black_scholes);
}

const struct mh_kernel mh_kernel_triad = {
    .name = "TRD",
    .suite = "SHOC",
    .summary = "c = a + s b; streaming",
    .size_meaning = "elements",
    .size_default = 4 << 20, /* the source's largest block, 16 MiB */
    .size_min = 128,
    .size_max = (uint64_t)1 << 30,
    .size_multiple = TRIAD_BLOCK,
    .size_reason = "the source's blocks",
    .build = build_triad,
};

const struct mh_kernel mh_kernel_black_scholes = {
    .name = "BLK",
    .suite = "CUDA SDK",
    .summary = "option prices; three streams in, two out, some computation",
    .size_meaning = "options",
    .size_default = 4000000, /* the source's */
    .size_min = 1,
    .size_max = (uint64_t)1 << 30,
    .build = build_black_scholes,
};
