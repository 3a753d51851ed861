/*
 * LBM: lattice Boltzmann method in three dimensions, Parboil's lbm (cuda, performStreamCollide_kernel): a cell per
 * thread, 120 cells of a row per block; 19 distributions and the flags are separate padded arrays; each cell reads its
 * own (and its flags) and scatters the results to its neighbours. The lid-driven cavity of Parboil's inputs: cells on
 * the walls only swap. Gaps count the source's operations as LLVM IR would, or clang 14's PTX for
 * sm_20.
 *
 * CTAs x threads at the default size: 2 launches of 18000 x 120; 361 MiB.
 */
#include "workload/gen.h"

enum { SIZE_X = 120, SIZE_Y = 120, PADDED_X = 128, PLANE = PADDED_X * SIZE_Y, MARGIN = 2 * PLANE, FLOAT = 4 };
enum { DIRECTIONS = 19, ENTRIES = 20 };

/* Operations of LLVM IR, PTX instructions. */
#define GAP_START   MH_GAP(12, 14)   /* ids, index, extend, address */
#define GAP_NEXT    MH_GAP(1, 0)     /* address */
#define GAP_WALL    MH_GAP(6, 8)     /* mask, compare, branch; the swaps are only names */
#define GAP_COLLIDE MH_GAP(190, 159) /* density 18, velocities 27, three quotients, lid 3, square 7, 19 results 130 */

/* PTX instructions of each direction's address. */
static const uint8_t scatter[DIRECTIONS] = {0, 6, 6, 6, 6, 3, 3, 5, 5, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3};

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

static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t x = c->warp * g->lanes, y = c->cta % SIZE_Y, z = c->cta / SIZE_Y;
    const uint64_t mask = mh_mask_below(x, SIZE_X, g->lanes);
    const uint64_t cell = (MARGIN + x + y * PADDED_X + z * PLANE) * FLOAT;
    const uint64_t from = g->base[c->launch] + cell, to = g->base[1 - c->launch] + cell;
    const bool wall = y == 0 || y == SIZE_Y - 1 || z == 0 || z == g->n - 1; /* else only the ends of the row are */

    (void)addr;
    MH_BEGIN;
    for (; c->v[0] < ENTRIES; c->v[0]++) /* the flags are entry 19 */
        MH_LOAD(1 + (uint32_t)c->v[0], FLOAT, c->v[0] ? GAP_NEXT : GAP_START, false, mask, from + entry(g, c->v[0]),
                FLOAT);
    for (c->v[0] = 0; c->v[0] < DIRECTIONS; c->v[0]++)
        MH_STORE(21 + (uint32_t)c->v[0], FLOAT,
                 c->v[0] ? MH_GAP(1, scatter[c->v[0]])
                 : wall  ? GAP_WALL
                         : GAP_WALL + GAP_COLLIDE,
                 c->v[0] == 0, mask,
                 to + entry(g, c->v[0]) +
                     (uint64_t)(int64_t)((step[c->v[0]][0] + step[c->v[0]][1] * PADDED_X + step[c->v[0]][2] * PLANE) *
                                         FLOAT),
                 FLOAT);
    MH_END(1, false);
}

static struct mh_workload *create(const struct mh_kernel_args *args, struct mh_error *err)
{
    struct mh_gen *g = mh_gen_new(args, err);
    struct mh_launch l = {.threads = SIZE_X, .registers = 40 /* ours */};

    if (!g)
        return NULL;
    l.ctas = (uint32_t)(SIZE_Y * g->n);
    for (int i = 0; i < 2; i++)
        mh_gen_buffer(g, (g->n * PLANE + 2 * MARGIN) * ENTRIES * FLOAT);
    /* The source swaps the grids after every step; two launches are one period, and relaunching goes on. */
    l.name = "performStreamCollide_kernel even", mh_gen_launch(g, l, body);
    l.name = "performStreamCollide_kernel odd", mh_gen_launch(g, l, body);
    return mh_gen_finish(g, err);
}

const struct mh_kernel mh_kernel_lbm = {
    .name = "LBM",
    .suite = "Parboil",
    .summary = "lattice Boltzmann, 120 x 120 x n cells; 20 streams in, 19 out to the neighbours",
    .size_meaning = "cells in z",
    .size_default = 150, /* Parboil's inputs */
    .size_min = 4,
    .size_max = 4096,
    .create = create,
};
