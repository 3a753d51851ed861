/*
 * SC: Rodinia's streamcluster (cuda): would opening a centre at point x lower the cost? A launch per candidate x; a
 * thread per point adds up the squared distance over all dimensions (coordinates lie dimension by dimension, those of x
 * are read by all), compares it with the cost of the point's present centre, and adds the difference to one of its own
 * K + 1 sums, the candidate's or its centre's, found through a table. Points are 32-byte structures.
 *
 * Points are uniform in 256 dimensions, as in the source's default run; that there are 16 centres, each the nearest to
 * its points, and four candidates, none of which is opened, is ours. Gaps count the source's operations as LLVM IR
 * would.
 *
 * SC@opencl is the suite's OpenCL form (pgain_kernel): work-groups of 256, of which the first thread copies the
 * candidate's coordinates to shared memory; points of 24 bytes; a point that the candidate is nearer to does not read
 * its sum. Its gaps are those of clang 14's LLVM IR. The kernel that clears two arrays before each launch is left out.
 */
#include "workload/gen.h"

#include <stdlib.h>

enum { CUDA, OPENCL, GROUP = 256 }; /* variants; the second one's threads */
enum { BLOCK = 512, DIMENSIONS = 256, CENTRES = 16, CANDIDATES = 4, FLOAT = 4, LONG = 8 };
enum { POINT = 32, WEIGHT = 0, ASSIGN = 16, COST = 24, SUMS = (CENTRES + 1) * FLOAT }; /* bytes */
enum { CL_POINT = 24, CL_ASSIGN = 8, CL_COST = 16 };
enum { COORDINATES, TABLE, SWITCH, POINTS, WORK }; /* buffers */

enum {
    GAP_START = 12,   /* ids, bounds, lower, loop's start, two addresses */
    GAP_ADDRESS = 3,  /* multiplication, add, address */
    GAP_DISTANCE = 6, /* difference, multiply-add, i++, compare, branch, add */
    GAP_COST = 3,     /* product, address */
    GAP_BRANCH = 4,   /* compare, branch, address */
    GAP_UPDATE = 2,   /* difference, sum */
};

/* What the distances decide. */
struct outcome {
    uint32_t candidate[CANDIDATES];
    uint8_t *point; /* low bits: nearest centre; bit 4 + c: candidate c is nearer */
};

static uint64_t nearer(const struct mh_gen *g, uint64_t first, uint64_t mask, uint32_t candidate)
{
    const struct outcome *o = g->data;
    MH_KEEP_LANES(mask, l, o->point[first + l] >> (4 + candidate) & 1);
    return mask;
}

/* The table's entry for each lane's centre, or the lane's sum for it. Points number centres by their own index, and the
 * first ones are the centres. */
static void list_centre(const struct mh_gen *g, struct mh_op *op, uint64_t *addr, uint64_t first, bool sums)
{
    const struct outcome *o = g->data;

    op->list = true;
    for (uint64_t m = op->mask; m; m &= m - 1) {
        const unsigned l = (unsigned)__builtin_ctzll(m);
        const uint64_t centre = o->point[first + l] & (CENTRES - 1);

        addr[l] = sums ? g->base[WORK] + (first + l) * SUMS + centre * FLOAT : g->base[TABLE] + centre * FLOAT;
    }
}

#define MH_CENTRE(kind, pc, gap, mask, sums)                                                                           \
    do {                                                                                                               \
        if (mask) {                                                                                                    \
            mh_op_affine(op, kind, pc, FLOAT, gap, true, mask, 0, 0);                                                  \
            list_centre(g, op, addr, first, sums);                                                                     \
            MH_YIELD;                                                                                                  \
        }                                                                                                              \
    } while (0)

/* c->v[0]: dimension; c->v[1]: lanes that the candidate is nearer to */
static void compute_cost(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t first = mh_thread(g, c, BLOCK), mask = mh_mask_below(first, g->n, g->lanes);
    const uint64_t x = ((const struct outcome *)g->data)->candidate[c->launch], point = g->base[POINTS] + first * POINT;
    const uint64_t own = g->base[WORK] + first * SUMS + CENTRES * FLOAT;

    switch (c->state) {
    case 0:
        for (; mask && c->v[0] < DIMENSIONS; c->v[0]++) {
            MH_LOAD(1, FLOAT, c->v[0] ? GAP_DISTANCE : GAP_START, c->v[0] > 0, mask,
                    g->base[COORDINATES] + (c->v[0] * g->n + first) * FLOAT, FLOAT);
            MH_LOAD(2, FLOAT, GAP_ADDRESS, false, mask, g->base[COORDINATES] + (c->v[0] * g->n + x) * FLOAT, 0);
        }
        c->v[1] = nearer(g, first, mask, c->launch);
        MH_LOAD(3, FLOAT, GAP_DISTANCE, true, mask, point + WEIGHT, POINT);
        MH_LOAD(4, FLOAT, GAP_COST, true, mask, point + COST, POINT);
        MH_STORE(5, 1, GAP_BRANCH, true, c->v[1], g->base[SWITCH] + first, 1);
        MH_LOAD(6, FLOAT, 1, false, c->v[1], point + COST, POINT);
        MH_LOAD(7, FLOAT, 2, false, c->v[1], own, SUMS);
        MH_STORE(8, FLOAT, GAP_UPDATE, true, c->v[1], own, SUMS);
        MH_LOAD(9, FLOAT, GAP_BRANCH, true, mask & ~c->v[1], point + COST, POINT);
        MH_LOAD(10, LONG, 1, false, mask & ~c->v[1], point + ASSIGN, POINT);
        MH_CENTRE(MH_OP_LOAD, 11, 1, mask & ~c->v[1], false);
        MH_CENTRE(MH_OP_LOAD, 12, GAP_ADDRESS, mask & ~c->v[1], true);
        MH_CENTRE(MH_OP_STORE, 13, GAP_UPDATE, mask & ~c->v[1], true);
        MH_END(1, false);
    }
}

/* c->v[0]: dimension; c->v[1]: lanes that the candidate is nearer to */
static void pgain(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t first = mh_thread(g, c, GROUP), mask = mh_mask_below(first, g->n, g->lanes);
    const uint64_t x = ((const struct outcome *)g->data)->candidate[c->launch];
    const uint64_t point = g->base[POINTS] + first * CL_POINT, own = g->base[WORK] + first * SUMS + CENTRES * FLOAT;

    switch (c->state) {
    case 0:
        for (; c->warp == 0 && mask && c->v[0] < DIMENSIONS; c->v[0]++)
            MH_LOAD(14, FLOAT, c->v[0] ? 10 : 14, c->v[0] > 0, 1, g->base[COORDINATES] + (c->v[0] * g->n + x) * FLOAT,
                    0);
        MH_BARRIER(15, c->warp ? 10 : 6, c->warp == 0);
        for (c->v[0] = 0; mask && c->v[0] < DIMENSIONS; c->v[0]++)
            MH_LOAD(1, FLOAT, c->v[0] ? 12 : 5, c->v[0] > 0, mask,
                    g->base[COORDINATES] + (c->v[0] * g->n + first) * FLOAT, FLOAT);
        c->v[1] = nearer(g, first, mask, c->launch);
        MH_LOAD(3, FLOAT, 10, true, mask, point + WEIGHT, CL_POINT);
        MH_LOAD(4, FLOAT, 2, true, mask, point + CL_COST, CL_POINT);
        MH_STORE(5, 1, 5, true, c->v[1], g->base[SWITCH] + first, 1);
        MH_STORE(8, FLOAT, 4, false, c->v[1], own, SUMS);
        MH_LOAD(10, LONG, c->v[1] ? 2 : 5, c->v[1] == 0, mask & ~c->v[1], point + CL_ASSIGN, CL_POINT);
        MH_CENTRE(MH_OP_LOAD, 11, 3, mask & ~c->v[1], false);
        MH_CENTRE(MH_OP_LOAD, 12, 4, mask & ~c->v[1], true);
        MH_CENTRE(MH_OP_STORE, 13, 1, mask & ~c->v[1], true);
        MH_END(mask ? 1 : 0, false);
    }
}

/* Four coordinates of 16 bits a random number. */
static void make_point(uint16_t *to, uint64_t seed, uint64_t point)
{
    for (uint32_t d = 0; d < DIMENSIONS; d += 4) {
        const uint64_t r = mh_random(seed, point * (DIMENSIONS / 4) + d / 4);

        for (uint32_t i = 0; i < 4; i++)
            to[d + i] = (uint16_t)(r >> 16 * i);
    }
}

static uint64_t distance(const uint16_t *a, const uint16_t *b)
{
    uint64_t sum = 0;

    for (uint32_t d = 0; d < DIMENSIONS; d++) {
        const int32_t difference = (a[d] >> 2) - (b[d] >> 2); /* 14 bits: a square fits 32 */

        sum += (uint32_t)(difference * difference);
    }
    return sum;
}

/* Nearest centre (the first CENTRES points) and nearer candidates of one point. */
static uint8_t outcome_of(const uint16_t *point, const uint16_t fixed[CENTRES + CANDIDATES][DIMENSIONS])
{
    uint64_t cost = UINT64_MAX;
    uint8_t result = 0;

    for (uint32_t k = 0; k < CENTRES; k++) {
        const uint64_t d = distance(point, fixed[k]);

        if (d < cost) {
            cost = d;
            result = (uint8_t)k;
        }
    }
    for (uint32_t k = 0; k < CANDIDATES; k++)
        result |= (uint8_t)((distance(point, fixed[CENTRES + k]) < cost) << (4 + k));
    return result;
}

static bool make_outcome(struct mh_gen *g)
{
    uint16_t fixed[CENTRES + CANDIDATES][DIMENSIONS], point[DIMENSIONS];
    struct outcome *o = malloc(sizeof *o + g->n);

    g->data = o;
    if (!o)
        return false;
    o->point = (uint8_t *)(o + 1);
    for (uint32_t k = 0; k < CANDIDATES; k++)
        o->candidate[k] = (uint32_t)(CENTRES + mh_random(~g->seed, k) % (g->n - CENTRES));
    for (uint32_t k = 0; k < CENTRES + CANDIDATES; k++)
        make_point(fixed[k], g->seed, k < CENTRES ? k : o->candidate[k - CENTRES]);
    for (uint64_t i = 0; i < g->n; i++) {
        make_point(point, g->seed, i);
        o->point[i] = outcome_of(point, (const uint16_t(*)[DIMENSIONS])fixed);
    }
    return true;
}

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.name = "kernel_compute_cost", .threads = BLOCK, .registers = 18 /* ours */};
    const bool opencl = g->variant == OPENCL;

    MH_BUFFERS(g, g->n * DIMENSIONS * FLOAT, g->n * FLOAT, g->n, g->n * (opencl ? CL_POINT : POINT), (g->n + 1) * SUMS);
    g->no_memory |= !make_outcome(g);
    if (opencl)
        l.name = "pgain_kernel", l.threads = GROUP, l.shared_bytes = DIMENSIONS * FLOAT;
    l.ctas = (uint32_t)mh_ceil_div(g->n, l.threads);
    for (int i = 0; i < CANDIDATES; i++)
        mh_gen_launch(g, l, opencl ? pgain : compute_cost);
}

const struct mh_kernel mh_kernel_streamcluster = {
    .name = "SC",
    .suite = "Rodinia",
    .summary = "clustering cost of points in 256 dimensions; streaming, 32-byte structures, 68-byte strides",
    MH_SIZE("points", 65536, 64, 1 << 18), /* the source's usual run: 64 MiB of coordinates */
    .variants = (const char *const[]){[CUDA] = "cuda", [OPENCL] = "opencl", NULL},
    .build = build,
};
