/*
 * JPEG: the block transforms of JPEG encoding and decoding, the CUDA SDK's dct8x8 (second version): discrete cosine
 * transform of 8 x 8 blocks, 8 of them per thread block in shared memory, quantization in place, inverse transform. The
 * papers do not say which JPEG they run; this choice is ours, entropy coding is not part of it. Gaps count the source's
 * operations as LLVM IR would.
 *
 * `@decode` is what the walk stealing paper's authors run as JPEG (csl-iisc/DWS-HPCA2021, commit 46d6c60,
 * v3.x/pthread_benchmark/JPEG/dct8x8.cu:154-212 and :292): the processor encodes, the GPU runs the inverse transform
 * alone, in place.
 *
 * CTAs x threads at the default size: 8192 x 64, 65536 x 64, 8192 x 64; 32 MiB.
 */
#include "workload/gen.h"

enum { WIDTH = 32, HEIGHT = 16, SIDE = 8, BLOCK = 64, PITCH = WIDTH + 1, FLOAT = 4 };
enum { IMAGE, PLANE }; /* buffers */
enum { BOTH, DECODE }; /* variants */

enum {
    GAP_START = 18,   /* ids, offsets, addresses */
    GAP_ROW = 3,      /* shared address and write, address of the next row */
    GAP_VECTOR = 85,  /* 16 shared accesses with addresses, 29 additions, 22 products: one vector of 8 */
    GAP_BACK = 2,     /* shared read with address */
    GAP_ELEMENT = 14, /* ids, row and column, product, sum, extend, address */
    GAP_QUANTIZE = 6, /* constant load with address, conversion, quotient, rounding, product */
};

/* Transform of 32 x 16 points from one buffer to the other; the same accesses either way. */
static void transform(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t grid_x = g->n / WIDTH, all = mh_mask_first(g->lanes);
    const uint64_t y = c->cta / grid_x * HEIGHT + c->warp * SIDE, x = c->cta % grid_x * WIDTH;
    const uint64_t row = g->n * FLOAT, at = y * row + x * FLOAT;
    const uint32_t source = c->launch ? PLANE : IMAGE;
    const uint64_t from = g->base[source] + at, to = g->base[g->variant == DECODE ? source : PLANE - source] + at;
    const uint32_t pc = 1 + 2 * c->launch;

    switch (c->state) {
    case 0:
        for (; c->v[0] < SIDE; c->v[0]++)
            MH_LOAD_TILE(pc, FLOAT, c->v[0] ? 1 : GAP_START, false, all, from + c->v[0] * row, WIDTH, FLOAT,
                         (int64_t)(SIDE * row));
        MH_BARRIER(10, SIDE * (GAP_ROW - 1), true);
        MH_BARRIER(11, GAP_VECTOR, false); /* rows */
        MH_BARRIER(12, GAP_VECTOR, false); /* columns */
        for (c->v[0] = 0; c->v[0] < SIDE; c->v[0]++)
            MH_STORE_TILE(pc + 1, FLOAT, GAP_BACK + 1, false, all, to + c->v[0] * row, WIDTH, FLOAT,
                          (int64_t)(SIDE * row));
        MH_END(1, false);
    }
}

/* A coefficient per thread, an 8 x 8 block of them per thread block. */
static void quantize(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t grid_x = g->n / SIDE, all = mh_mask_first(g->lanes), row = g->n * FLOAT;
    const uint64_t y = c->cta / grid_x * SIDE + c->warp * g->lanes / SIDE, x = c->cta % grid_x * SIDE;
    const uint64_t at = g->base[PLANE] + y * row + x * FLOAT;

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(20, FLOAT, GAP_ELEMENT, false, all, at, SIDE, FLOAT, (int64_t)row);
        MH_STORE_TILE(21, FLOAT, GAP_QUANTIZE, true, all, at, SIDE, FLOAT, (int64_t)row);
        MH_END(1, false);
    }
}

static void build(struct mh_gen *g)
{
    struct mh_launch blocks = {.threads = BLOCK,
                               .registers = 24, /* ours */
                               .ctas = (uint32_t)(g->n / WIDTH * (g->n / HEIGHT)),
                               .shared_bytes = HEIGHT * PITCH * FLOAT};
    struct mh_launch points = {.name = "CUDAkernelQuantizationFloat",
                               .threads = BLOCK,
                               .registers = 24, /* ours */
                               .ctas = (uint32_t)(g->n / SIDE * (g->n / SIDE))};

    mh_gen_buffer(g, g->n * g->n * FLOAT);
    if (g->variant == BOTH) {
        mh_gen_buffer(g, g->n * g->n * FLOAT);
        blocks.name = "CUDAkernel2DCT", mh_gen_launch(g, blocks, transform);
        mh_gen_launch(g, points, quantize);
    }
    blocks.name = "CUDAkernel2IDCT", mh_gen_launch(g, blocks, transform);
}

const struct mh_kernel mh_kernel_jpeg = {
    .name = "JPEG",
    .suite = "CUDA SDK",
    .summary = "8 x 8 cosine transform, quantization, inverse transform of an image; streams, blocks in shared memory",
    .variants = (const char *const[]){[BOTH] = "both", [DECODE] = "decode", NULL},
    .size_meaning = "image width and height",
    .size_default = 2048, /* ours; the SDK's image of 512 x 512 fits in the L2, that of @decode has 4 MiB or more */
    .size_min = 32,
    .size_max = 32768,
    .size_multiple = WIDTH,
    .size_reason = "the source's blocks",
    .build = build,
};
