/* Products of dense matrices and vectors. */
#include "workload/gen.h"
#include "workload/kernels/spot.h"

/*
 * MVT, ATAX and BICG of PolyBench/GPU (Grauer-Gray et al. 2012): each is two matrix-vector products over one N x N
 * float matrix, one with a row per thread (the lanes of a warp lie a row apart) and one with a column per thread (they
 * lie side by side). All six launches are one loop; like the compiled source, it stores its accumulator in every
 * iteration: the arrays may alias. Instruction counts (gap) are those of the recorded ATAX and BICG; MVT's source is
 * ATAX's loop over other vectors and takes ATAX's.
 */

enum { BLOCK = 256, FLOAT = 4 };

/* One launch: acc[i] += A[..] * vec[k] for all k, i = thread. */
struct product {
    bool column;       /* A[k][i] instead of A[i][k] */
    bool zero;         /* acc[i] = 0 instead of reading it */
    uint8_t vec, acc;  /* buffers */
    uint8_t gap_acc;   /* instructions up to the first access to acc[i] */
    uint8_t gap_first; /* from there to the loop's first load */
    uint8_t gap_loop;  /* from the store to the next iteration's load */
};

/* ATAX: buffers A, x, y, tmp. BICG: A, r, s, p, q. MVT: A, x1, x2, y1, y2. Number 0 is A. */
static const struct product products[][2] = {
    {{false, false, 3, 1, 9, 4, 6}, {true, false, 4, 2, 8, 5, 7}},
    {{false, false, 1, 3, 9, 4, 6}, {true, false, 3, 2, 8, 5, 7}},
    {{false, true, 3, 4, 6, 7, 6}, {true, true, 1, 2, 6, 6, 7}},
};

enum { MVT, ATAX, BICG };
enum { KERNEL, EXIT_GAP = 4 }; /* p[]; add, compare, branch, return */

static void polybench_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct product *p = &products[g->p[KERNEL]][c->launch];
    const uint32_t pc = 1 + 5 * c->launch;
    const uint64_t n = g->n, i = mh_thread(g, c, BLOCK);
    const uint64_t mask = mh_mask_below(i, n, g->lanes);
    const uint64_t acc = g->base[p->acc] + i * FLOAT;
    /* A[i][k] or A[k][i], k = c->v[0]: an element from lane to lane, or a row */
    const uint64_t a = g->base[0] + (p->column ? i : i * n) * FLOAT;
    const uint64_t a_step = (p->column ? n : 1) * FLOAT;
    const int64_t a_stride = p->column ? FLOAT : (int64_t)n * FLOAT;

    switch (c->state) {
    case 0:
        if (p->zero)
            MH_STORE(pc, FLOAT, p->gap_acc, false, mask, acc, FLOAT);
        else
            MH_LOAD(pc + 1, FLOAT, p->gap_acc, false, mask, acc, FLOAT);
        for (; mask && c->v[0] < n; c->v[0]++) {
            MH_LOAD(pc + 2, FLOAT, c->v[0] ? p->gap_loop : p->gap_first, false, mask, a + c->v[0] * a_step, a_stride);
            MH_LOAD(pc + 3, FLOAT, 2, false, mask, g->base[p->vec] + c->v[0] * FLOAT, 0);
            MH_STORE(pc + 4, FLOAT, 1, true, mask, acc, FLOAT);
        }
        MH_END(EXIT_GAP, false);
    }
}

static void polybench_build(struct mh_gen *g, int kernel, uint32_t vectors, const char *const names[2])
{
    g->p[KERNEL] = (uint64_t)kernel;
    mh_gen_buffer(g, g->n * g->n * FLOAT);
    for (uint32_t i = 0; i < vectors; i++)
        mh_gen_buffer(g, g->n * FLOAT);
    for (int i = 0; i < 2; i++)
        mh_gen_launch(g, (struct mh_launch){names[i], (uint32_t)mh_ceil_div(g->n, BLOCK), BLOCK, 24 /* ours */, 0},
                      polybench_body);
}

static void build_mvt(struct mh_gen *g)
{
    polybench_build(g, MVT, 4, (const char *const[]){"mvt_kernel1", "mvt_kernel2"});
}

static void build_atax(struct mh_gen *g)
{
    polybench_build(g, ATAX, 3, (const char *const[]){"atax_kernel1", "atax_kernel2"});
}

static void build_bicg(struct mh_gen *g)
{
    polybench_build(g, BICG, 4, (const char *const[]){"bicgKernel1", "bicgKernel2"});
}

/* 4096 is the STANDARD size of PolyBench/GPU and the recorded one. */
#define SIZES .size_meaning = "matrix order", .size_default = 4096, .size_min = 32, .size_max = 32768

const struct mh_kernel mh_kernel_mvt = {
    .name = "MVT",
    .suite = "PolyBench/GPU",
    .summary = "x1 += A y1, x2 += A' y2; lanes a matrix row apart, then side by side",
    SIZES,
    .build = build_mvt,
};

const struct mh_kernel mh_kernel_atax = {
    .name = "ATAX",
    .suite = "PolyBench/GPU",
    .summary = "y = A' (A x); lanes a matrix row apart, then side by side",
    SIZES,
    .build = build_atax,
};

const struct mh_kernel mh_kernel_bicg = {
    .name = "BICG",
    .suite = "PolyBench/GPU",
    .summary = "q = A p, s = A' r; lanes a matrix row apart, then side by side",
    SIZES,
    .build = build_bicg,
};

/*
 * GESUMMV of PolyBench/GPU (Grauer-Gray et al. 2012): y = alpha A x + beta B x, a row of both matrices per thread, so
 * that the lanes of a warp lie a row apart. The arrays may alias: compiled code loads and stores both accumulators and
 * loads x[j] twice in every iteration. Gaps are those of clang 14's LLVM IR of PolyBench-ACC's OpenCL source.
 */

enum { GESUMMV_A, GESUMMV_B, X, Y, TMP }; /* buffers */

enum {
    GESUMMV_GAP_START = 14, /* id, bounds, loop test, row, addresses of tmp[i] and y[i], index, extend, address */
    GAP_LOOP = 6,           /* j++, compare, branch, index, extend, address */
    GAP_X = 2,              /* extend, address of x[j] */
    GAP_FMA = 1,
    GESUMMV_GAP_B = 1,   /* address of b[i * n + j] */
    GESUMMV_GAP_SUM = 4, /* loop test, address */
    GAP_Y = 3,           /* address, alpha * tmp[i] + beta * y[i] */
};

static void gesummv_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t i = mh_thread(g, c, BLOCK), at = (i * g->n + c->v[0]) * FLOAT;
    const uint64_t mask = mh_mask_below(i, g->n, g->lanes), x = g->base[X] + c->v[0] * FLOAT;
    const uint64_t y = g->base[Y] + i * FLOAT, tmp = g->base[TMP] + i * FLOAT;
    const int64_t row = (int64_t)g->n * FLOAT;

    switch (c->state) {
    case 0:
        for (; mask && c->v[0] < g->n; c->v[0]++) {
            MH_LOAD(1, FLOAT, c->v[0] ? GAP_LOOP : GESUMMV_GAP_START, false, mask,
                    g->base[GESUMMV_A] + (i * g->n + c->v[0]) * FLOAT, row);
            MH_LOAD(2, FLOAT, GAP_X, false, mask, g->base[X] + c->v[0] * FLOAT, 0);
            MH_LOAD(3, FLOAT, 0, false, mask, tmp, FLOAT);
            MH_STORE(4, FLOAT, GAP_FMA, true, mask, tmp, FLOAT);
            MH_LOAD(5, FLOAT, GESUMMV_GAP_B, false, mask, g->base[GESUMMV_B] + at, row);
            MH_LOAD(6, FLOAT, 0, false, mask, x, 0);
            MH_LOAD(7, FLOAT, 0, false, mask, y, FLOAT);
            MH_STORE(8, FLOAT, GAP_FMA, true, mask, y, FLOAT);
        }
        MH_LOAD(9, FLOAT, GESUMMV_GAP_SUM, false, mask, tmp, FLOAT);
        MH_STORE(10, FLOAT, GAP_Y, true, mask, y, FLOAT);
        MH_END(mask ? 1 : 4, false);
    }
}

static void gesummv_build(struct mh_gen *g)
{
    MH_BUFFERS(g, g->n * g->n * FLOAT, g->n * g->n * FLOAT, g->n * FLOAT, g->n * FLOAT, g->n * FLOAT);
    mh_gen_launch(g, (struct mh_launch){"gesummv_kernel", (uint32_t)mh_ceil_div(g->n, BLOCK), BLOCK, 24 /* ours */, 0},
                  gesummv_body);
}

const struct mh_kernel mh_kernel_gesummv = {
    .name = "GESUMMV",
    .suite = "PolyBench/GPU",
    .summary = "y = alpha A x + beta B x; every lane its own row and page of two matrices",
    MH_SIZE("matrix order", 4096, 32, 32768), /* the suite's STANDARD size */
    .build = gesummv_build,
};

/*
 * MM: C = A B, the matrixMul of the CUDA SDK: a 32 x 32 block of threads per 32 x 32 tile of C; for each pair of tiles
 * every thread loads one element of A and one of B into shared memory and multiplies there. Gaps count the source's
 * operations as LLVM IR would.
 */

enum { TILE = 32 };
enum { MM_A, MM_B, MM_C }; /* buffers */

enum {
    MM_GAP_START = 18,          /* ids, tile bounds, loop test, address */
    GAP_SECOND = 4,             /* shared address and write of A's element, address in B */
    GAP_TO_SHARED = 2,          /* shared address and write of B's element */
    MM_GAP_MULTIPLY = 5 * TILE, /* per k: two addresses, two shared reads, multiply-add; unrolled */

    GAP_STORE = 6, /* loop test, index of C, address */
};

static void mm_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint32_t tiles = (uint32_t)(g->n / TILE), warp_row = c->warp * g->lanes / TILE;
    const uint64_t by = c->cta / tiles, bx = c->cta % tiles, mask = mh_mask_first(g->lanes);
    const uint64_t row = by * TILE + warp_row, col = bx * TILE;
    const int64_t pitch = (int64_t)g->n * FLOAT;
    const uint64_t a = g->base[MM_A] + row * g->n * FLOAT, a_step = TILE * FLOAT;
    const uint64_t b = g->base[MM_B] + (warp_row * g->n + col) * FLOAT, b_step = TILE * g->n * FLOAT;

    switch (c->state) {
    case 0:
        for (; c->v[0] < tiles; c->v[0]++) {
            MH_LOAD_TILE(1, FLOAT, c->v[0] ? GAP_LOOP : MM_GAP_START, false, mask, a + c->v[0] * a_step, TILE, FLOAT,
                         pitch);
            /* The shared write of A's element stands between the loads in the source; compilers sink it below both. */
            MH_LOAD_TILE(2, FLOAT, GAP_SECOND, false, mask, b + c->v[0] * b_step, TILE, FLOAT, pitch);
            MH_BARRIER(3, GAP_TO_SHARED, true);
            MH_BARRIER(4, MM_GAP_MULTIPLY, false);
        }
        MH_STORE_TILE(5, FLOAT, GAP_STORE, false, mask, g->base[MM_C] + (row * g->n + col) * FLOAT, TILE, FLOAT, pitch);
        MH_END(1, false);
    }
}

static void mm_build(struct mh_gen *g)
{
    uint64_t tiles = g->n / TILE;

    MH_BUFFERS(g, g->n * g->n * FLOAT, g->n * g->n * FLOAT, g->n * g->n * FLOAT);
    mh_gen_launch(
        g,
        (struct mh_launch){"matrixMul", (uint32_t)(tiles * tiles), TILE * TILE, 24 /* ours */, 2 * TILE * TILE * FLOAT},
        mm_body);
}

const struct mh_kernel mh_kernel_mm = {
    .name = "MM",
    .suite = "CUDA SDK",
    .summary = "C = A B; 32 x 32 tiles in shared memory",
    MH_SIZE("matrix order", 1024, 32, 32768), /* ours; the SDK's own matrices fit in the L2 */
    MH_MULTIPLE(TILE, "the tile"),
    .build = mm_build,
};

/*
 * GEMM of PolyBench/GPU (Grauer-Gray et al. 2012, in the form of PolyBench-ACC): C = alpha A B + beta C by blocks of
 * 32 x 8 threads, an element of C each. No shared memory; like the compiled source, it stores its sum in every
 * iteration. Launch, pcs and instruction counts (gap) are those of the recording. None of the five papers uses it.
 */

enum { GEMM_A, GEMM_B, GEMM_C }; /* buffers */

enum {
    GEMM_GAP_START = 12, /* ids, bounds, address of C's element */
    GAP_SCALE = 1,       /* times beta */
    GAP_FIRST = 7,       /* to the loop's first load */

    GEMM_GAP_B = 5,   /* times alpha, address in B */
    GEMM_GAP_SUM = 1, /* multiply-add */
    GAP_EXIT = 4,     /* k++, compare, branch, return (ours: not recorded) */
    GAP_OUTSIDE = 10,
};

static void gemm_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct spot s = spot_of(g, c);
    const uint64_t mask = inside(g, s, 0, g->n, 0, g->n), row = g->n * FLOAT, sum = g->base[GEMM_C] + s.offset;
    const uint64_t a = g->base[GEMM_A] + s.row * row, b = g->base[GEMM_B] + s.col * FLOAT; /* A[i][0], B[0][j] */

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(1, FLOAT, GEMM_GAP_START, false, mask, sum, TX, FLOAT, (int64_t)row);
        MH_STORE_TILE(2, FLOAT, GAP_SCALE, true, mask, sum, TX, FLOAT, (int64_t)row);
        for (; mask && c->v[0] < g->n; c->v[0]++) {
            MH_LOAD_TILE(3, FLOAT, c->v[0] ? GAP_LOOP : GAP_FIRST, false, mask, a + c->v[0] * FLOAT, TX, 0,
                         (int64_t)row);
            MH_LOAD_TILE(4, FLOAT, GEMM_GAP_B, true, mask, b + c->v[0] * row, TX, FLOAT, 0);
            MH_STORE_TILE(5, FLOAT, GEMM_GAP_SUM, true, mask, sum, TX, FLOAT, (int64_t)row);
        }
        MH_END(mask ? GAP_EXIT : GAP_OUTSIDE, false);
    }
}

static void gemm_build(struct mh_gen *g)
{
    MH_BUFFERS(g, g->n * g->n * FLOAT, g->n * g->n * FLOAT, g->n * g->n * FLOAT);
    mh_gen_launch(g,
                  (struct mh_launch){"gemm", (uint32_t)(mh_ceil_div(g->n, TX) * mh_ceil_div(g->n, TY)), TX * TY,
                                     24 /* ours */, 0},
                  gemm_body);
}

const struct mh_kernel mh_kernel_gemm = {
    .name = "GEMM",
    .suite = "PolyBench/GPU",
    .summary = "C = alpha A B + beta C, an element per thread; not one of the papers' 49",
    MH_SIZE("matrix order", 1024, 32, 16384), /* the recorded one */
    .build = gemm_build,
};

/*
 * SGEMM: C = A B', Parboil's sgemm (cuda version, after V. Volkov): matrices by columns; a block of 16 x 8 threads
 * makes 128 x 16 elements of C, a thread a row of them in registers. Of B it loads 8 x 16 elements at a time into
 * shared memory; each thread loads its element of each of A's columns. Gaps count the source's operations as LLVM IR
 * would.
 *
 * The authors of MASK and of walk stealing publish it as MM (v3.x/pthread_benchmark of CMU-SAFARI/Mosaic and, with the
 * same matrices, of csl-iisc/DWS-HPCA2021, commit 46d6c60). These are Parboil's medium input, 1024 x 992 by 992 x 1056:
 * the product that comes with them in the first, matrix3.txt, is 1024 x 1056. `@medium` has that shape, n x 31/32 n by
 * 31/32 n x 33/32 n;
 */

enum { TILE_N = 16, HEIGHT = 8, TILE_M = TILE_N * HEIGHT };
enum { SGEMM_A, SGEMM_B, SGEMM_C }; /* buffers */
enum { SQUARE, MEDIUM };            /* variants */

enum {
    SGEMM_GAP_START = 28, /* ids, row, column, 16 zeros, loop test, address in B */

    GAP_COLUMN = 3,          /* index in A, extension, address; unrolled */
    SGEMM_GAP_MULTIPLY = 32, /* per column: 16 shared reads and multiply-adds, unrolled */
    GAP_RESULT = 4,          /* index in C, extension, address, product with alpha */
    GAP_MULTIPLY_C = 2,      /* by beta, sum */
};

/* Columns of C, and of A: whole tiles. */
static uint64_t columns(const struct mh_gen *g)
{
    return g->variant == MEDIUM ? (g->n + g->n / 32 + TILE_N - 1) / TILE_N * TILE_N : g->n;
}

static uint64_t inner(const struct mh_gen *g)
{
    return g->variant == MEDIUM ? (g->n - g->n / 32) / HEIGHT * HEIGHT : g->n;
}

static void sgemm_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t blocks = g->n / TILE_M, bx = c->cta % blocks, by = c->cta / blocks, tid = c->warp * g->lanes;
    const uint64_t mask = mh_mask_first(g->lanes), pitch = g->n * FLOAT, row = (bx * TILE_M + tid) * FLOAT;
    const uint64_t pitch_b = columns(g) * FLOAT, depth = inner(g);
    const uint64_t b = g->base[SGEMM_B] + by * TILE_N * FLOAT + tid / TILE_N * pitch_b;
    const uint64_t result = g->base[SGEMM_C] + by * TILE_N * pitch + row;

    switch (c->state) {
    case 0:
        for (; c->v[0] < depth; c->v[0] += HEIGHT) {
            MH_LOAD_TILE(1, FLOAT, c->v[0] ? GAP_LOOP : SGEMM_GAP_START, false, mask, b + c->v[0] * pitch_b, TILE_N,
                         FLOAT, (int64_t)pitch_b);
            MH_BARRIER(2, GAP_TO_SHARED, true);
            for (c->v[1] = 0; c->v[1] < HEIGHT; c->v[1]++)
                MH_LOAD(3 + (uint32_t)c->v[1], FLOAT, GAP_COLUMN + (c->v[1] ? SGEMM_GAP_MULTIPLY : 0), c->v[1] > 0,
                        mask, g->base[SGEMM_A] + row + (c->v[0] + c->v[1]) * pitch, FLOAT);
            MH_BARRIER(11, SGEMM_GAP_MULTIPLY, true);
        }
        for (c->v[0] = 0; c->v[0] < TILE_N; c->v[0]++) {
            MH_LOAD(12 + (uint32_t)c->v[0], FLOAT, GAP_RESULT, false, mask, result + c->v[0] * pitch, FLOAT);
            MH_STORE(30 + (uint32_t)c->v[0], FLOAT, GAP_MULTIPLY_C, true, mask, result + c->v[0] * pitch, FLOAT);
        }
        MH_END(1, false);
    }
}

static void sgemm_build(struct mh_gen *g)
{
    MH_BUFFERS(g, g->n * inner(g) * FLOAT, inner(g) * columns(g) * FLOAT, g->n * columns(g) * FLOAT);
    mh_gen_launch(g,
                  (struct mh_launch){"mysgemmNT", (uint32_t)(g->n / TILE_M * (columns(g) / TILE_N)), TILE_M,
                                     32 /* ours */, HEIGHT * TILE_N * FLOAT},
                  sgemm_body);
}

const struct mh_kernel mh_kernel_sgemm = {
    .name = "SGEMM",
    .suite = "Parboil",
    .summary = "C = A B' by columns; a row of 16 results a thread, tiles of B in shared memory",
    .variants = (const char *const[]){[SQUARE] = "square", [MEDIUM] = "medium", NULL},
    MH_SIZE("rows of C", 1024, 128, 32768), /* of Parboil's medium input; square it is the nearest to that */
    MH_MULTIPLE(TILE_M, "the tile"),
    .build = sgemm_build,
};
