/*
 * PathFinder: Rodinia's pathfinder (dynproc_kernel): the cheapest way through a grid of 100 rows of weights, row by
 * row. A launch does 20 rows: each block of 256 threads keeps a piece of the row in shared memory, a ghost zone
 * included that shrinks by a column on each side with every row, so that 216 columns are left at the end. Gaps count
 * the source's operations as LLVM IR would, or nvcc 8.0's PTX for sm_20 (github.com/lanl/PPT, PPT-GPU/benchmarks),
 * which sets its loop up in the first row.
 *
 * CTAs x threads at the default size: 5 launches of 463 x 256; 39 MiB.
 */
#include "workload/gen.h"

enum { BLOCK = 256, ROWS = 100, HEIGHT = 20, BORDER = HEIGHT, USEFUL = BLOCK - 2 * BORDER, WORD = 4 };
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
    p.high = p.x + BLOCK > (int64_t)g->n ? (int64_t)g->n - 1 - p.x : BLOCK - 1;
    return p;
}

/* Lanes at work in the launch's row i: in the grid, and not in what the ghost zone has lost. */
static uint64_t at_work(const struct mh_gen *g, const struct mh_cursor *c, struct piece p, int64_t i)
{
    const int64_t first = p.low > i + 1 ? p.low : i + 1, last = p.high < BLOCK - i - 2 ? p.high : BLOCK - i - 2;

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

static void build(struct mh_gen *g)
{
    mh_gen_buffer(g, (ROWS - 1) * g->n * WORD);
    mh_gen_buffer(g, g->n * WORD);
    mh_gen_buffer(g, g->n * WORD);
    for (int row = 0; row < ROWS - 1; row += HEIGHT)
        mh_gen_launch(g,
                      (struct mh_launch){.name = "dynproc_kernel",
                                         .ctas = (uint32_t)mh_ceil_div(g->n, USEFUL),
                                         .threads = BLOCK,
                                         .registers = 16, /* ours */
                                         .shared_bytes = 2 * BLOCK * WORD},
                      body);
}

const struct mh_kernel mh_kernel_pathfinder = {
    .name = "PathFinder",
    .suite = "Rodinia",
    .summary = "cheapest path down a grid of 100 rows; streams weights, rows in shared memory, two barriers a row",
    .size_meaning = "columns",
    .size_default = 100000, /* Rodinia's run script: 100000 100 20 */
    .size_min = 256,
    .size_max = (uint64_t)1 << 26,
    .build = build,
};
