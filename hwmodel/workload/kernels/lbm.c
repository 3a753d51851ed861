/*
 * LBM: lattice Boltzmann method in three dimensions, Parboil's lbm (opencl_nvidia, performStreamCollide_kernel): a cell
 * per thread, 120 cells of a row per block; 19 distributions and the flags are separate padded arrays. Each cell
 * gathers the distributions that its neighbours send it, reads its own flags, and stores its own results. The
 * lid-driven cavity of Parboil's inputs: cells on the walls only swap.
 *
 * LBM@cuda is the suite's CUDA form: each cell reads its own distributions and scatters the results to its neighbours.
 *
 * Gaps are those of clang 14's LLVM IR of kernel.cl, for LBM@cuda with its macro SCATTER instead of GATHER, or of clang
 * 14's PTX for sm_20. A warp with cells on a wall and others issues both sides of the branch.
 *
 * CTAs x threads at the default size: 2 launches of 18000 x 120; 361 MiB.
 */
#include "workload/gen.h"

enum { SIZE_X = 120, SIZE_Y = 120, PADDED_X = 128, PLANE = PADDED_X * SIZE_Y, MARGIN = 2 * PLANE, FLOAT = 4 };
enum { DIRECTIONS = 19, ENTRIES = 20 };
enum { OPENCL, CUDA }; /* variants */

/* Operations of LLVM IR, PTX instructions. */
#define GAP_START   14                      /* ids, index, extend, address */
#define GAP_FLAGS   MH_GAP(3, 0)            /* sum, extend, address */
#define GAP_WALL    MH_GAP(4, cuda ? 8 : 5) /* mask, compare, branch, address */
#define GAP_COLLIDE MH_GAP(151, cuda ? 159 : 161)

/* To a direction's address at the cell itself, and at a neighbour; there in PTX, too. The first one needs no more. */
enum { GAP_OWN = 3 };
static const uint8_t beside_llvm[DIRECTIONS] = {0, 6, 6, 6, 6, 5, 5, 5, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4};
static const uint8_t beside_ptx[DIRECTIONS] = {0, 6, 6, 6, 6, 3, 3, 5, 5, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3};

/* Neighbour to which direction d goes: C N S E W T B NE NW SE SW NT NB ST SB ET EB WT WB. */
static const int8_t step[DIRECTIONS][3] = {
    {0, 0, 0},   {0, 1, 0},  {0, -1, 0}, {1, 0, 0},   {-1, 0, 0},  {0, 0, 1},  {0, 0, -1},
    {1, 1, 0},   {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}, {0, 1, 1},   {0, 1, -1}, {0, -1, 1},
    {0, -1, -1}, {1, 0, 1},  {1, 0, -1}, {-1, 0, 1},  {-1, 0, -1},
};

static uint64_t entry(const struct mh_gen *g, uint64_t d)
{
    return d * PLANE * g->n * FLOAT;
}

/* Bytes from a cell to the neighbour to which direction d goes; the flags, entry 19, stay. */
static uint64_t way(uint64_t d)
{
    const int8_t *s = step[d < DIRECTIONS ? d : 0];

    return (uint64_t)(int64_t)((s[0] + s[1] * PADDED_X + s[2] * PLANE) * FLOAT);
}

static uint32_t gap_load(const struct mh_gen *g, uint64_t d)
{
    const bool cuda = g->variant == CUDA;

    if (d == 0)
        return GAP_START;
    if (d == DIRECTIONS)
        return GAP_FLAGS;
    return cuda ? MH_GAP(GAP_OWN, 0) : MH_GAP(beside_llvm[d], beside_ptx[d]);
}

/* `fluid`: of any cell. */
static uint32_t gap_store(const struct mh_gen *g, uint64_t d, bool fluid)
{
    const bool cuda = g->variant == CUDA;

    if (d == 0)
        return GAP_WALL + (fluid ? GAP_COLLIDE : 0);
    return cuda ? MH_GAP(beside_llvm[d], beside_ptx[d]) : MH_GAP(GAP_OWN, 0);
}

static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t x = c->warp * g->lanes, y = c->cta % SIZE_Y, z = c->cta / SIZE_Y;
    const uint64_t mask = mh_mask_below(x, SIZE_X, g->lanes);
    const uint64_t cell = (MARGIN + x + y * PADDED_X + z * PLANE) * FLOAT;
    const uint64_t from = g->base[c->launch] + cell, to = g->base[1 - c->launch] + cell;
    const bool wall = y == 0 || y == SIZE_Y - 1 || z == 0 || z == g->n - 1; /* else only the ends of the row are */
    const bool cuda = g->variant == CUDA;

    switch (c->state) {
    case 0:
        for (; c->v[0] < ENTRIES; c->v[0]++)
            MH_LOAD(1 + (uint32_t)c->v[0], FLOAT, gap_load(g, c->v[0]), false, mask,
                    from + entry(g, c->v[0]) - (cuda ? 0 : way(c->v[0])), FLOAT);
        for (c->v[0] = 0; c->v[0] < DIRECTIONS; c->v[0]++)
            MH_STORE(21 + (uint32_t)c->v[0], FLOAT, gap_store(g, c->v[0], !wall), c->v[0] == 0, mask,
                     to + entry(g, c->v[0]) + (cuda ? way(c->v[0]) : 0), FLOAT);
        MH_END(1, false);
    }
}

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.threads = SIZE_X, .registers = 40 /* ours */};

    l.ctas = (uint32_t)(SIZE_Y * g->n);
    for (int i = 0; i < 2; i++)
        mh_gen_buffer(g, (g->n * PLANE + 2 * MARGIN) * ENTRIES * FLOAT);
    /* The source swaps the grids after every step; two launches are one period, and relaunching goes on. */
    l.name = "performStreamCollide_kernel even", mh_gen_launch(g, l, body);
    l.name = "performStreamCollide_kernel odd", mh_gen_launch(g, l, body);
}

const struct mh_kernel mh_kernel_lbm = {
    .name = "LBM",
    .suite = "Parboil",
    .summary = "lattice Boltzmann, 120 x 120 x n cells; 20 streams in from the neighbours, 19 out",
    .size_meaning = "cells in z",
    .size_default = 150, /* Parboil's inputs */
    .size_min = 4,
    .size_max = 4096,
    .variants = (const char *const[]){[OPENCL] = "opencl", [CUDA] = "cuda", NULL},
    .build = build,
};
