/* Transforms: Fourier, Walsh, cosine. */
#include "workload/gen.h"

/*
 * FFT: SHOC's fft, single precision: one block of 64 threads per 512-point transform, in place; eight points a thread,
 * 64 elements apart, exchanged twice through shared memory. One forward and one inverse launch. Order and instruction
 * counts (gap) follow the recorded trace of the forward one; there the compiler stores every result three times, as a
 * whole and then by its halves, and so does this kernel.
 */

enum {
    FFT_POINTS = 512,
    FFT_THREADS = 64,
    FFT_RADIX = FFT_POINTS / FFT_THREADS,
    FLOAT = 4,
    FLOAT2 = 8,
    STEP = FFT_THREADS * FLOAT2
};
enum { EXCHANGES = 7, GAP_SCALE = 2 * FFT_RADIX /* the inverse divides all results by 512 */ };

static const uint16_t gap_load[FFT_RADIX] = {10, 1, 2, 2, 2, 2, 2, 2};
static const uint16_t gap_barrier[EXCHANGES] = {365, 20, 16, 9, 347, 20, 16};

static void fft(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_first(g->lanes);
    const uint64_t at = g->base[0] + (mh_thread(g, c, FFT_POINTS)) * FLOAT2;

    switch (c->state) {
    case 0:
        for (; c->v[0] < FFT_RADIX; c->v[0]++)
            MH_LOAD(1 + (uint32_t)c->v[0], FLOAT2, gap_load[c->v[0]], false, mask, at + c->v[0] * STEP, FLOAT2);
        for (c->v[0] = 0; c->v[0] < EXCHANGES; c->v[0]++)
            MH_BARRIER(10 + (uint32_t)c->v[0], gap_barrier[c->v[0]], c->v[0] == 0);
        for (c->v[0] = 0; c->v[0] < FFT_RADIX; c->v[0]++) {
            MH_STORE(20 + 3 * (uint32_t)c->v[0], FLOAT2,
                     c->v[0]     ? 0
                     : c->launch ? 75 + GAP_SCALE
                                 : 75,
                     false, mask, at + c->v[0] * STEP, FLOAT2);
            MH_STORE(21 + 3 * (uint32_t)c->v[0], FLOAT, 1, false, mask, at + c->v[0] * STEP, FLOAT2);
            MH_STORE(22 + 3 * (uint32_t)c->v[0], FLOAT, 1, false, mask, at + c->v[0] * STEP + FLOAT, FLOAT2);
        }
        MH_END(1, false);
    }
}

static void fft_build(struct mh_gen *g)
{
    struct mh_launch l = {.ctas = (uint32_t)g->n, .threads = FFT_THREADS, .registers = 40 /* ours */};

    mh_gen_buffer(g, g->n * FFT_POINTS * FLOAT2);
    l.shared_bytes = 8 * 8 * 9 * FLOAT; /* a padded plane of one float per point, real and imaginary parts in turn */
    l.name = "fft1D_512", mh_gen_launch(g, l, fft);
    l.name = "ifft1D_512", mh_gen_launch(g, l, fft);
}

const struct mh_kernel mh_kernel_fft = {
    .name = "FFT",
    .suite = "SHOC",
    .summary = "512-point Fourier transforms, one a block; streaming, exchanges in shared memory",
    MH_SIZE("transforms", 24576, 1, (uint64_t)1 << 24), /* as recorded: 96 MiB */
    .build = fft_build,
};

/*
 * FFT256: the FFT of Parboil's first release: transforms of 256 points, a block of 128 threads each, in eight launches
 * of radix 2 from one array to the other: a thread reads two points 128 apart and stores them Ns apart, Ns = 1, 2, ..
 * 128. Gaps count the source's operations as LLVM IR would; sines and cosines in double precision are 20 each (ours).
 *
 * MASK's authors publish it as FFT (CMU-SAFARI/Mosaic, v3.x/pthread_benchmark).
 */

enum { FFT256_POINTS = 256, FFT256_RADIX = 2, FFT256_THREADS = FFT256_POINTS / FFT256_RADIX, FFT256_PASSES = 8 };

enum {
    FFT256_GAP_START = 20, /* ids, block's arrays, remainder, angle: conversions, product, quotient; address */
    GAP_TWIDDLE = 6,       /* complex product */
    GAP_SINES = 44,        /* two products, sine, cosine, conversions */
    GAP_EXPAND = 14,       /* two sums and differences, quotient, products, remainder, sum, address */
    GAP_SECOND = 2,        /* index, address */
};

static void pass(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t ns = (uint64_t)1 << c->launch, j = c->warp * g->lanes, block = (uint64_t)c->cta * FFT256_POINTS;
    const uint64_t from = g->base[c->launch % 2] + (block + j) * FLOAT2, mask = mh_mask_first(g->lanes);
    const uint64_t to = g->base[1 - c->launch % 2] + (block + j / ns * ns * FFT256_RADIX + j % ns) * FLOAT2;
    const int64_t group = (int64_t)(ns * FFT256_RADIX * FLOAT2);

    switch (c->state) {
    case 0:
        MH_LOAD(1, FLOAT2, FFT256_GAP_START, false, mask, from, FLOAT2);
        MH_LOAD(2, FLOAT2, GAP_SINES + GAP_TWIDDLE, true, mask, from + FFT256_THREADS * FLOAT2, FLOAT2);
        MH_STORE_TILE(3, FLOAT2, GAP_SINES + GAP_TWIDDLE + GAP_EXPAND, true, mask, to, (uint32_t)ns, FLOAT2, group);
        MH_STORE_TILE(4, FLOAT2, GAP_SECOND, false, mask, to + ns * FLOAT2, (uint32_t)ns, FLOAT2, group);
        MH_END(1, false);
    }
}

static void fft256_build(struct mh_gen *g)
{
    struct mh_launch l = {
        .ctas = (uint32_t)g->n, .name = "GPU_FFT_Global", .threads = FFT256_THREADS, .registers = 24 /* ours */};

    MH_BUFFERS(g, g->n * FFT256_POINTS * FLOAT2, g->n * FFT256_POINTS * FLOAT2);
    for (int i = 0; i < FFT256_PASSES; i++)
        mh_gen_launch(g, l, pass);
}

const struct mh_kernel mh_kernel_fft256 = {
    .name = "FFT256",
    .suite = "Parboil 1",
    .summary = "256-point Fourier transforms, one a block; eight passes from one array to another",
    MH_SIZE("transforms", 1024, 1, (uint64_t)1 << 24), /* the MAFIA suite's */
    .build = fft256_build,
};

/*
 * FWT: CUDA SDK fastWalshTransform: dyadic convolution of n floats with a filter of the same (padded) length. Three
 * transforms, of filter, data and product, and a multiplication before the last. A transform makes radix-4 passes over
 * all data in global memory, with a quarter of the stride each time, until at most 2048 elements fit into one block's
 * shared memory. Gaps count the source's operations as LLVM IR would.
 */

enum { WALSH_BLOCK = 256, ELEMENTARY = 11, MODULATE_BLOCKS = 128 };
enum { FILTER, DATA };       /* buffers */
enum { LOG2, WALSH_PASSES }; /* p[]; launches of one transform, the last of them in shared memory */

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
    const uint32_t passes = (uint32_t)g->p[WALSH_PASSES];

    return (c->launch < 2 * passes ? c->launch : c->launch - 1) % passes;
}

static uint64_t buffer_of(const struct mh_gen *g, const struct mh_cursor *c)
{
    return g->base[c->launch < g->p[WALSH_PASSES] ? FILTER : DATA];
}

/* Four elements a thread, a quarter of the pass's span apart. */
static void batch2(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t stride = g->n >> (2 * pass_of(g, c) + 2), mask = mh_mask_first(g->lanes);
    const uint64_t position = mh_thread(g, c, WALSH_BLOCK), low = position & (stride - 1);
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
    const uint64_t log2 = g->p[LOG2] - 2 * (g->p[WALSH_PASSES] - 1), span = (uint64_t)1 << log2, threads = span / 4;
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
    const uint64_t first = mh_thread(g, c, WALSH_BLOCK), mask = mh_mask_first(g->lanes);
    uint64_t i = (first + c->v[0]) * FLOAT;

    switch (c->state) {
    case 0:
        for (; first + c->v[0] < g->n; c->v[0] += MODULATE_BLOCKS * WALSH_BLOCK, i = (first + c->v[0]) * FLOAT) {
            MH_LOAD(20, FLOAT, c->v[0] ? GAP_STRIDE : GAP_LOAD, false, mask, g->base[DATA] + i, FLOAT);
            MH_LOAD(21, FLOAT, GAP_ADDRESS, false, mask, g->base[FILTER] + i, FLOAT);
            MH_STORE(22, FLOAT, GAP_PRODUCT, true, mask, g->base[DATA] + i, FLOAT);
        }
        MH_END(GAP_STRIDE, false);
    }
}

static void add_transform(struct mh_gen *g)
{
    const uint64_t span = (uint64_t)1 << (g->p[LOG2] - 2 * (g->p[WALSH_PASSES] - 1));
    struct mh_launch l = {.threads = WALSH_BLOCK, .registers = 16 /* ours */};

    l.name = "fwtBatch2Kernel", l.ctas = (uint32_t)(g->n / (4 * WALSH_BLOCK));
    for (uint64_t i = 1; i < g->p[WALSH_PASSES]; i++)
        mh_gen_launch(g, l, batch2);
    l.name = "fwtBatch1Kernel", l.ctas = (uint32_t)(g->n / span), l.threads = (uint32_t)span / 4;
    l.shared_bytes = (uint32_t)span * FLOAT;
    mh_gen_launch(g, l, batch1);
}

static void walsh_build(struct mh_gen *g)
{
    g->p[LOG2] = (uint64_t)__builtin_ctzll(g->n);
    g->p[WALSH_PASSES] = 1 + mh_ceil_div(g->p[LOG2] - ELEMENTARY, 2);
    MH_BUFFERS(g, g->n * FLOAT, g->n * FLOAT);
    add_transform(g);
    add_transform(g);
    mh_gen_launch(g, (struct mh_launch){"modulateKernel", MODULATE_BLOCKS, WALSH_BLOCK, 16 /* ours */, 0}, modulate);
    add_transform(g);
}

const struct mh_kernel mh_kernel_walsh = {
    .name = "FWT",
    .suite = "CUDA SDK",
    .summary = "fast Walsh transforms; passes with power-of-two strides over all data",
    MH_SIZE("elements", 1 << 23, 1 << 13, (uint64_t)1 << 30), /* the source's */
    .size_powers = 1,
    .size_reason = "the transform halves it in every step",
    .build = walsh_build,
};

/*
 * JPEG: the block transforms of JPEG encoding and decoding, the CUDA SDK's dct8x8 (second version): discrete cosine
 * transform of 8 x 8 blocks, 8 of them per thread block in shared memory, quantization in place, inverse transform. The
 * papers do not say which JPEG they run; this choice is ours, entropy coding is not part of it. Gaps count the source's
 * operations as LLVM IR would.
 *
 * `@decode` is what the walk stealing paper's authors run as JPEG (csl-iisc/DWS-HPCA2021, commit 46d6c60,
 * v3.x/pthread_benchmark/JPEG/dct8x8.cu:154-212 and :292): the processor encodes, the GPU runs the inverse transform
 * alone, in place.
 */

enum { WIDTH = 32, HEIGHT = 16, SIDE = 8, JPEG_BLOCK = 64, PITCH = WIDTH + 1 };
enum { IMAGE, PLANE }; /* buffers */
enum { BOTH, DECODE }; /* variants */

enum {
    JPEG_GAP_START = 18, /* ids, offsets, addresses */
    GAP_ROW = 3,         /* shared address and write, address of the next row */
    GAP_VECTOR = 85,     /* 16 shared accesses with addresses, 29 additions, 22 products: one vector of 8 */
    GAP_BACK = 2,        /* shared read with address */
    GAP_ELEMENT = 14,    /* ids, row and column, product, sum, extend, address */
    GAP_QUANTIZE = 6,    /* constant load with address, conversion, quotient, rounding, product */
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
            MH_LOAD_TILE(pc, FLOAT, c->v[0] ? 1 : JPEG_GAP_START, false, all, from + c->v[0] * row, WIDTH, FLOAT,
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

static void jpeg_build(struct mh_gen *g)
{
    struct mh_launch blocks = {.threads = JPEG_BLOCK,
                               .registers = 24, /* ours */
                               .ctas = (uint32_t)(g->n / WIDTH * (g->n / HEIGHT)),
                               .shared_bytes = HEIGHT * PITCH * FLOAT};
    struct mh_launch points = {.name = "CUDAkernelQuantizationFloat",
                               .threads = JPEG_BLOCK,
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
    /* ours; the SDK's image of 512 x 512 fits in the L2, that of @decode has 4 MiB or more */
    MH_SIZE("image width and height", 2048, 32, 32768),
    MH_MULTIPLE(WIDTH, "the source's blocks"),
    .build = jpeg_build,
};
