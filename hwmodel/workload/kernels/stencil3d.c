/* Stencils of three dimensions. */
#include "workload/gen.h"

/*
 * 3DS: 7-point stencil on a 3-D grid, Parboil's stencil (cuda version, block2D_hybrid_coarsen_x): a 32 x 4 block of
 * threads covers 64 x 4 points of a plane, two per thread, and marches through z with the current plane in shared
 * memory; halo points come from global memory. The papers do not say which 3-D stencil their 3DS is; this choice is
 * ours. Gaps count the source's operations as LLVM IR would.
 */

enum { TX = 32, STENCIL3D_TY = 4, WIDTH = 2 * TX, FLOAT = 4 };
enum { NZ, GRID_X }; /* p[] */

/* c->v[1] is the thread's point: 0, or 1 for the one TX to the right; the two are separate code. */
#define PC_HALF (uint32_t) c->v[1]
#define SIDE    (c->v[1] ? FLOAT : (uint64_t)-FLOAT) /* to the neighbour in another block */

enum {
    STENCIL3D_GAP_START = 24, /* ids, indices, two shared writes, the seven boundary flags */
    GAP_LOAD = 8,             /* bounds test, Index3D, address */
    GAP_FILL = 4,             /* address of plane 1 from that of plane 0, shared address */
    GAP_SHARED = 2,           /* shared write */
    GAP_TOP = 6,              /* bounds test, Index3D of k + 1 */
    STENCIL3D_GAP_HALO = 5,   /* boundary test, Index3D, address */
    GAP_POINT = 14,           /* shared reads with addresses, five adds, two products, subtraction, address */
    GAP_SWAP = 8,             /* two shared reads and writes with addresses */
    GAP_LOOP = 3,             /* k++, compare, branch */
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
    const uint64_t j = (uint64_t)(c->cta / grid_x) * STENCIL3D_TY + ty, row0 = mh_mask_first(TX);
    struct part p = {.offset = (j * g->n + i) * FLOAT};

    p.in_grid = mask_rows(j, g->n, mh_mask_below(i, g->n, TX), rows);
    p.inner = mask_rows(j, g->n - 1, mh_mask_below(i, g->n - 1, TX), rows);
    if (i == 0)
        p.inner &= ~mh_mask_column(0, TX, g->lanes);
    if (j == 0)
        p.inner &= ~row0;
    p.side = p.inner & mh_mask_column(right ? TX - 1 : 0, TX, g->lanes);
    p.down = ty == 0 ? p.inner & row0 : 0;
    p.up = ty + rows == STENCIL3D_TY ? p.inner & row0 << (TX * (rows - 1)) : 0;
    return p;
}

static void stencil3d_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const int64_t row = (int64_t)g->n * FLOAT;
    const uint64_t plane = g->n * g->n * FLOAT, from = g->base[c->launch], to = g->base[1 - c->launch];
    struct part p = part_of(g, c, c->v[1]);
    uint64_t at = p.offset + c->v[0] * plane;

    switch (c->state) {
    case 0:
        MH_BARRIER(1, STENCIL3D_GAP_START, false);
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
                MH_LOAD_TILE(11 + 10 * PC_HALF, FLOAT, STENCIL3D_GAP_HALO, false, p.side, from + at + SIDE, TX, FLOAT,
                             row);
                MH_LOAD_TILE(12 + 10 * PC_HALF, FLOAT, STENCIL3D_GAP_HALO, false, p.down, from + at - (uint64_t)row, TX,
                             FLOAT, row);
                MH_LOAD_TILE(13 + 10 * PC_HALF, FLOAT, STENCIL3D_GAP_HALO, false, p.up, from + at + (uint64_t)row, TX,
                             FLOAT, row);
                MH_STORE_TILE(14 + 10 * PC_HALF, FLOAT, GAP_POINT, true, p.inner, to + at, TX, FLOAT, row);
            }
            MH_BARRIER(30, 1, false);
            MH_BARRIER(31, GAP_SWAP, true);
        }
        MH_END(GAP_LOOP, false);
    }
}

static void stencil3d_build(struct mh_gen *g)
{
    struct mh_launch launch = {.threads = TX * STENCIL3D_TY, .registers = 28 /* ours */};

    g->p[NZ] = g->n / 8;
    g->p[GRID_X] = mh_ceil_div(g->n, WIDTH);
    launch.ctas = (uint32_t)(g->p[GRID_X] * mh_ceil_div(g->n, STENCIL3D_TY));
    launch.shared_bytes = WIDTH * STENCIL3D_TY * FLOAT;
    MH_BUFFERS(g, g->n * g->n * g->p[NZ] * FLOAT, g->n * g->n * g->p[NZ] * FLOAT);
    /* The source iterates 100 times, swapping the grids; two launches are one period, and relaunching goes on. */
    launch.name = "block2D_hybrid_coarsen_x even", mh_gen_launch(g, launch, stencil3d_body);
    launch.name = "block2D_hybrid_coarsen_x odd", mh_gen_launch(g, launch, stencil3d_body);
}

const struct mh_kernel mh_kernel_stencil3d = {
    .name = "3DS",
    .suite = "Parboil",
    .summary = "7-point stencil on n x n x n/8; two points a thread, planes in shared memory",
    MH_SIZE("points in x and y; z has an eighth", 512, 24, 2048), /* Parboil's default input, 512 x 512 x 64 */
    .build = stencil3d_build,
};

/*
 * LPS: laplace3D (M. Giles; in the GPGPU-Sim suite): Jacobi iteration of a 7-point stencil on an n x n x n grid. A
 * block of 32 x 4 threads marches through z with three planes of its tile and a one-point halo in shared memory; the
 * first 76 threads load a halo point each: rows above and below (32 a row), then both columns point by point, corners
 * included. Rows have a pitch of 512 bytes and its multiples, as cudaMallocPitch gives. Gaps count the source's
 * operations as LLVM IR would.
 */

enum { LAPLACE3D_TY = 4, HALO = 2 * (TX + LAPLACE3D_TY + 2), ROW_HALO = 2 * TX, PITCH_STEP = 512 };
enum { PITCH, BLOCKS_X }; /* p[]; bytes of a row; blocks */

enum {
    LAPLACE3D_GAP_START = 24, /* ids, halo's and point's indices, bounds, address */
    GAP_FIRST_HALO = 4,       /* shared write of the point, address */
    LAPLACE3D_GAP_PLANE = 12, /* loop test, next index, two shared reads and writes with addresses, test, address */
    LAPLACE3D_GAP_HALO = 14,  /* shared write of the point, then as above */
    GAP_LAST = 2,             /* shared write */
    GAP_EDGE = 8,             /* tests for the grid's boundary, read of the point */
    GAP_SUM = 18,             /* six shared reads with addresses, five adds, product */
};

/* Halo point of a lane in its plane, relative to the block's first point; false if the thread has none. */
static bool halo_of(uint32_t thread, int64_t *x, int64_t *y)
{
    if (thread >= HALO)
        return false;
    if (thread < ROW_HALO) {
        *x = thread % TX;
        *y = thread < TX ? -1 : LAPLACE3D_TY;
    } else {
        *x = thread % 2 ? TX : -1;
        *y = (int64_t)(thread / 2) - TX - 1;
    }
    return true;
}

/* Fills in the lanes' halo points in plane z; leaves the mask 0 where there are none. */
static void halo(const struct mh_gen *g, const struct mh_cursor *c, struct mh_op *op, uint64_t *addr, uint64_t z)
{
    const int64_t n = (int64_t)g->n, pitch = (int64_t)g->p[PITCH];
    const int64_t x0 = (int64_t)(c->cta % g->p[BLOCKS_X]) * TX, y0 = (int64_t)(c->cta / g->p[BLOCKS_X]) * LAPLACE3D_TY;

    op->list = true;
    for (uint32_t l = 0; l < g->lanes; l++) {
        int64_t x, y;

        if (!halo_of(c->warp * g->lanes + l, &x, &y) || x + x0 < 0 || x + x0 >= n || y + y0 < 0 || y + y0 >= n)
            continue;
        op->mask |= (uint64_t)1 << l;
        addr[l] = g->base[c->launch] + (uint64_t)((((int64_t)z * n + y + y0) * pitch) + (x + x0) * FLOAT);
    }
}

#define MH_HALO(pc, gap, z)                                                                                            \
    do {                                                                                                               \
        mh_op_affine(op, MH_OP_LOAD, pc, FLOAT, gap, false, 0, 0, 0);                                                  \
        halo(g, c, op, addr, z);                                                                                       \
        if (op->mask)                                                                                                  \
            MH_YIELD;                                                                                                  \
    } while (0)

static void laplace(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t pitch = g->p[PITCH], plane = g->n * pitch, rows = g->lanes / TX;
    const uint64_t x = c->cta % g->p[BLOCKS_X] * TX, y = c->cta / g->p[BLOCKS_X] * LAPLACE3D_TY + c->warp * rows;
    const uint64_t at = y * pitch + x * FLOAT, from = g->base[c->launch], to = g->base[1 - c->launch];
    const uint64_t row = mh_mask_below(x, g->n, TX);
    const uint64_t mask = (y < g->n ? row : 0) | (rows > 1 && y + 1 < g->n ? row << (g->lanes - TX) : 0);

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(1, FLOAT, LAPLACE3D_GAP_START, false, mask, from + at, TX, FLOAT, (int64_t)pitch);
        MH_HALO(2, GAP_FIRST_HALO, 0);
        for (; c->v[0] < g->n; c->v[0]++) {
            if (c->v[0] + 1 < g->n) { /* the first time, shared memory has the plane that was just loaded */
                MH_LOAD_TILE(3, FLOAT, LAPLACE3D_GAP_PLANE, c->v[0] == 0, mask, from + at + (c->v[0] + 1) * plane, TX,
                             FLOAT, (int64_t)pitch);
                MH_HALO(4, LAPLACE3D_GAP_HALO, c->v[0] + 1);
            }
            MH_BARRIER(5, c->v[0] + 1 < g->n ? GAP_LAST : LAPLACE3D_GAP_PLANE + LAPLACE3D_GAP_HALO, true);
            MH_STORE_TILE(6, FLOAT, GAP_EDGE + GAP_SUM, false, mask, to + at + c->v[0] * plane, TX, FLOAT,
                          (int64_t)pitch);
            MH_BARRIER(7, mask ? 1 : 2, false);
        }
        MH_END(3, false);
    }
}

static void laplace3d_build(struct mh_gen *g)
{
    struct mh_launch l = {.name = "GPU_laplace3d", .threads = TX * LAPLACE3D_TY, .registers = 24 /* ours */};

    g->p[PITCH] = mh_ceil_div(g->n * FLOAT, PITCH_STEP) * PITCH_STEP;
    g->p[BLOCKS_X] = mh_ceil_div(g->n, TX);
    MH_BUFFERS(g, g->p[PITCH] * g->n * g->n, g->p[PITCH] * g->n * g->n);
    l.ctas = (uint32_t)(g->p[BLOCKS_X] * mh_ceil_div(g->n, LAPLACE3D_TY));
    l.shared_bytes = 3 * (TX + 2) * (LAPLACE3D_TY + 2) * FLOAT;
    /* The source iterates, swapping the grids; two launches are one period. */
    mh_gen_launch(g, l, laplace);
    mh_gen_launch(g, l, laplace);
}

const struct mh_kernel mh_kernel_laplace3d = {
    .name = "LPS",
    .suite = "GPGPU-Sim",
    .summary = "3-D Laplace solver; three planes with halos in shared memory",
    MH_SIZE("grid points in x, y and z", 100, 8, 2048), /* the source's */
    .build = laplace3d_build,
};

/*
 * 3DS8: finite differences of eighth order in space on a 2n x n x n grid (CUDA SDK's 3DFD, P. Micikevicius, as in the
 * MAFIA suite, whose 3DS it is): a block of 32 x 8 threads marches through z with the points in front and behind in
 * registers and the plane, with a halo of eight points on each side, in shared memory. Four neighbours each way are
 * used; planes are written from the fifth on. Halo points are not checked against the grid's sides: they are the
 * neighbouring rows' and planes' in memory. Coefficients are read from global memory, since the store of the result may
 * alias them. Gaps count the source's operations as LLVM IR would.
 *
 * MASK's authors publish it as 3DS (CMU-SAFARI/Mosaic, v3.x/pthread_benchmark).
 */

enum { STENCIL_ORDER8_TY = 8, RADIUS = 8, ORDER = 4, COEFFICIENTS = 10 };
enum { INPUT, OUTPUT, COEFFICIENT }; /* buffers */

enum {
    STENCIL_ORDER8_GAP_START = 16, /* ids, point, stride, address */
    GAP_AHEAD = 2,                 /* index, address */
    GAP_MOVE = 9,                 /* loop test, index, address; the eight points move by renaming in an unrolled loop */
    GAP_ABOVE = 6,                /* compare, branch, shared address, index, address */
    GAP_BELOW = 4,                /* shared address and write, index, address */
    STENCIL_ORDER8_GAP_PLANE = 4, /* shared writes with addresses */
    GAP_FIRST = 1,                /* address */
    GAP_RING = 16,                /* four shared addresses and reads, five sums, product and sum */
    GAP_STORE = 3,                /* last sum, index, address */
};

static void stencil_order8_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t width = 2 * g->n, row = width * FLOAT, plane = g->n * row, blocks = width / TX;
    const uint64_t x = c->cta % blocks * TX, y = c->cta / blocks * STENCIL_ORDER8_TY + c->warp * g->lanes / TX;
    const uint64_t at = y * row + x * FLOAT, mask = mh_mask_first(g->lanes);
    const uint64_t side = mask & (mh_mask_first(RADIUS) | mh_mask_first(RADIUS) << TX);
    const uint64_t mid = g->base[INPUT] + at + (c->v[0] - ORDER) * plane;

    switch (c->state) {
    case 0:
        for (; c->v[0] < 2 * ORDER; c->v[0]++)
            MH_LOAD_TILE(1 + (uint32_t)c->v[0], FLOAT, c->v[0] ? GAP_AHEAD : STENCIL_ORDER8_GAP_START, false, mask,
                         g->base[INPUT] + at + c->v[0] * plane, TX, FLOAT, (int64_t)row);
        for (; c->v[0] < g->n - RADIUS; c->v[0]++) {
            MH_LOAD_TILE(10, FLOAT, GAP_MOVE, false, mask, g->base[INPUT] + at + c->v[0] * plane, TX, FLOAT,
                         (int64_t)row);
            MH_BARRIER(11, 1, false);
            MH_LOAD_TILE(12, FLOAT, GAP_ABOVE, false, mask, mid - RADIUS * row, TX, FLOAT, (int64_t)row);
            MH_LOAD_TILE(13, FLOAT, GAP_BELOW, true, mask, mid + STENCIL_ORDER8_TY * row, TX, FLOAT, (int64_t)row);
            MH_LOAD_TILE(14, FLOAT, GAP_ABOVE, true, side, mid - RADIUS * FLOAT, TX, FLOAT, (int64_t)row);
            MH_LOAD_TILE(15, FLOAT, GAP_BELOW, true, side, mid + TX * FLOAT, TX, FLOAT, (int64_t)row);
            MH_BARRIER(16, STENCIL_ORDER8_GAP_PLANE, true);
            for (c->v[1] = 0; c->v[1] <= ORDER; c->v[1]++)
                MH_LOAD(17 + (uint32_t)c->v[1], FLOAT, c->v[1] ? GAP_RING : GAP_FIRST, false, mask,
                        g->base[COEFFICIENT] + c->v[1] * FLOAT, 0);
            MH_STORE_TILE(25, FLOAT, GAP_RING + GAP_STORE, true, mask, g->base[OUTPUT] - g->base[INPUT] + mid, TX,
                          FLOAT, (int64_t)row);
        }
        MH_END(3, false);
    }
}

static void stencil_order8_build(struct mh_gen *g)
{
    MH_BUFFERS(g, 2 * g->n * g->n * g->n * FLOAT, 2 * g->n * g->n * g->n * FLOAT, COEFFICIENTS * FLOAT);
    mh_gen_launch(g,
                  (struct mh_launch){"stencil_3D_order8", (uint32_t)(2 * g->n / TX * (g->n / STENCIL_ORDER8_TY)),
                                     TX * STENCIL_ORDER8_TY, 32 /* ours */,
                                     (STENCIL_ORDER8_TY + 2 * RADIUS) * (TX + 2 * RADIUS) * FLOAT},
                  stencil_order8_body);
}

const struct mh_kernel mh_kernel_stencil_order8 = {
    .name = "3DS8",
    .suite = "CUDA SDK",
    .summary = "eighth-order stencil on 2n x n x n; four planes ahead in registers, halos of eight in shared memory",
    MH_SIZE("points in y and z; x has twice as many", 128, 32, 1024), /* the MAFIA suite's, 256 x 128 x 128 */
    MH_MULTIPLE(TX, "the source has no bounds tests"),
    .build = stencil_order8_build,
};
