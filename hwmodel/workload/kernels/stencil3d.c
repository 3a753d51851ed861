/*
 * 3DS: 7-point stencil on a 3-D grid, Parboil's stencil (cuda version, block2D_hybrid_coarsen_x): a 32 x 4 block of
 * threads covers 64 x 4 points of a plane, two per thread, and marches through z with the current plane in shared
 * memory; halo points come from global memory. The papers do not say which 3-D stencil their 3DS is; this choice is
 * ours. Gaps count the source's operations as LLVM IR would.
 *
 * CTAs x threads at the default size: 2 launches of 1024 x 128; 128 MiB.
 */
#include "workload/gen.h"

enum { TX = 32, TY = 4, WIDTH = 2 * TX, FLOAT = 4 };
enum { NZ, GRID_X }; /* p[] */

/* c->v[1] is the thread's point: 0, or 1 for the one TX to the right; the two are separate code. */
#define PC_HALF (uint32_t) c->v[1]
#define SIDE    (c->v[1] ? FLOAT : (uint64_t)-FLOAT) /* to the neighbour in another block */

enum {
    GAP_START = 24, /* ids, indices, two shared writes, the seven boundary flags */
    GAP_LOAD = 8,   /* bounds test, Index3D, address */
    GAP_FILL = 4,   /* address of plane 1 from that of plane 0, shared address */
    GAP_SHARED = 2, /* shared write */
    GAP_TOP = 6,    /* bounds test, Index3D of k + 1 */
    GAP_HALO = 5,   /* boundary test, Index3D, address */
    GAP_POINT = 14, /* shared reads with addresses, five adds, two products, subtraction, address */
    GAP_SWAP = 8,   /* two shared reads and writes with addresses */
    GAP_LOOP = 3,   /* k++, compare, branch */
};

/* What a warp's lanes are in one half of the block: TX columns, one or two rows. Masks of lanes. */
struct part {
    uint64_t offset;   /* of the first lane's point in its plane, bytes */
    uint64_t in_grid;  /* has a point */
    uint64_t inner;    /* updates it */
    uint64_t side;     /* of the inner ones, those whose left (right) neighbour belongs to another block */
    uint64_t down, up; /* likewise in y */
};

static uint64_t mask_rows(uint64_t first, uint64_t limit, uint64_t row_mask, uint32_t rows)
{
    uint64_t mask = 0;

    for (uint32_t r = 0; r < rows; r++)
        if (first + r < limit)
            mask |= row_mask << (TX * r);
    return mask;
}

/* `right`: the thread's second point, TX columns to the right of the first. */
static struct part part_of(const struct mh_gen *g, const struct mh_cursor *c, bool right)
{
    const uint32_t grid_x = (uint32_t)g->p[GRID_X], rows = g->lanes / TX, ty = c->warp * rows;
    const uint64_t i = (uint64_t)(c->cta % grid_x) * WIDTH + (right ? TX : 0);
    const uint64_t j = (uint64_t)(c->cta / grid_x) * TY + ty, row0 = mh_mask_first(TX);
    struct part p = {.offset = (j * g->n + i) * FLOAT};

    p.in_grid = mask_rows(j, g->n, mh_mask_below(i, g->n, TX), rows);
    p.inner = mask_rows(j, g->n - 1, mh_mask_below(i, g->n - 1, TX), rows);
    if (i == 0)
        p.inner &= ~mh_mask_column(0, TX, g->lanes);
    if (j == 0)
        p.inner &= ~row0;
    p.side = p.inner & mh_mask_column(right ? TX - 1 : 0, TX, g->lanes);
    p.down = ty == 0 ? p.inner & row0 : 0;
    p.up = ty + rows == TY ? p.inner & row0 << (TX * (rows - 1)) : 0;
    return p;
}

static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const int64_t row = (int64_t)g->n * FLOAT;
    const uint64_t plane = g->n * g->n * FLOAT, from = g->base[c->launch], to = g->base[1 - c->launch];
    struct part p = part_of(g, c, c->v[1]);
    uint64_t at = p.offset + c->v[0] * plane;

    switch (c->state) {
    case 0:
        MH_BARRIER(1, GAP_START, false);
        for (; c->v[1] < 2; c->v[1]++) {
            p = part_of(g, c, c->v[1]);
            MH_LOAD_TILE(2 + 2 * PC_HALF, FLOAT, GAP_LOAD, false, p.in_grid, from + p.offset, TX, FLOAT, row);
            MH_LOAD_TILE(3 + 2 * PC_HALF, FLOAT, GAP_FILL, false, p.in_grid, from + p.offset + plane, TX, FLOAT, row);
        }
        MH_BARRIER(6, 2 * GAP_SHARED, true);
        for (c->v[0] = 1; c->v[0] < g->p[NZ] - 1; c->v[0]++) {
            for (c->v[1] = 0; c->v[1] < 2; c->v[1]++) {
                p = part_of(g, c, c->v[1]);
                at = p.offset + c->v[0] * plane;
                MH_LOAD_TILE(10 + 10 * PC_HALF, FLOAT, GAP_TOP, false, p.in_grid, from + at + plane, TX, FLOAT, row);
                MH_LOAD_TILE(11 + 10 * PC_HALF, FLOAT, GAP_HALO, false, p.side, from + at + SIDE, TX, FLOAT, row);
                MH_LOAD_TILE(12 + 10 * PC_HALF, FLOAT, GAP_HALO, false, p.down, from + at - (uint64_t)row, TX, FLOAT,
                             row);
                MH_LOAD_TILE(13 + 10 * PC_HALF, FLOAT, GAP_HALO, false, p.up, from + at + (uint64_t)row, TX, FLOAT,
                             row);
                MH_STORE_TILE(14 + 10 * PC_HALF, FLOAT, GAP_POINT, true, p.inner, to + at, TX, FLOAT, row);
            }
            MH_BARRIER(30, 1, false);
            MH_BARRIER(31, GAP_SWAP, true);
        }
        MH_END(GAP_LOOP, false);
    }
}

static void build(struct mh_gen *g)
{
    struct mh_launch launch = {.threads = TX * TY, .registers = 28 /* ours */};

    g->p[NZ] = g->n / 8;
    g->p[GRID_X] = mh_ceil_div(g->n, WIDTH);
    launch.ctas = (uint32_t)(g->p[GRID_X] * mh_ceil_div(g->n, TY));
    launch.shared_bytes = WIDTH * TY * FLOAT;
    mh_gen_buffer(g, g->n * g->n * g->p[NZ] * FLOAT);
    mh_gen_buffer(g, g->n * g->n * g->p[NZ] * FLOAT);
    /* The source iterates 100 times, swapping the grids; two launches are one period, and relaunching goes on. */
    launch.name = "block2D_hybrid_coarsen_x even";
    mh_gen_launch(g, launch, body);
    launch.name = "block2D_hybrid_coarsen_x odd";
    mh_gen_launch(g, launch, body);
}

const struct mh_kernel mh_kernel_stencil3d = {
    .name = "3DS",
    .suite = "Parboil",
    .summary = "7-point stencil on n x n x n/8; two points a thread, planes in shared memory",
    .size_meaning = "points in x and y; z has an eighth",
    .size_default = 512, /* Parboil's default input, 512 x 512 x 64 */
    .size_min = 24,
    .size_max = 2048,
    .build = build,
};
