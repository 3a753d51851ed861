/* Particles in boxes, and cells of a lattice. */
#include "workload/gen.h"

/*
 * LavaMD: forces between particles in boxes, Rodinia's lavaMD (cuda, double precision): a block of 128 threads per box
 * of 100 particles; for the box itself and each of up to 26 neighbours, the neighbour's particles go to shared memory
 * and every thread adds their forces to its particle's. The sums lie in global memory and shared memory may alias them
 * for all the compiler knows: they are stored for each of the 100 particles. Gaps count the source's operations as LLVM
 * IR would, or clang 14's PTX for sm_20, which also reads each sum again before it adds to it.
 *
 * clang 14 stores them so for the source, as OpenCL and as CUDA.
 */

enum { PER_BOX = 100, BLOCK = 128, DOUBLE = 8, VECTOR = 4 * DOUBLE, WORD = 4 };
enum { BOXES, POSITIONS, CHARGES, FORCES }; /* buffers */
/* struct box_str: x, y, z, number, offset (64 bits), nn, then 26 of struct nei_str: x, y, z, number, offset. */
enum { BOX_BYTES = 656, BOX_OFFSET = 16, BOX_NN = 24, BOX_NEI = 32, NEI_BYTES = 24, NEI_NUMBER = 12 };

/* Operations of LLVM IR, PTX instructions. */
#define LAVAMD_GAP_START MH_GAP(12, 14)              /* ids, bounds, a2, address */
#define GAP_HOME         MH_GAP(6, 10)               /* addresses, bounds */
#define GAP_NEXT         1                           /* address of the next member */
#define GAP_SHARED       MH_GAP(8, 7)                /* four shared writes with addresses */
#define GAP_TEST         MH_GAP(3, c->v[0] ? 1 : 0)  /* sum, compare, branch */
#define GAP_POINTER      MH_GAP(7, 9)                /* those, compare, branch, address */
#define GAP_OFFSET       MH_GAP(2, c->v[0] ? 3 : 26) /* extend, address */
#define GAP_NEIGHBOUR    MH_GAP(5, 7)                /* addresses, bounds */
#define GAP_CHARGE       1
#define GAP_TO_SHARED    MH_GAP(10, 8) /* five shared writes with addresses */
#define GAP_SUM          3             /* bounds, address */
/* ten shared reads, distance 8, exponential 3 (or inlined), differences 3, forces 4, product, loop */
#define GAP_PARTICLE MH_GAP(31, c->v[1] ? 54 : 58)
#define GAP_ADD      MH_GAP(1, 0) /* multiply-add of the next component; with PTX address */
#define GAP_DONE     MH_GAP(3, 11)

/* Boxes 0 .. n^3 - 1, x fastest. Its k-th neighbour in the source's order, itself being number 0; -1 behind the last.
 */
static int64_t neighbour(uint64_t n, uint64_t box, uint64_t k)
{
    const int64_t x = (int64_t)(box % n), y = (int64_t)(box / n % n), z = (int64_t)(box / n / n), side = (int64_t)n;

    if (k == 0)
        return (int64_t)box;
    for (int i = 0; i < 27; i++) {
        const int64_t nx = x + i % 3 - 1, ny = y + i / 3 % 3 - 1, nz = z + i / 9 - 1;
        const bool inside = nx >= 0 && ny >= 0 && nz >= 0 && nx < side && ny < side && nz < side;

        if (inside && i != 13 && --k == 0)
            return (nz * side + ny) * side + nx;
    }
    return -1;
}

/* c->v[]: neighbour, member or particle, its box. */
static void lavamd_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes, all = mh_mask_below(tid, BLOCK, g->lanes);
    const uint64_t mask = mh_mask_below(tid, PER_BOX, g->lanes);
    const uint64_t box = g->base[BOXES] + (uint64_t)c->cta * BOX_BYTES;
    const uint64_t home = ((uint64_t)c->cta * PER_BOX + tid) * VECTOR, other = c->v[2] * PER_BOX + tid;

    switch (c->state) {
    case 0:
        MH_LOAD(1, DOUBLE, LAVAMD_GAP_START, false, all, box + BOX_OFFSET, 0);
        for (; mask && c->v[1] < 4; c->v[1]++)
            MH_LOAD(2 + (uint32_t)c->v[1], DOUBLE, c->v[1] ? GAP_NEXT : GAP_HOME, c->v[1] == 0, mask,
                    g->base[POSITIONS] + home + c->v[1] * DOUBLE, VECTOR);
        MH_BARRIER(6, GAP_SHARED, true);
        for (;; c->v[0]++) {
            MH_LOAD(7, WORD, GAP_TEST, false, all, box + BOX_NN, 0);
            if (neighbour(g->n, c->cta, c->v[0]) < 0)
                break;
            c->v[2] = (uint64_t)neighbour(g->n, c->cta, c->v[0]);
            if (c->v[0])
                MH_LOAD(8, WORD, GAP_POINTER, true, all, box + BOX_NEI + (c->v[0] - 1) * NEI_BYTES + NEI_NUMBER, 0);
            MH_LOAD(9, DOUBLE, GAP_OFFSET, true, all, g->base[BOXES] + c->v[2] * BOX_BYTES + BOX_OFFSET, 0);
            for (c->v[1] = 0; mask && c->v[1] < 4; c->v[1]++)
                MH_LOAD(10 + (uint32_t)c->v[1], DOUBLE, c->v[1] ? GAP_NEXT : GAP_NEIGHBOUR, c->v[1] == 0, mask,
                        g->base[POSITIONS] + other * VECTOR + c->v[1] * DOUBLE, VECTOR);
            MH_LOAD(14, DOUBLE, GAP_CHARGE, false, mask, g->base[CHARGES] + other * DOUBLE, DOUBLE);
            MH_BARRIER(15, GAP_TO_SHARED, true);
            for (c->v[1] = 0; mask && !g->ptx && c->v[1] < 4; c->v[1]++)
                MH_LOAD(16 + (uint32_t)c->v[1], DOUBLE, c->v[1] ? GAP_NEXT : GAP_SUM, false, mask,
                        g->base[FORCES] + home + c->v[1] * DOUBLE, VECTOR);
            for (c->v[1] = 0; mask && c->v[1] < 4 * PER_BOX; c->v[1]++) {
                if (g->ptx)
                    MH_LOAD(16 + (uint32_t)c->v[1] % 4, DOUBLE, c->v[1] % 4 ? GAP_ADD : GAP_PARTICLE, false, mask,
                            g->base[FORCES] + home + c->v[1] % 4 * DOUBLE, VECTOR);
                MH_STORE(20 + (uint32_t)c->v[1] % 4, DOUBLE, MH_GAP(c->v[1] % 4 ? GAP_ADD : GAP_PARTICLE, 1),
                         g->ptx || c->v[1] == 0, mask, g->base[FORCES] + home + c->v[1] % 4 * DOUBLE, VECTOR);
            }
            MH_BARRIER(24, GAP_DONE, false);
        }
        MH_END(MH_GAP(3, 5), true);
    }
}

static void lavamd_build(struct mh_gen *g)
{
    uint64_t boxes;

    boxes = g->n * g->n * g->n;
    MH_BUFFERS(g, boxes * BOX_BYTES, boxes * PER_BOX * VECTOR, boxes * PER_BOX * DOUBLE, boxes * PER_BOX * VECTOR);
    mh_gen_launch(
        g,
        (struct mh_launch){"kernel_gpu_cuda", (uint32_t)boxes, BLOCK, 40 /* ours */, PER_BOX * (2 * VECTOR + DOUBLE)},
        lavamd_body);
}

const struct mh_kernel mh_kernel_lavamd = {
    .name = "LavaMD",
    .suite = "Rodinia",
    .summary = "particle forces between neighbouring boxes; stores of 32 bytes a lane apart, again and again",
    MH_SIZE("boxes in x, y and z", 10, 1, 256), /* Rodinia's run script */
    .build = lavamd_build,
};

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
 */

enum { SIZE_X = 120, SIZE_Y = 120, PADDED_X = 128, PLANE = PADDED_X * SIZE_Y, MARGIN = 2 * PLANE, FLOAT = 4 };
enum { DIRECTIONS = 19, ENTRIES = 20 };
enum { OPENCL, CUDA }; /* variants */

/* Operations of LLVM IR, PTX instructions. */
#define LBM_GAP_START 14                      /* ids, index, extend, address */
#define GAP_FLAGS     MH_GAP(3, 0)            /* sum, extend, address */
#define GAP_WALL      MH_GAP(4, cuda ? 8 : 5) /* mask, compare, branch, address */
#define GAP_COLLIDE   MH_GAP(151, cuda ? 159 : 161)

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
        return LBM_GAP_START;
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

static void lbm_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
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

static void lbm_build(struct mh_gen *g)
{
    struct mh_launch l = {.ctas = (uint32_t)(SIZE_Y * g->n), .threads = SIZE_X, .registers = 40 /* ours */};

    MH_BUFFERS(g, (g->n * PLANE + 2 * MARGIN) * ENTRIES * FLOAT, (g->n * PLANE + 2 * MARGIN) * ENTRIES * FLOAT);
    /* The source swaps the grids after every step; two launches are one period, and relaunching goes on. */
    l.name = "performStreamCollide_kernel even", mh_gen_launch(g, l, lbm_body);
    l.name = "performStreamCollide_kernel odd", mh_gen_launch(g, l, lbm_body);
}

const struct mh_kernel mh_kernel_lbm = {
    .name = "LBM",
    .suite = "Parboil",
    .summary = "lattice Boltzmann, 120 x 120 x n cells; 20 streams in from the neighbours, 19 out",
    MH_SIZE("cells in z", 150, 4, 4096), /* Parboil's inputs */
    .variants = (const char *const[]){[OPENCL] = "opencl", [CUDA] = "cuda", NULL},
    .build = lbm_build,
};
