/*
 * FFT256: the FFT of Parboil's first release: transforms of 256 points, a block of 128 threads each, in eight launches
 * of radix 2 from one array to the other: a thread reads two points 128 apart and stores them Ns apart, Ns = 1, 2, ..
 * 128. Gaps count the source's operations as LLVM IR would; sines and cosines in double precision are 20 each (ours).
 *
 * MASK's authors publish it as FFT (CMU-SAFARI/Mosaic, v3.x/pthread_benchmark). CTAs x threads at the default size: 8
 * launches of 1024 x 128; 4 MiB.
 */
#include "workload/gen.h"

enum { POINTS = 256, RADIX = 2, THREADS = POINTS / RADIX, PASSES = 8, FLOAT2 = 8 };

enum {
    GAP_START = 20,  /* ids, block's arrays, remainder, angle: conversions, product, quotient; address */
    GAP_TWIDDLE = 6, /* complex product */
    GAP_SINES = 44,  /* two products, sine, cosine, conversions */
    GAP_EXPAND = 14, /* two sums and differences, quotient, products, remainder, sum, address */
    GAP_SECOND = 2,  /* index, address */
};

static void pass(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t ns = (uint64_t)1 << c->launch, j = c->warp * g->lanes, block = (uint64_t)c->cta * POINTS;
    const uint64_t from = g->base[c->launch % 2] + (block + j) * FLOAT2, mask = mh_mask_first(g->lanes);
    const uint64_t to = g->base[1 - c->launch % 2] + (block + j / ns * ns * RADIX + j % ns) * FLOAT2;
    const int64_t group = (int64_t)(ns * RADIX * FLOAT2);

    switch (c->state) {
    case 0:
        MH_LOAD(1, FLOAT2, GAP_START, false, mask, from, FLOAT2);
        MH_LOAD(2, FLOAT2, GAP_SINES + GAP_TWIDDLE, true, mask, from + THREADS * FLOAT2, FLOAT2);
        MH_STORE_TILE(3, FLOAT2, GAP_SINES + GAP_TWIDDLE + GAP_EXPAND, true, mask, to, (uint32_t)ns, FLOAT2, group);
        MH_STORE_TILE(4, FLOAT2, GAP_SECOND, false, mask, to + ns * FLOAT2, (uint32_t)ns, FLOAT2, group);
        MH_END(1, false);
    }
}

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.name = "GPU_FFT_Global", .threads = THREADS, .registers = 24 /* ours */};

    mh_gen_buffer(g, g->n * POINTS * FLOAT2);
    mh_gen_buffer(g, g->n * POINTS * FLOAT2);
    l.ctas = (uint32_t)g->n;
    for (int i = 0; i < PASSES; i++)
        mh_gen_launch(g, l, pass);
}

const struct mh_kernel mh_kernel_fft256 = {
    .name = "FFT256",
    .suite = "Parboil 1",
    .summary = "256-point Fourier transforms, one a block; eight passes from one array to another",
    .size_meaning = "transforms",
    .size_default = 1024, /* the MAFIA suite's */
    .size_min = 1,
    .size_max = (uint64_t)1 << 24,
    .build = build,
};
