/*
 * FFT: SHOC's fft, single precision: one block of 64 threads per 512-point transform, in place; eight points a thread,
 * 64 elements apart, exchanged twice through shared memory. One forward and one inverse launch. Order and instruction
 * counts (gap) follow the recorded trace of the forward one; there the compiler stores every result three times, as a
 * whole and then by its halves, and so does this kernel.
 *
 * CTAs x threads at the default size: 2 launches of 24576 x 64; 96 MiB.
 */
#include "workload/gen.h"

enum { POINTS = 512, THREADS = 64, RADIX = POINTS / THREADS, FLOAT = 4, FLOAT2 = 8, STEP = THREADS * FLOAT2 };
enum { EXCHANGES = 7, GAP_SCALE = 2 * RADIX /* the inverse divides all results by 512 */ };

static const uint16_t gap_load[RADIX] = {10, 1, 2, 2, 2, 2, 2, 2};
static const uint16_t gap_barrier[EXCHANGES] = {365, 20, 16, 9, 347, 20, 16};

static void fft(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_first(g->lanes);
    const uint64_t at = g->base[0] + ((uint64_t)c->cta * POINTS + c->warp * g->lanes) * FLOAT2;

    switch (c->state) {
    case 0:
        for (; c->v[0] < RADIX; c->v[0]++)
            MH_LOAD(1 + (uint32_t)c->v[0], FLOAT2, gap_load[c->v[0]], false, mask, at + c->v[0] * STEP, FLOAT2);
        for (c->v[0] = 0; c->v[0] < EXCHANGES; c->v[0]++)
            MH_BARRIER(10 + (uint32_t)c->v[0], gap_barrier[c->v[0]], c->v[0] == 0);
        for (c->v[0] = 0; c->v[0] < RADIX; c->v[0]++) {
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

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.threads = THREADS, .registers = 40 /* ours */};

    mh_gen_buffer(g, g->n * POINTS * FLOAT2);
    l.ctas = (uint32_t)g->n;
    l.shared_bytes = 8 * 8 * 9 * FLOAT; /* a padded plane of one float per point, real and imaginary parts in turn */
    l.name = "fft1D_512";
    mh_gen_launch(g, l, fft);
    l.name = "ifft1D_512";
    mh_gen_launch(g, l, fft);
}

const struct mh_kernel mh_kernel_fft = {
    .name = "FFT",
    .suite = "SHOC",
    .summary = "512-point Fourier transforms, one a block; streaming, exchanges in shared memory",
    .size_meaning = "transforms",
    .size_default = 24576, /* as recorded: 96 MiB */
    .size_min = 1,
    .size_max = (uint64_t)1 << 24,
    .build = build,
};
