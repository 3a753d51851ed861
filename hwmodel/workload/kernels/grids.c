/* Dynamic programming and iteration over a grid in shared memory. */
#include "workload/gen.h"

/*
 * NW: Needleman-Wunsch alignment, Rodinia's nw: one launch per anti-diagonal of 16 x 16 tiles of the score matrix, to
 * the longest one (nw_kernel1) and back (nw_kernel2), one block of 16 threads per tile. A tile's left column is read a
 * matrix row apart. Matrices are (n + 1) x (n + 1). Order and instruction counts (gap) follow the recorded trace; it
 * has the shortest path where lanes diverge, and a cell's maximum is counted as in the trace's last step, where all
 * take it.
 */

enum { TILE = 16, INT = 4 };
enum { ITEMS, REFERENCE }; /* buffers */
enum { GAP_CELL = 32 };    /* six shared reads, two adds, two maxima, a write, with addresses */

/* Bytes to the element above and left of the block's tile. */
static uint64_t corner(const struct mh_gen *g, const struct mh_cursor *c)
{
    const uint64_t tiles = g->n / TILE, k = c->launch;
    uint64_t x = c->cta, y = k - c->cta;

    if (k >= tiles) { /* second kernel: tiles - 1 blocks, then one less each time */
        x = c->cta + (k - tiles + 1);
        y = tiles - c->cta - 1;
    }
    return (y * TILE * (g->n + 1) + x * TILE) * INT;
}

static void align_tile(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t all = mh_mask_first(TILE), pitch = (g->n + 1) * INT;
    const uint64_t top = g->base[ITEMS] + corner(g, c), first = top + pitch + INT;
    const uint64_t reference = g->base[REFERENCE] + corner(g, c) + pitch + INT;
    const bool second = c->launch >= g->n / TILE;
    const uint32_t pc = second ? 20 : 1;

    switch (c->state) {
    case 0:
        MH_LOAD(pc, INT, second ? 21 : 19, false, 1, top, 0);
        if (!second)
            MH_BARRIER(pc + 1, 2, true);
        for (; c->v[0] < TILE; c->v[0]++)
            MH_LOAD(pc + 2, INT, c->v[0] ? 12 : second ? 7 : 6, false, all, reference + c->v[0] * pitch, INT);
        MH_BARRIER(pc + 3, 8, true);
        MH_LOAD(pc + 4, INT, 6, false, all, top + pitch, (int64_t)pitch);
        MH_BARRIER(pc + 5, 5, true);
        MH_LOAD(pc + 6, INT, 3, false, all, top + INT, INT);
        MH_BARRIER(pc + 7, 3, true);
        for (c->v[0] = 0; c->v[0] < TILE; c->v[0]++)
            MH_BARRIER(pc + 8, 6 + GAP_CELL, false);
        if (!second)
            MH_BARRIER(pc + 9, 4, false);
        for (c->v[0] = 0; c->v[0] < TILE - 1; c->v[0]++)
            MH_BARRIER(pc + 10, (c->v[0] ? 6 : second ? 13 : 10) + GAP_CELL, false);
        for (c->v[0] = 0; c->v[0] < TILE; c->v[0]++)
            MH_STORE(pc + 11, INT, c->v[0] ? 12 : 14, false, all, first + c->v[0] * pitch, INT);
        MH_END(4, false);
    }
}

static void nw_build(struct mh_gen *g)
{
    struct mh_launch l = {.threads = TILE, .registers = 24 /* ours */};

    for (int i = 0; i < 3; i++) /* the third one is for a result that these kernels leave in place */
        mh_gen_buffer(g, (g->n + 1) * (g->n + 1) * INT);
    l.shared_bytes = ((TILE + 1) * (TILE + 1) + TILE * TILE) * INT;
    l.name = "nw_kernel1";
    for (l.ctas = 1; l.ctas <= g->n / TILE; l.ctas++)
        mh_gen_launch(g, l, align_tile);
    l.name = "nw_kernel2";
    for (l.ctas = (uint32_t)(g->n / TILE) - 1; l.ctas > 0; l.ctas--)
        mh_gen_launch(g, l, align_tile);
}

const struct mh_kernel mh_kernel_nw = {
    .name = "NW",
    .suite = "Rodinia",
    .summary = "sequence alignment; anti-diagonals of 16 x 16 tiles, half-filled warps",
    MH_SIZE("sequence length", 2048, 32, 32768), /* as recorded */
    MH_MULTIPLE(TILE, "the tile"),
    .build = nw_build,
};

/*
 * PathFinder: Rodinia's pathfinder (dynproc_kernel): the cheapest way through a grid of 100 rows of weights, row by
 * row. A launch does 20 rows: each block of 256 threads keeps a piece of the row in shared memory, a ghost zone
 * included that shrinks by a column on each side with every row, so that 216 columns are left at the end. Gaps count
 * the source's operations as LLVM IR would, or nvcc 8.0's PTX for sm_20 (github.com/lanl/PPT, PPT-GPU/benchmarks),
 * which sets its loop up in the first row.
 */

enum {
    PATHFINDER_BLOCK = 256,
    ROWS = 100,
    HEIGHT = 20,
    BORDER = HEIGHT,
    USEFUL = PATHFINDER_BLOCK - 2 * BORDER,
    WORD = 4
};
enum { WALL, RESULT }; /* buffers; two of RESULT, written in turn */

/* Operations of LLVM IR, PTX instructions. */
#define GAP_START     MH_GAP(30, 27) /* ids, bounds of the piece, neighbours clamped, range tests, extend, address */
#define GAP_TO_SHARED MH_GAP(2, 1)
#define GAP_WALL      MH_GAP(21, c->v[0] ? 22 : 49) /* four range tests, three shared reads, two minima, index, address */
#define GAP_COMPUTED  3                             /* sum, shared write */
#define GAP_IDLE      MH_GAP(6, c->v[0] ? 12 : 39) /* range tests */
#define GAP_SHIFT     MH_GAP(7, mask ? 7 : 5)      /* last row? shared read and write, i++ */
#define GAP_STORE     MH_GAP(5, 10)                /* branch, shared read, extend, address */

/* Lanes of the warp that starts at thread `tid` with low <= thread <= high. */
static uint64_t lanes_between(uint32_t tid, int64_t low, int64_t high, uint32_t lanes)
{
    const int64_t from = low > (int64_t)tid ? low - tid : 0, to = high - (int64_t)tid;

    if (to < from || from >= lanes)
        return 0;
    return mh_mask_first((uint64_t)(to < lanes ? to + 1 : lanes)) & ~mh_mask_first((uint64_t)from);
}

/* The block's piece of the row: column of its thread 0, which may lie before the row, and the threads in the grid. */
struct piece {
    int64_t x, low, high;
};

static struct piece piece_of(const struct mh_gen *g, const struct mh_cursor *c)
{
    struct piece p = {.x = (int64_t)USEFUL * c->cta - BORDER};

    p.low = p.x < 0 ? -p.x : 0;
    p.high = p.x + PATHFINDER_BLOCK > (int64_t)g->n ? (int64_t)g->n - 1 - p.x : PATHFINDER_BLOCK - 1;
    return p;
}

/* Lanes at work in the launch's row i: in the grid, and not in what the ghost zone has lost. */
static uint64_t at_work(const struct mh_gen *g, const struct mh_cursor *c, struct piece p, int64_t i)
{
    const int64_t first = p.low > i + 1 ? p.low : i + 1,
                  last = p.high < PATHFINDER_BLOCK - i - 2 ? p.high : PATHFINDER_BLOCK - i - 2;

    return lanes_between(c->warp * g->lanes, first, last, g->lanes);
}

static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint32_t tid = c->warp * g->lanes, first_row = c->launch * HEIGHT;
    const uint32_t rows = ROWS - 1 - first_row < HEIGHT ? ROWS - 1 - first_row : HEIGHT;
    const struct piece p = piece_of(g, c);
    const uint64_t at = (uint64_t)(p.x + tid) * WORD; /* inactive lanes may lie before the row */
    uint64_t mask = at_work(g, c, p, (int64_t)c->v[0]);

    switch (c->state) {
    case 0:
        MH_LOAD(1, WORD, GAP_START, false, lanes_between(tid, p.low, p.high, g->lanes),
                g->base[RESULT + c->launch % 2] + at, WORD);
        MH_BARRIER(2, GAP_TO_SHARED, true);
        for (; c->v[0] < rows; c->v[0]++) {
            mask = at_work(g, c, p, (int64_t)c->v[0]);
            MH_LOAD(3, WORD, GAP_WALL, false, mask, g->base[WALL] + (first_row + c->v[0]) * g->n * WORD + at, WORD);
            MH_BARRIER(4, mask ? GAP_COMPUTED : GAP_IDLE, mask != 0);
            if (c->v[0] + 1 == rows)
                break;
            MH_BARRIER(5, GAP_SHIFT, false);
        }
        MH_STORE(6, WORD, GAP_STORE, false, mask, g->base[RESULT + 1 - c->launch % 2] + at, WORD);
        MH_END(1, false);
    }
}

static void pathfinder_build(struct mh_gen *g)
{
    MH_BUFFERS(g, (ROWS - 1) * g->n * WORD, g->n * WORD, g->n * WORD);
    for (int row = 0; row < ROWS - 1; row += HEIGHT)
        mh_gen_launch(g,
                      (struct mh_launch){"dynproc_kernel", (uint32_t)mh_ceil_div(g->n, USEFUL), PATHFINDER_BLOCK,
                                         16 /* ours */, 2 * PATHFINDER_BLOCK * WORD},
                      body);
}

const struct mh_kernel mh_kernel_pathfinder = {
    .name = "PathFinder",
    .suite = "Rodinia",
    .summary = "cheapest path down a grid of 100 rows; streams weights, rows in shared memory, two barriers a row",
    MH_SIZE("columns", 100000, 256, (uint64_t)1 << 26), /* Rodinia's run script: 100000 100 20 */
    .build = pathfinder_build,
};

/*
 * HS: Rodinia's hotspot, a 5-point stencil of chip temperatures: 16 x 16 blocks of threads load overlapping tiles of
 * temperature and power and advance them by two time steps in shared memory, after which the inner 12 x 12 points are
 * valid and stored. Order and instruction counts (gap) follow the recorded trace; it has the shortest path where lanes
 * diverge, so the points themselves are counted from the source.
 */

enum { HOTSPOT_BLOCK = 16, STEPS = 2, INNER = HOTSPOT_BLOCK - 2 * STEPS, FLOAT = 4 };
enum { TEMP_A, TEMP_B, POWER }; /* buffers: launches alternate B to A and A to B */
enum { GAP_POINT = 30 };        /* six shared reads and a write with addresses, sixteen adds and products */

/* Lanes with first_x + tx in [0, n) and lo <= tx < hi, likewise in y. */
static uint64_t lanes_in(const struct mh_gen *g, uint32_t ty, int64_t x0, int64_t y0, int lo, int hi)
{
    const int64_t n = (int64_t)g->n;
    const uint32_t rows = g->lanes / HOTSPOT_BLOCK;
    const int64_t left = x0 + lo < 0 ? -x0 : lo, right = x0 + hi > n ? n - x0 : hi;
    uint64_t row_mask, mask = 0;

    if (right <= left)
        return 0;
    row_mask = mh_mask_first((uint64_t)right) & ~mh_mask_first((uint64_t)left);
    for (uint32_t r = 0; r < rows; r++) {
        const int64_t y = ty + r;

        if (y >= lo && y < hi && y0 + y >= 0 && y0 + y < n)
            mask |= row_mask << (r * HOTSPOT_BLOCK);
    }
    return mask;
}

/* Lanes whose point step v[0] computes: one less on each side every time. */
static uint64_t computed(const struct mh_gen *g, const struct mh_cursor *c, uint32_t ty, int64_t x0, int64_t y0)
{
    const int edge = (int)c->v[0] + 1;

    return lanes_in(g, ty, x0, y0, edge, HOTSPOT_BLOCK - edge);
}

static void hotspot(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint32_t blocks = (uint32_t)mh_ceil_div(g->n, INNER), ty = c->warp * g->lanes / HOTSPOT_BLOCK;
    const int64_t x0 = (int64_t)(c->cta % blocks) * INNER - STEPS, y0 = (int64_t)(c->cta / blocks) * INNER - STEPS;
    const int64_t pitch = (int64_t)g->n * FLOAT;
    const uint64_t at = (uint64_t)((y0 + ty) * pitch + x0 * FLOAT), in = lanes_in(g, ty, x0, y0, 0, HOTSPOT_BLOCK);
    const uint64_t temp = g->base[c->launch ? TEMP_A : TEMP_B], result = g->base[c->launch ? TEMP_B : TEMP_A];

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(1, FLOAT, 34, false, in, temp + at, HOTSPOT_BLOCK, FLOAT, pitch);
        MH_LOAD_TILE(2, FLOAT, in ? 5 : 34, false, in, g->base[POWER] + at, HOTSPOT_BLOCK, FLOAT, pitch);
        MH_BARRIER(3, in ? 3 : 36, true);
        for (; c->v[0] < STEPS; c->v[0]++) {
            if (c->v[0])
                MH_BARRIER(5, 4, false);
            MH_BARRIER(4, (c->v[0] ? 5 : 51) + (computed(g, c, ty, x0, y0) ? GAP_POINT : 0), false);
        }
        c->v[0] = STEPS - 1;
        MH_STORE_TILE(6, FLOAT, 10, false, computed(g, c, ty, x0, y0), result + at, HOTSPOT_BLOCK, FLOAT, pitch);
        MH_END(2, false);
    }
}

static void hotspot_build(struct mh_gen *g)
{
    struct mh_launch l = {.ctas = (uint32_t)(mh_ceil_div(g->n, INNER) * mh_ceil_div(g->n, INNER)),
                          .threads = HOTSPOT_BLOCK * HOTSPOT_BLOCK,
                          .registers = 24 /* ours */};

    MH_BUFFERS(g, g->n * g->n * FLOAT, g->n * g->n * FLOAT, g->n * g->n * FLOAT);
    l.shared_bytes = 3 * HOTSPOT_BLOCK * HOTSPOT_BLOCK * FLOAT;
    l.name = "hotspot"; /* two launches are one period of the source's loop */
    mh_gen_launch(g, l, hotspot);
    mh_gen_launch(g, l, hotspot);
}

const struct mh_kernel mh_kernel_hotspot = {
    .name = "HS",
    .suite = "Rodinia",
    .summary = "2-D temperature stencil; overlapping 16 x 16 tiles in shared memory",
    MH_SIZE("grid points in x and y", 1024, 32, 16384), /* as recorded */
    .build = hotspot_build,
};
