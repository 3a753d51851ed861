/* Stencils of two dimensions, and filters of images. */
#include "workload/kernels/spot.h"
#include "workload/gen.h"

/*
 * 2DCONV, 3DCONV and FDTD of PolyBench/GPU (Grauer-Gray et al. 2012, in the form of PolyBench-ACC): stencils by blocks
 * of 32 x 8 threads, a point each, x along the rows of an array of n columns, no shared memory. 3DCONV launches once
 * per inner plane, FDTD three kernels per time step. Launches, pcs and instruction counts (gap) of 2DCONV and FDTD are
 * those of the recordings; 3DCONV's are those of clang 14's LLVM IR of its OpenCL source: points of the rim and inside
 * meet again at one store.
 *
 * FDTD generates two of the source's 500 time steps.
 */

enum { FLOAT = 4, CONV_LOADS = 9, CONV3_LOADS = 11 };

enum { I, MASK, REST, OFFSET }; /* c->v[] */

/* Before the warp's first op: the lanes inside, and where they begin. */
static struct spot enter(const struct mh_gen *g, struct mh_cursor *c, uint64_t row0, uint64_t row1, uint64_t col0,
                         uint64_t col1)
{
    const struct spot s = spot_of(g, c);

    c->v[MASK] = inside(g, s, row0, row1, col0, col1);
    c->v[OFFSET] = s.offset;
    return s;
}

/* ---- 2DCONV: B = A convolved with a 3 x 3 mask; the rim is left alone ---- */

static void conv2d(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    static const uint8_t gap[CONV_LOADS] = {20, 3, 6, 5, 4, 4, 6, 4, 4};

    if (!c->state)
        enter(g, c, 1, g->n - 1, 1, g->n - 1);
    const uint64_t mask = c->v[MASK], offset = c->v[OFFSET], row = g->n * FLOAT;
    const uint64_t corner = g->base[0] + offset - row - FLOAT;

    switch (c->state) {
    case 0:
        for (; mask && c->v[I] < CONV_LOADS; c->v[I]++)
            MH_LOAD_TILE(1 + (uint32_t)c->v[I], FLOAT, gap[c->v[I]], false, mask,
                         corner + c->v[I] / 3 * row + c->v[I] % 3 * FLOAT, TX, FLOAT, (int64_t)row);
        MH_STORE_TILE(10, FLOAT, 2, true, mask, g->base[1] + offset, TX, FLOAT, (int64_t)row);
        MH_END(mask ? 2 : 10, false);
    }
}

/* ---- 3DCONV: one plane of B from three of A; the rim of the plane is zeroed ---- */

/* What the warp issues before its store: the sum, the rim's index, or both. */
static uint32_t gap_of_plane(const struct mh_gen *g, const struct mh_cursor *c)
{
    enum { SUM = 2, BOUNDS = 10, ALL_BOUNDS = 19, RIM = 6, STORE = 1 };

    if (c->v[MASK])
        return SUM + (c->v[REST] ? RIM : 0) + STORE;
    /* The last row fails the first test of two. */
    return (c->v[OFFSET] < (g->n - 1) * g->n * FLOAT ? ALL_BOUNDS : BOUNDS) + RIM + STORE;
}

static void conv3d(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    static const uint8_t gap[CONV3_LOADS] = {29, 6, 11, 5, 6, 5, 4, 5, 5, 4, 4};
    /* Plane, row and column less one of each point the source reads, each once. */
    static const uint8_t at[CONV3_LOADS][3] = {{0, 0, 0}, {2, 0, 0}, {1, 0, 1}, {1, 1, 1}, {1, 2, 1}, {0, 0, 2},
                                               {2, 0, 2}, {0, 1, 2}, {2, 1, 2}, {0, 2, 2}, {2, 2, 2}};

    if (!c->state)
        c->v[REST] = inside(g, enter(g, c, 1, g->n - 1, 1, g->n - 1), 0, g->n, 0, g->n) & ~c->v[MASK];
    const uint64_t mask = c->v[MASK], rim = c->v[REST], row = g->n * FLOAT, plane = g->n * row;
    const uint8_t *p = at[c->v[I] < CONV3_LOADS ? c->v[I] : 0]; /* of the op at hand: v[I] changes between ops only */
    const uint64_t corner = g->base[0] + c->launch * plane + c->v[OFFSET] - row - FLOAT;
    const uint64_t result = g->base[1] + (c->launch + 1) * plane + c->v[OFFSET];

    switch (c->state) {
    case 0:
        for (; mask && c->v[I] < CONV3_LOADS; c->v[I]++) {
            p = at[c->v[I]];
            MH_LOAD_TILE(1 + (uint32_t)c->v[I], FLOAT, gap[c->v[I]], false, mask,
                         corner + p[0] * plane + p[1] * row + p[2] * FLOAT, TX, FLOAT, (int64_t)row);
        }
        MH_STORE_TILE(12, FLOAT, gap_of_plane(g, c), mask != 0, mask | rim, result, TX, FLOAT, (int64_t)row);
        MH_END(1, false);
    }
}

/* ---- FDTD: electric and magnetic field of a plane, step by step ---- */

enum { FICT, EX, EY, HZ }; /* buffers */
enum { STENCIL2D_STEPS = 2, ALL_STEPS = 500 };

static void fdtd1(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    if (!c->state)
        c->v[REST] = inside(g, enter(g, c, 1, g->n, 0, g->n), 0, 1, 0, g->n);
    const uint64_t inner = c->v[MASK], edge = c->v[REST], row = g->n * FLOAT;
    const uint64_t ey = g->base[EY] + c->v[OFFSET], hz = g->base[HZ] + c->v[OFFSET];

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(1, FLOAT, MH_GAP(14, 24), false, inner, ey, TX, FLOAT, (int64_t)row);
        MH_LOAD_TILE(2, FLOAT, MH_GAP(2, 1), false, inner, hz, TX, FLOAT, (int64_t)row);
        MH_LOAD_TILE(3, FLOAT, MH_GAP(5, 3), false, inner, hz - row, TX, FLOAT, (int64_t)row);
        MH_STORE_TILE(4, FLOAT, MH_GAP(4, 2), true, inner, ey, TX, FLOAT, (int64_t)row);
        MH_LOAD_TILE(5, FLOAT, MH_GAP(13, 24), false, edge, g->base[FICT] + c->launch / 3 * FLOAT, TX, 0, 0);
        MH_STORE_TILE(6, FLOAT, MH_GAP(3, 2), true, edge, ey, TX, FLOAT, (int64_t)row);
        MH_END(MH_GAP(2, inner ? 2 : 1), false);
    }
}

static void fdtd2(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    if (!c->state)
        enter(g, c, 0, g->n, 1, g->n);
    const uint64_t mask = c->v[MASK], row = g->n * FLOAT;
    const uint64_t ex = g->base[EX] + c->v[OFFSET], hz = g->base[HZ] + c->v[OFFSET];

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(7, FLOAT, MH_GAP(14, 24), false, mask, ex, TX, FLOAT, (int64_t)row);
        MH_LOAD_TILE(8, FLOAT, MH_GAP(2, 1), false, mask, hz, TX, FLOAT, (int64_t)row);
        MH_LOAD_TILE(9, FLOAT, 3, false, mask, hz - FLOAT, TX, FLOAT, (int64_t)row);
        MH_STORE_TILE(10, FLOAT, MH_GAP(4, 2), true, mask, ex, TX, FLOAT, (int64_t)row);
        MH_END(MH_GAP(2, 1), false);
    }
}

static void fdtd3(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    if (!c->state)
        enter(g, c, 0, g->n - 1, 0, g->n - 1);
    const uint64_t mask = c->v[MASK], offset = c->v[OFFSET], row = g->n * FLOAT;
    const uint64_t ex = g->base[EX] + offset, ey = g->base[EY] + offset, hz = g->base[HZ] + offset;

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(11, FLOAT, MH_GAP(14, 27), false, mask, hz, TX, FLOAT, (int64_t)row);
        MH_LOAD_TILE(12, FLOAT, MH_GAP(4, 1), false, mask, ex + FLOAT, TX, FLOAT, (int64_t)row);
        MH_LOAD_TILE(13, FLOAT, MH_GAP(1, 0), false, mask, ex, TX, FLOAT, (int64_t)row);
        MH_LOAD_TILE(14, FLOAT, MH_GAP(6, 2), false, mask, ey + row, TX, FLOAT, (int64_t)row);
        MH_LOAD_TILE(15, FLOAT, MH_GAP(2, 1), false, mask, ey, TX, FLOAT, (int64_t)row);
        MH_STORE_TILE(16, FLOAT, MH_GAP(4, 2), true, mask, hz, TX, FLOAT, (int64_t)row);
        MH_END(MH_GAP(mask ? 2 : 10, mask ? 1 : 17), false);
    }
}

/* ---- all three ---- */

static struct mh_launch launch_of(const struct mh_gen *g, const char *name)
{
    return (struct mh_launch){.name = name,
                              .ctas = (uint32_t)(mh_ceil_div(g->n, TX) * mh_ceil_div(g->n, TY)),
                              .threads = TX * TY,
                              .registers = 20}; /* ours */
}

static void build_conv2d(struct mh_gen *g)
{
    MH_BUFFERS(g, g->n * g->n * FLOAT, g->n * g->n * FLOAT);
    mh_gen_launch(g, launch_of(g, "Convolution2D_kernel"), conv2d);
}

static void build_conv3d(struct mh_gen *g)
{
    MH_BUFFERS(g, g->n * g->n * g->n * FLOAT, g->n * g->n * g->n * FLOAT);
    for (uint64_t i = 1; i < g->n - 1; i++)
        mh_gen_launch(g, launch_of(g, "Convolution3D_kernel"), conv3d);
}

static void build_fdtd(struct mh_gen *g)
{
    MH_BUFFERS(g, ALL_STEPS * FLOAT, g->n * g->n * FLOAT, g->n * g->n * FLOAT, g->n * g->n * FLOAT);
    for (int t = 0; t < STENCIL2D_STEPS; t++) {
        mh_gen_launch(g, launch_of(g, "fdtd_kernel1"), fdtd1);
        mh_gen_launch(g, launch_of(g, "fdtd_kernel2"), fdtd2);
        mh_gen_launch(g, launch_of(g, "fdtd_kernel3"), fdtd3);
    }
}

const struct mh_kernel mh_kernel_conv2d = {
    .name = "2DCONV",
    .suite = "PolyBench/GPU",
    .summary = "3 x 3 convolution of an image; nine overlapping loads, one store",
    MH_SIZE("image width and height", 4096, 3, 32768), /* the suite's STANDARD size, as recorded */
    .build = build_conv2d,
};

const struct mh_kernel mh_kernel_conv3d = {
    .name = "3DCONV",
    .suite = "PolyBench/GPU",
    .summary = "3 x 3 x 3 convolution of a volume; a launch per plane",
    MH_SIZE("points in x, y and z", 256, 32, 2048), /* the suite's STANDARD size */
    MH_MULTIPLE(TX, "the source zeroes what its blocks overhang"),
    .build = build_conv3d,
};

const struct mh_kernel mh_kernel_fdtd = {
    .name = "FDTD",
    .suite = "PolyBench/GPU",
    .summary = "2-D finite differences in the time domain; streams three fields, two time steps",
    MH_SIZE("points in x and y", 2048, 2, 32768), /* the suite's STANDARD size, as recorded */
    .build = build_fdtd,
};

/*
 * CONS: CUDA SDK convolutionSeparable: a 17-point filter along the rows of an n x n image, then along the columns. A
 * block computes eight tiles in a row (16 x 4 threads) or in a column (16 x 8), from ten tiles in shared memory, the
 * outer two being halo. Warps cover two or four rows of 16 pixels. Gaps count the source's operations as LLVM IR would;
 * the filter is in constant memory. The loops over tiles are unrolled, as in the source.
 */

enum {
    CONVOLUTION_TX = 16,
    ROWS_TY = 4,
    COLUMNS_TY = 8,
    CONVOLUTION_STEPS = 8,
    TILES = CONVOLUTION_STEPS + 2,
    TAPS = 17
};
enum { INPUT, OUTPUT, BUFFER }; /* buffers */

enum {
    GAP_START = 16,        /* ids, tile's base, pointers, address */
    GAP_TILE = 3,          /* shared write with its address, global address */
    GAP_HALO = 5,          /* bounds test and branch besides */
    GAP_FILTER = 4 * TAPS, /* per tap: shared address, read, constant, multiply-add */
};

/* Order of the source: the tiles to compute, then the halo before and behind. */
static uint32_t tile(const struct mh_cursor *c)
{
    return c->v[0] < CONVOLUTION_STEPS ? (uint32_t)c->v[0] + 1 : c->v[0] == CONVOLUTION_STEPS ? 0 : TILES - 1;
}

/* First pixel of the warp in tile `t`; false if that lies outside of the image. */
static bool pixel(const struct mh_gen *g, const struct mh_cursor *c, uint32_t t, uint64_t *at)
{
    const bool columns = c->launch == 1;
    const uint64_t across = g->n / (columns ? CONVOLUTION_TX : CONVOLUTION_STEPS * CONVOLUTION_TX),
                   bx = c->cta % across, by = c->cta / across;
    const uint64_t row = c->warp * g->lanes / CONVOLUTION_TX;
    const uint64_t step =
        columns ? by * CONVOLUTION_STEPS + t : bx * CONVOLUTION_STEPS + t; /* tiles from one before the image's first */
    uint64_t x, y;

    if (step == 0 || (step - 1) * (columns ? COLUMNS_TY : CONVOLUTION_TX) >= g->n)
        return false;
    x = columns ? bx * CONVOLUTION_TX : (step - 1) * CONVOLUTION_TX;
    y = columns ? (step - 1) * COLUMNS_TY + row : by * ROWS_TY + row;
    *at = (y * g->n + x) * FLOAT;
    return true;
}

static void convolve(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t from = g->base[c->launch ? BUFFER : INPUT], to = g->base[c->launch ? OUTPUT : BUFFER];
    const int64_t pitch = (int64_t)g->n * FLOAT;
    const uint32_t pc = 20 * c->launch + 1;
    uint64_t at = 0, mask = mh_mask_first(g->lanes);

    switch (c->state) {
    case 0:
        for (; c->v[0] < TILES; c->v[0]++) {
            mask = pixel(g, c, tile(c), &at) ? mh_mask_first(g->lanes) : 0;
            MH_LOAD_TILE(pc + (uint32_t)c->v[0], FLOAT,
                         c->v[0] == 0                  ? GAP_START
                         : c->v[0] < CONVOLUTION_STEPS ? GAP_TILE
                                                       : GAP_TILE + GAP_HALO,
                         false, mask, from + at, CONVOLUTION_TX, FLOAT, pitch);
        }
        MH_BARRIER(pc + 10, GAP_TILE, true);
        for (c->v[0] = 1; c->v[0] <= CONVOLUTION_STEPS; c->v[0]++) {
            (void)pixel(g, c, (uint32_t)c->v[0], &at);
            MH_STORE_TILE(pc + 10 + (uint32_t)c->v[0], FLOAT, GAP_FILTER + 1, false, mask, to + at, CONVOLUTION_TX,
                          FLOAT, pitch);
        }
        MH_END(1, false);
    }
}

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.registers = 24 /* ours */};

    MH_BUFFERS(g, g->n * g->n * FLOAT, g->n * g->n * FLOAT, g->n * g->n * FLOAT);
    l.name = "convolutionRowsKernel", l.threads = CONVOLUTION_TX * ROWS_TY;
    l.ctas = (uint32_t)(g->n / (CONVOLUTION_STEPS * CONVOLUTION_TX) * (g->n / ROWS_TY));
    l.shared_bytes = ROWS_TY * TILES * CONVOLUTION_TX * FLOAT;
    mh_gen_launch(g, l, convolve);
    l.name = "convolutionColumnsKernel", l.threads = CONVOLUTION_TX * COLUMNS_TY;
    l.ctas = (uint32_t)(g->n / CONVOLUTION_TX * (g->n / (CONVOLUTION_STEPS * COLUMNS_TY)));
    l.shared_bytes = CONVOLUTION_TX * (TILES * COLUMNS_TY + 1) * FLOAT;
    mh_gen_launch(g, l, convolve);
}

const struct mh_kernel mh_kernel_convolution = {
    .name = "CONS",
    .suite = "CUDA SDK",
    .summary = "separable 17-point filter of an image; 16-wide tiles with halos in shared memory",
    MH_SIZE("image width and height", 3072, 128, 16384), /* the source's */
    MH_MULTIPLE(CONVOLUTION_STEPS *CONVOLUTION_TX, "a block's row of tiles"),
    .build = build,
};
