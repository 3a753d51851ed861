/*
 * FWT: CUDA SDK fastWalshTransform: dyadic convolution of n floats with a filter of the same (padded) length. Three
 * transforms, of filter, data and product, and a multiplication before the last. A transform makes radix-4 passes over
 * all data in global memory, with a quarter of the stride each time, until at most 2048 elements fit into one block's
 * shared memory. Gaps count the source's operations as LLVM IR would.
 *
 * CTAs x threads at the default size: 22 launches; a transform is 6 of 8192 x 256 and 1 of 4096 x 512, the
 * multiplication 128 x 256; 64 MiB.
 */
#include "workload/gen.h"

enum { FLOAT = 4, BLOCK = 256, ELEMENTARY = 11, MODULATE_BLOCKS = 128 };
enum { FILTER, DATA }; /* buffers */
enum { LOG2, PASSES }; /* p[]; launches of one transform, the last of them in shared memory */

enum {
    GAP_PASS = 18, /* ids, position, masks, four indices and addresses */
    GAP_ADDRESS = 1,
    GAP_BUTTERFLY = 8,   /* eight adds */
    GAP_LOAD = 12,       /* ids, base, loop test, address */
    GAP_TO_SHARED = 6,   /* shared address and write, next position, loop test, address */
    GAP_STAGE = 34,      /* indices, four reads and writes with addresses, eight adds, next stride, loop test */
    GAP_RADIX2 = 22,     /* two pairs: indices, two reads and writes, two adds, loop test */
    GAP_FROM_SHARED = 7, /* shared address and read, next position, loop test, address */
    GAP_PRODUCT = 2,     /* times filter times 1 / n */
    GAP_STRIDE = 5,      /* next position, loop test, address */
};

/* A launch's number in its transform; the product is a launch of its own before the last one. */
static uint32_t pass_of(const struct mh_gen *g, const struct mh_cursor *c)
{
    const uint32_t passes = (uint32_t)g->p[PASSES];

    return (c->launch < 2 * passes ? c->launch : c->launch - 1) % passes;
}

static uint64_t buffer_of(const struct mh_gen *g, const struct mh_cursor *c)
{
    return g->base[c->launch < g->p[PASSES] ? FILTER : DATA];
}

/* Four elements a thread, a quarter of the pass's span apart. */
static void batch2(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t stride = g->n >> (2 * pass_of(g, c) + 2), mask = mh_mask_first(g->lanes);
    const uint64_t position = (uint64_t)c->cta * BLOCK + c->warp * g->lanes, low = position & (stride - 1);
    const uint64_t at = buffer_of(g, c) + (((position - low) << 2) + low) * FLOAT;

    switch (c->state) {
    case 0:
        for (; c->v[0] < 4; c->v[0]++)
            MH_LOAD(1 + (uint32_t)c->v[0], FLOAT, c->v[0] ? GAP_ADDRESS : GAP_PASS, false, mask,
                    at + c->v[0] * stride * FLOAT, FLOAT);
        for (c->v[0] = 0; c->v[0] < 4; c->v[0]++)
            MH_STORE(5 + (uint32_t)c->v[0], FLOAT, c->v[0] ? 0 : GAP_BUTTERFLY, c->v[0] == 0, mask,
                     at + c->v[0] * stride * FLOAT, FLOAT);
        MH_END(1, false);
    }
}

/* The rest of a transform in shared memory, four elements a thread. */
static void batch1(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t log2 = g->p[LOG2] - 2 * (g->p[PASSES] - 1), span = (uint64_t)1 << log2, threads = span / 4;
    const uint64_t tid = c->warp * g->lanes, mask = mh_mask_below(tid, threads, g->lanes);
    const uint64_t at = buffer_of(g, c) + (c->cta * span + tid) * FLOAT;

    switch (c->state) {
    case 0:
        for (; c->v[0] < 4; c->v[0]++)
            MH_LOAD(10, FLOAT, c->v[0] ? GAP_TO_SHARED : GAP_LOAD, false, mask, at + c->v[0] * threads * FLOAT, FLOAT);
        for (c->v[0] = 0; c->v[0] < log2 / 2; c->v[0]++)
            MH_BARRIER(11, c->v[0] ? GAP_STAGE : GAP_TO_SHARED, c->v[0] == 0);
        if (log2 & 1)
            MH_BARRIER(12, GAP_STAGE, false);
        MH_BARRIER(13, log2 & 1 ? GAP_RADIX2 : GAP_STAGE, false);
        for (c->v[0] = 0; c->v[0] < 4; c->v[0]++)
            MH_STORE(14, FLOAT, GAP_FROM_SHARED, false, mask, at + c->v[0] * threads * FLOAT, FLOAT);
        MH_END(GAP_STRIDE, false);
    }
}

static void modulate(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t first = (uint64_t)c->cta * BLOCK + c->warp * g->lanes, mask = mh_mask_first(g->lanes);
    uint64_t i = (first + c->v[0]) * FLOAT;

    switch (c->state) {
    case 0:
        for (; first + c->v[0] < g->n; c->v[0] += MODULATE_BLOCKS * BLOCK, i = (first + c->v[0]) * FLOAT) {
            MH_LOAD(20, FLOAT, c->v[0] ? GAP_STRIDE : GAP_LOAD, false, mask, g->base[DATA] + i, FLOAT);
            MH_LOAD(21, FLOAT, GAP_ADDRESS, false, mask, g->base[FILTER] + i, FLOAT);
            MH_STORE(22, FLOAT, GAP_PRODUCT, true, mask, g->base[DATA] + i, FLOAT);
        }
        MH_END(GAP_STRIDE, false);
    }
}

static void add_transform(struct mh_gen *g)
{
    const uint64_t span = (uint64_t)1 << (g->p[LOG2] - 2 * (g->p[PASSES] - 1));
    struct mh_launch l = {.threads = BLOCK, .registers = 16 /* ours */};

    l.name = "fwtBatch2Kernel", l.ctas = (uint32_t)(g->n / (4 * BLOCK));
    for (uint64_t i = 1; i < g->p[PASSES]; i++)
        mh_gen_launch(g, l, batch2);
    l.name = "fwtBatch1Kernel", l.ctas = (uint32_t)(g->n / span), l.threads = (uint32_t)span / 4;
    l.shared_bytes = (uint32_t)span * FLOAT;
    mh_gen_launch(g, l, batch1);
}

static void build(struct mh_gen *g)
{
    g->p[LOG2] = (uint64_t)__builtin_ctzll(g->n);
    g->p[PASSES] = 1 + mh_ceil_div(g->p[LOG2] - ELEMENTARY, 2);
    mh_gen_buffer(g, g->n * FLOAT);
    mh_gen_buffer(g, g->n * FLOAT);
    add_transform(g);
    add_transform(g);
    mh_gen_launch(g,
                  (struct mh_launch){
                      .name = "modulateKernel", .ctas = MODULATE_BLOCKS, .threads = BLOCK, .registers = 16 /* ours */},
                  modulate);
    add_transform(g);
}

const struct mh_kernel mh_kernel_walsh = {
    .name = "FWT",
    .suite = "CUDA SDK",
    .summary = "fast Walsh transforms; passes with power-of-two strides over all data",
    .size_meaning = "elements",
    .size_default = 1 << 23, /* the source's */
    .size_min = 1 << 13,
    .size_max = (uint64_t)1 << 30,
    .size_powers = 1,
    .size_reason = "the transform halves it in every step",
    .build = build,
};
