/*
 * SAD: sums of absolute differences for H.264 motion estimation, Parboil's sad: for every 4 x 4 block of pixels a block
 * of 61 threads compares it with the reference frame at 33 x 33 offsets, 18 consecutive ones a thread (the form that
 * was recorded, opencl_base); two more launches add the sums up for larger blocks, two 16-bit sums a word. Pixels have
 * 16 bits; the frame's aspect is 11:9. Order and instruction counts (gap) of the first launch follow the recorded
 * trace, those of the others count the source's operations. The eight loads of a row overlap: compilers hoist them.
 *
 * SAD@cuda is the suite's CUDA form: a block keeps its 16 pixels in shared memory, does three positions at a time on
 * six pixels a row of the reference (a texture: here loads of its pixels), sums up in shared memory, and its first 32
 * threads store all sums in order, 8 bytes each. Its gaps were counted in the LLVM IR of that source, or are those
 * of nvcc 4.0's PTX for sm_20 (github.com/gtcasl/gpuocelot, tests/ptx/parboil), as are those of the later launches.
 */
#include "workload/gen.h"

#include <stdlib.h>

enum {
    PIXEL = 2,
    SUM = 2,
    WORD = 4,
    RANGE = 16,
    SPAN = 2 * RANGE + 1,
    POSITIONS = SPAN * SPAN,
    PER_THREAD = 18,
    THREADS = 61,
    PLANE = (POSITIONS + 7) / 8 * 8 * SUM, /* sums of one block at all positions, bytes */
    COLUMNS = 32,                          /* threads in x of the later launches */
    PARTS = 9,
    TOGETHER = 3, /* positions of SAD@cuda */
    COPY = 8,     /* bytes that a thread of SAD@cuda stores at once */
};
enum { OPENCL, CUDA };                      /* variants */
enum { REFERENCE, SUMS, FRAME };            /* buffers */
enum { MB_WIDTH, MB_COUNT, WIDTH, HEIGHT }; /* p[]; a macroblock is 16 x 16 pixels */

/* Operations of LLVM IR, PTX instructions. */
#define GAP_START     MH_GAP(30, c->launch == 1 ? 98 : 50) /* ids, macroblock index, four pointers */
#define GAP_LOOP      MH_GAP(5, 8)                         /* add, compare, branch, two addresses */
#define GAP_ADDRESS   MH_GAP(1, 0)
#define GAP_SUM       MH_GAP(2, 1)
#define GAP_FRAME     MH_GAP(34, 48) /* SAD@cuda: ids, macroblock, bounds, address */
#define GAP_NO_FRAME  14
#define GAP_TO_SHARED MH_GAP(4, 14)
#define GAP_SEARCH    MH_GAP(33, 94) /* bounds, first position */
#define GAP_ROW       MH_GAP(9, 17)
#define GAP_NEXT      MH_GAP(36, 57)
#define GAP_SUMMED    MH_GAP(28, 32) /* last row, three sums to shared memory, loop */
#define GAP_COPY      MH_GAP(27, 60) /* macroblock, bounds, address */
#define GAP_COPY_NEXT MH_GAP(7, 8)

struct position {
    uint8_t x, y;
};

/* Lanes that are not past the last position with their c->v[0]-th one. */
static uint64_t searching(const struct mh_gen *g, const struct mh_cursor *c)
{
    return mh_mask_below(c->warp * g->lanes, mh_ceil_div(POSITIONS - c->v[0], PER_THREAD), g->lanes);
}

/* Reference pixel of each lane: (c->v[1], c->v[2]) of the block at its position; outside the frame the edge counts. */
static void list_reference(const struct mh_gen *g, const struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct position *p = (const struct position *)g->data + c->v[0];
    const int32_t width = (int32_t)g->p[WIDTH], height = (int32_t)g->p[HEIGHT], blocks = width / 4;
    const int32_t x0 = (int32_t)c->cta % blocks * 4 - RANGE + (int32_t)c->v[1];
    const int32_t y0 = (int32_t)c->cta / blocks * 4 - RANGE + (int32_t)c->v[2];
    const uint32_t first = c->warp * g->lanes, end = first + g->lanes < THREADS ? first + g->lanes : THREADS;

    op->list = true;
    for (uint32_t t = first; t < end; t++) {
        int32_t x = x0 + p[t * PER_THREAD].x, y = y0 + p[t * PER_THREAD].y;

        x = x < 0 ? 0 : x >= width ? width - 1 : x;
        y = y < 0 ? 0 : y >= height ? height - 1 : y;
        addr[t - first] = g->base[REFERENCE] + (uint64_t)(y * width + x) * PIXEL;
    }
}

static uint32_t gap_reference(const struct mh_cursor *c)
{
    return c->v[1] ? 8 : c->v[2] ? 19 : c->v[0] ? 40 : 85;
}

/* Of the sums of 4 x 4 block (x, y); they come last: by macroblock, then its 16 blocks row by row. */
static uint64_t plane_of(const struct mh_gen *g, uint64_t x, uint64_t y)
{
    return g->p[MB_COUNT] * 25 + (y / 4 * g->p[MB_WIDTH] + x / 4) * 16 + y % 4 * 4 + x % 4;
}

static void mb_sad_calc(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t blocks = g->p[WIDTH] / 4, x = c->cta % blocks, y = c->cta / blocks;
    const uint64_t frame = g->base[FRAME] + (y * 4 * g->p[WIDTH] + x * 4) * PIXEL;
    const uint64_t sums = g->base[SUMS] + plane_of(g, x, y) * PLANE + c->warp * g->lanes * (PER_THREAD * SUM);

    switch (c->state) {
    case 0:
        for (; c->v[0] < PER_THREAD; c->v[0]++) {
            for (c->v[2] = 0; c->v[2] < 4; c->v[2]++) {
                for (c->v[1] = 0; c->v[1] < 4; c->v[1]++) {
                    mh_op_affine(op, MH_OP_LOAD, 1 + 2 * (uint32_t)c->v[1], PIXEL, gap_reference(c),
                                 c->v[1] == 0 && c->v[2] > 0, searching(g, c), 0, 0);
                    list_reference(g, c, op, addr);
                    MH_YIELD;
                    MH_LOAD(2 + 2 * (uint32_t)c->v[1], PIXEL, 4, false, searching(g, c),
                            frame + (c->v[2] * g->p[WIDTH] + c->v[1]) * PIXEL, 0);
                }
            }
            MH_STORE(9, SUM, 11, true, searching(g, c), sums + c->v[0] * SUM, PER_THREAD * SUM);
        }
        MH_END(4, false);
    }
}

static uint32_t gap_texel(const struct mh_gen *g, const struct mh_cursor *c)
{
    static const uint8_t sums[] = {0, 11, 14, 18, 18, 9}, ptx_sums[] = {0, 17, 15, 18, 18, 14};

    if (c->v[1])
        return MH_GAP(sums[c->v[1]], ptx_sums[c->v[1]]);
    return c->v[2] ? GAP_ROW : c->v[0] ? GAP_NEXT : GAP_SEARCH;
}

static void mb_sad_calc_cuda(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t blocks = g->p[WIDTH] / 4, x = c->cta % blocks, y = c->cta / blocks;
    const uint64_t frame = g->base[FRAME] + (y * 4 * g->p[WIDTH] + x * 4) * PIXEL;
    const bool first = c->warp == 0;

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(31, PIXEL, GAP_FRAME, false, first ? mh_mask_first(16) : 0, frame, 4, PIXEL,
                     (int64_t)g->p[WIDTH] * PIXEL);
        MH_BARRIER(32, first ? GAP_TO_SHARED : GAP_NO_FRAME, first);
        for (; c->v[0] < PER_THREAD; c->v[0] += TOGETHER)
            for (c->v[2] = 0; c->v[2] < 4; c->v[2]++)
                for (c->v[1] = 0; c->v[1] < 4 + TOGETHER - 1; c->v[1]++) {
                    mh_op_affine(op, MH_OP_LOAD, 33 + (uint32_t)c->v[1], PIXEL, gap_texel(g, c),
                                 c->v[1] == 0 && (c->v[0] || c->v[2]), searching(g, c), 0, 0);
                    list_reference(g, c, op, addr);
                    MH_YIELD;
                }
        MH_BARRIER(39, GAP_SUMMED, true);
        for (c->v[0] = 0; first && c->v[0] < PLANE / COPY; c->v[0] += COLUMNS)
            MH_STORE(40, COPY, c->v[0] ? GAP_COPY_NEXT : GAP_COPY, false, mh_mask_below(c->v[0], PLANE / COPY, COLUMNS),
                     g->base[SUMS] + plane_of(g, x, y) * PLANE + c->v[0] * COPY, COPY);
        MH_END(MH_GAP(first ? 3 : 2, 5), false);
    }
}

/* Where a thread's operand lies: planes times macroblocks, its macroblock, the thread's place in it, and a constant. */
struct part {
    uint8_t origin, per_mb, per_ty, per_tx, plus;
};

/* Four sums in; out come the sums of both kinds of halves, two each, and of all. */
static const struct part parts[2][PARTS] = {
    {{25, 16, 8, 2, 0},
     {25, 16, 8, 2, 1},
     {25, 16, 8, 2, 4},
     {25, 16, 8, 2, 5},
     {17, 8, 4, 2, 0},
     {17, 8, 4, 2, 1},
     {9, 8, 4, 1, 0},
     {9, 8, 4, 1, 2},
     {5, 4, 2, 1, 0}},
    {{5, 4, 0, 0, 0},
     {5, 4, 0, 0, 1},
     {5, 4, 0, 0, 2},
     {5, 4, 0, 0, 3},
     {3, 2, 0, 0, 0},
     {3, 2, 0, 0, 1},
     {1, 2, 0, 0, 0},
     {1, 2, 0, 0, 1},
     {0, 1, 0, 0, 0}},
};

/* Operand v[1] of thread column v[0] .. in row 0 of the warp; rows of threads are pairs (tx, ty). */
static uint64_t operand(const struct mh_gen *g, const struct mh_cursor *c)
{
    const struct part *p = &parts[c->launch - 1][c->v[1]];
    const uint32_t row = c->warp * g->lanes / COLUMNS, tx = row & 1, ty = row >> 1;
    const uint64_t plane =
        p->origin * g->p[MB_COUNT] + (uint64_t)c->cta * p->per_mb + p->per_ty * ty + p->per_tx * tx + p->plus;

    return g->base[SUMS] + plane * PLANE + c->v[0] * WORD;
}

/* From threads with tx = 0 to those with 1, which a warp of 64 lanes has both. */
static int64_t operand_pitch(const struct mh_cursor *c)
{
    return (int64_t)parts[c->launch - 1][c->v[1]].per_tx * PLANE;
}

static void larger_sad_calc(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint32_t words = (POSITIONS + 1) / 2, base = c->launch * 10;
    const uint64_t rows = c->launch == 1 && g->lanes > COLUMNS ? (uint64_t)1 << COLUMNS | 1 : 1;
    uint64_t mask = rows * mh_mask_below(c->v[0], words, COLUMNS);

    switch (c->state) {
    case 0:
        for (; c->v[0] < words; c->v[0] += COLUMNS) {
            mask = rows * mh_mask_below(c->v[0], words, COLUMNS);
            for (c->v[1] = 0; c->v[1] < 4; c->v[1]++)
                MH_LOAD_TILE(base + (uint32_t)c->v[1], WORD,
                             c->v[1]   ? GAP_ADDRESS
                             : c->v[0] ? GAP_LOOP
                                       : GAP_START,
                             false, mask, operand(g, c), COLUMNS, WORD, operand_pitch(c));
            for (; c->v[1] < PARTS; c->v[1]++)
                MH_STORE_TILE(base + (uint32_t)c->v[1], WORD, GAP_SUM, c->v[1] == 4, mask, operand(g, c), COLUMNS, WORD,
                              operand_pitch(c));
        }
        MH_END(MH_GAP(5, 9), false);
    }
}

static void add_launches(struct mh_gen *g)
{
    struct mh_launch l = {.registers = 24 /* ours */};

    l.name = "mb_sad_calc", l.ctas = (uint32_t)g->p[MB_COUNT] * 16, l.threads = THREADS;
    l.shared_bytes = g->variant == CUDA ? 16 * PIXEL + PLANE : 0;
    mh_gen_launch(g, l, g->variant == CUDA ? mb_sad_calc_cuda : mb_sad_calc);
    l.shared_bytes = 0;
    l.name = "larger_sad_calc_8", l.ctas = (uint32_t)g->p[MB_COUNT], l.threads = 4 * COLUMNS,
    mh_gen_launch(g, l, larger_sad_calc);
    l.name = "larger_sad_calc_16", l.threads = COLUMNS, mh_gen_launch(g, l, larger_sad_calc);
}

static void build(struct mh_gen *g)
{
    struct position *p;

    g->p[WIDTH] = g->n;
    g->p[HEIGHT] = g->n * 9 / 11 / 16 * 16;
    g->p[MB_WIDTH] = g->n / 16;
    g->p[MB_COUNT] = g->n / 16 * (g->p[HEIGHT] / 16);
    MH_BUFFERS(g, g->p[WIDTH] * g->p[HEIGHT] * PIXEL, g->p[MB_COUNT] * 41 * PLANE, g->p[WIDTH] * g->p[HEIGHT] * PIXEL);
    g->data = p = malloc(THREADS * PER_THREAD * sizeof *p);
    g->no_memory |= !p;
    for (uint32_t i = 0; p && i < THREADS * PER_THREAD; i++)
        p[i] = (struct position){(uint8_t)(i % SPAN), (uint8_t)(i / SPAN)};
    add_launches(g);
}

static const char *const variants[] = {[OPENCL] = "opencl", [CUDA] = "cuda", NULL};

const struct mh_kernel mh_kernel_sad = {
    .name = "SAD",
    .suite = "Parboil",
    .summary = "motion estimation; overlapping windows of a frame, sums stored 36 bytes apart",
    MH_SIZE("frame width; height is 9/11 of it", 704, 32, 4096), /* as recorded: 704 x 576 */
    MH_MULTIPLE(16, "macroblocks"),
    .variants = variants,
    .build = build,
};
