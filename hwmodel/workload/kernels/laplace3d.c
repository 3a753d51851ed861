/*
 * LPS: laplace3D (M. Giles; in the GPGPU-Sim suite): Jacobi iteration of a 7-point stencil on an n x n x n grid. A
 * block of 32 x 4 threads marches through z with three planes of its tile and a one-point halo in shared memory; the
 * first 76 threads load a halo point each: rows above and below (32 a row), then both columns point by point, corners
 * included. Rows have a pitch of 512 bytes and its multiples, as cudaMallocPitch gives. Gaps count the source's
 * operations as LLVM IR would.
 *
 * CTAs x threads at the default size: 2 launches of 100 x 128; 10 MiB.
 */
#include "workload/gen.h"

enum { TX = 32, TY = 4, HALO = 2 * (TX + TY + 2), ROW_HALO = 2 * TX, FLOAT = 4, PITCH_STEP = 512 };
enum { PITCH, BLOCKS_X }; /* p[]; bytes of a row; blocks */

enum {
    GAP_START = 24,     /* ids, halo's and point's indices, bounds, address */
    GAP_FIRST_HALO = 4, /* shared write of the point, address */
    GAP_PLANE = 12,     /* loop test, next index, two shared reads and writes with addresses, test, address */
    GAP_HALO = 14,      /* shared write of the point, then as above */
    GAP_LAST = 2,       /* shared write */
    GAP_EDGE = 8,       /* tests for the grid's boundary, read of the point */
    GAP_SUM = 18,       /* six shared reads with addresses, five adds, product */
};

/* Halo point of a lane in its plane, relative to the block's first point; false if the thread has none. */
static bool halo_of(uint32_t thread, int64_t *x, int64_t *y)
{
    if (thread >= HALO)
        return false;
    if (thread < ROW_HALO) {
        *x = thread % TX;
        *y = thread < TX ? -1 : TY;
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
    const int64_t x0 = (int64_t)(c->cta % g->p[BLOCKS_X]) * TX, y0 = (int64_t)(c->cta / g->p[BLOCKS_X]) * TY;

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
    const uint64_t x = c->cta % g->p[BLOCKS_X] * TX, y = c->cta / g->p[BLOCKS_X] * TY + c->warp * rows;
    const uint64_t at = y * pitch + x * FLOAT, from = g->base[c->launch], to = g->base[1 - c->launch];
    const uint64_t row = mh_mask_below(x, g->n, TX);
    const uint64_t mask = (y < g->n ? row : 0) | (rows > 1 && y + 1 < g->n ? row << (g->lanes - TX) : 0);

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(1, FLOAT, GAP_START, false, mask, from + at, TX, FLOAT, (int64_t)pitch);
        MH_HALO(2, GAP_FIRST_HALO, 0);
        for (; c->v[0] < g->n; c->v[0]++) {
            if (c->v[0] + 1 < g->n) { /* the first time, shared memory has the plane that was just loaded */
                MH_LOAD_TILE(3, FLOAT, GAP_PLANE, c->v[0] == 0, mask, from + at + (c->v[0] + 1) * plane, TX, FLOAT,
                             (int64_t)pitch);
                MH_HALO(4, GAP_HALO, c->v[0] + 1);
            }
            MH_BARRIER(5, c->v[0] + 1 < g->n ? GAP_LAST : GAP_PLANE + GAP_HALO, true);
            MH_STORE_TILE(6, FLOAT, GAP_EDGE + GAP_SUM, false, mask, to + at + c->v[0] * plane, TX, FLOAT,
                          (int64_t)pitch);
            MH_BARRIER(7, mask ? 1 : 2, false);
        }
        MH_END(3, false);
    }
}

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.name = "GPU_laplace3d", .threads = TX * TY, .registers = 24 /* ours */};

    g->p[PITCH] = mh_ceil_div(g->n * FLOAT, PITCH_STEP) * PITCH_STEP;
    g->p[BLOCKS_X] = mh_ceil_div(g->n, TX);
    mh_gen_buffer(g, g->p[PITCH] * g->n * g->n);
    mh_gen_buffer(g, g->p[PITCH] * g->n * g->n);
    l.ctas = (uint32_t)(g->p[BLOCKS_X] * mh_ceil_div(g->n, TY));
    l.shared_bytes = 3 * (TX + 2) * (TY + 2) * FLOAT;
    /* The source iterates, swapping the grids; two launches are one period. */
    mh_gen_launch(g, l, laplace);
    mh_gen_launch(g, l, laplace);
}

const struct mh_kernel mh_kernel_laplace3d = {
    .name = "LPS",
    .suite = "GPGPU-Sim",
    .summary = "3-D Laplace solver; three planes with halos in shared memory",
    .size_meaning = "grid points in x, y and z",
    .size_default = 100, /* the source's */
    .size_min = 8,
    .size_max = 2048,
    .build = build,
};
