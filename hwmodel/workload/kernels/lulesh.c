/*
 * LULESH: six main loops of one time step of LULESH 1.0 (Lagrangian hydrodynamics on n^3 hexahedra, double precision)
 * as its CUDA version has them: stress of elements, their corner forces from the coordinates of the eight nodes in the
 * node list, sum of the corner forces of each node through the node's corner list, acceleration, velocity and position
 * of nodes, and kinematics of elements, which gathers coordinates and velocities again. Lists and corner forces lie
 * corner by corner. Left out: hourglass forces, gradients of artificial viscosity, equation of state, time constraints.
 * Gaps count the source's operations as LLVM IR would; divisions and roots are 8 each.
 */
#include "workload/gen.h"

enum { BLOCK = 256, INDEX = 4, REAL = 8, CORNERS = 8, AXES = 3 };
/* Buffers; those with axes are three in a row. */
enum {
    NODE_LIST,
    CORNER_LIST,
    CORNER_COUNT,
    POSITION,
    VELOCITY = POSITION + AXES,
    ACCELERATION = VELOCITY + AXES,
    FORCE = ACCELERATION + AXES,
    MASS = FORCE + AXES,
    CORNER_FORCE,
    STRESS = CORNER_FORCE + AXES,
    PRESSURE = STRESS + AXES,
    VISCOSITY,
    VOLUME_OLD,
    VOLUME,
    VOLUME_NEW,
    VOLUME_CHANGE,
    LENGTH,
    STRAIN,
    DETERMINANT = STRAIN + AXES,
    BUFFERS,
};
enum { ELEMENTS, NODES }; /* p[] */

enum {
    GAP_START = 8,
    GAP_ADDRESS = 2,
    GAP_STRESS = 3,     /* -p - q, address */
    GAP_GATHER = 2,     /* extension, address */
    GAP_SHAPE = 210,    /* shape function derivatives, volume, face normals: products and sums */
    GAP_CORNER = 5,     /* three products with the stress, addresses */
    GAP_COUNT = 3,      /* loop test */
    GAP_SUM = 4,        /* three sums, i++ */
    GAP_DIVIDE = 10,    /* force / mass, address */
    GAP_MOVE = 5,       /* multiply-add, cutoff, address */
    GAP_VOLUME = 160,   /* volume by triple products, relative volume with a division */
    GAP_LENGTH = 190,   /* areas of six faces, root and division */
    GAP_MIDPOINT = 200, /* coordinates half a step back, derivatives, velocity gradient */
};

/* Steps to a corner's node in x, y and z, and the corner with these steps. */
static const uint8_t corner_step[CORNERS][AXES] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
static const uint8_t corner_at[CORNERS] = {0, 1, 3, 2, 4, 5, 7, 6};

/* Address of the warp's part of row `row` of an array with `count` columns. */
static uint64_t at(const struct mh_gen *g, const struct mh_cursor *c, uint64_t buffer, uint64_t row, uint64_t count,
                   uint64_t bytes)
{
    return g->base[buffer] + (row * count + mh_thread(g, c, BLOCK)) * bytes;
}

static uint64_t element(const struct mh_gen *g, const struct mh_cursor *c, uint64_t buffer, uint64_t row)
{
    return at(g, c, buffer, row, g->p[ELEMENTS], REAL);
}

static uint64_t node(const struct mh_gen *g, const struct mh_cursor *c, uint64_t buffer)
{
    return at(g, c, buffer, 0, g->p[NODES], REAL);
}

/* Each lane's element's corner c->v[1], axis c->v[2], of a nodal array. */
static void gather_corner(const struct mh_gen *g, const struct mh_cursor *c, struct mh_op *op, uint64_t *addr,
                          int buffer)
{
    const uint64_t n = g->n, edge = n + 1, first = mh_thread(g, c, BLOCK);
    const uint8_t *s = corner_step[c->v[1]];
    const uint64_t base = g->base[(uint64_t)buffer + c->v[2]] + ((s[2] * edge + s[1]) * edge + s[0]) * REAL;
    uint64_t x = first % n, y = first / n % n, z = first / n / n;

    op->list = true;
    for (uint32_t l = 0; l < g->lanes; l++) {
        addr[l] = base + ((z * edge + y) * edge + x) * REAL;
        if (++x == n) {
            x = 0;
            if (++y == n) {
                y = 0;
                z++;
            }
        }
    }
}

/* Position in the corner forces of each lane's node's i-th corner, in order of elements; drops lanes with fewer. */
static void gather_force(const struct mh_gen *g, struct mh_op *op, uint64_t *addr, uint64_t first, uint64_t i,
                         uint64_t buffer)
{
    const uint64_t n = g->n, edge = n + 1;

    op->list = true;
    for (uint64_t m = op->mask; m; m &= m - 1) {
        const unsigned l = (unsigned)__builtin_ctzll(m);
        const uint64_t x = (first + l) % edge, y = (first + l) / edge % edge, z = (first + l) / edge / edge;
        uint64_t seen = 0, found = CORNERS;

        for (uint64_t k = CORNERS; k-- > 0 && found == CORNERS;) /* bits: how far below the node the element begins */
            if (x - (k & 1) < n && y - (k >> 1 & 1) < n && z - (k >> 2) < n && seen++ == i)
                found = k;
        if (found == CORNERS) {
            op->mask &= ~((uint64_t)1 << l);
            continue;
        }
        addr[l] = g->base[buffer] + (corner_at[found] * g->p[ELEMENTS] +
                                     ((z - (found >> 2)) * n + y - (found >> 1 & 1)) * n + x - (found & 1)) *
                                        REAL;
    }
}

#define MH_CORNER(pc, gap, wait, mask, buffer)                                                                         \
    do {                                                                                                               \
        if (mask) {                                                                                                    \
            mh_op_affine(op, MH_OP_LOAD, pc, REAL, gap, wait, mask, 0, 0);                                             \
            gather_corner(g, c, op, addr, buffer);                                                                     \
            MH_YIELD;                                                                                                  \
        }                                                                                                              \
    } while (0)

static void init_stress(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_below(mh_thread(g, c, BLOCK), g->p[ELEMENTS], g->lanes);

    switch (c->state) {
    case 0:
        MH_LOAD(1, REAL, GAP_START, false, mask, element(g, c, PRESSURE, 0), REAL);
        MH_LOAD(2, REAL, GAP_ADDRESS, false, mask, element(g, c, VISCOSITY, 0), REAL);
        for (; c->v[0] < AXES; c->v[0]++)
            MH_STORE(3, REAL, c->v[0] ? GAP_ADDRESS : GAP_STRESS, c->v[0] == 0, mask,
                     element(g, c, STRESS + c->v[0], 0), REAL);
        MH_END(1, false);
    }
}

/* c->v[1]: corner; c->v[2]: axis */
static void integrate_stress(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_below(mh_thread(g, c, BLOCK), g->p[ELEMENTS], g->lanes);

    switch (c->state) {
    case 0:
        for (; c->v[1] < CORNERS; c->v[1]++) {
            MH_LOAD(4, INDEX, c->v[1] ? GAP_ADDRESS : GAP_START, false, mask,
                    at(g, c, NODE_LIST, c->v[1], g->p[ELEMENTS], INDEX), INDEX);
        }
        for (c->v[1] = 0; c->v[1] < CORNERS; c->v[1]++)
            for (c->v[2] = 0; c->v[2] < AXES; c->v[2]++)
                MH_CORNER(5, GAP_GATHER, c->v[1] == 0 && c->v[2] == 0, mask, POSITION);
        MH_STORE(6, REAL, GAP_SHAPE, true, mask, element(g, c, DETERMINANT, 0), REAL);
        for (c->v[2] = 0; c->v[2] < AXES; c->v[2]++)
            MH_LOAD(7, REAL, GAP_ADDRESS, false, mask, element(g, c, STRESS + c->v[2], 0), REAL);
        for (c->v[1] = 0; c->v[1] < CORNERS; c->v[1]++)
            for (c->v[2] = 0; c->v[2] < AXES; c->v[2]++)
                MH_STORE(8, REAL, GAP_CORNER, c->v[1] == 0 && c->v[2] == 0, mask,
                         element(g, c, CORNER_FORCE + c->v[2], c->v[1]), REAL);
        MH_END(1, false);
    }
}

/* c->v[0]: lanes that have corner number c->v[1] */
static void add_forces(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t first = mh_thread(g, c, BLOCK), mask = mh_mask_below(first, g->p[NODES], g->lanes);

    switch (c->state) {
    case 0:
        MH_LOAD(10, INDEX, GAP_START, false, mask, at(g, c, CORNER_COUNT, 0, 0, INDEX), INDEX);
        for (c->v[0] = mask; c->v[1] < CORNERS; c->v[1]++) {
            mh_op_affine(op, MH_OP_LOAD, 12, REAL, 0, true, c->v[0], 0, 0);
            gather_force(g, op, addr, first, c->v[1], CORNER_FORCE);
            c->v[0] = op->mask;
            MH_LOAD(11, INDEX, GAP_COUNT + (c->v[1] ? GAP_SUM : 0), true, c->v[0],
                    at(g, c, CORNER_LIST, c->v[1], g->p[NODES], INDEX), INDEX);
            for (c->v[2] = 0; c->v[0] && c->v[2] < AXES; c->v[2]++) {
                mh_op_affine(op, MH_OP_LOAD, 12, REAL, GAP_GATHER, c->v[2] == 0, c->v[0], 0, 0);
                gather_force(g, op, addr, first, c->v[1], CORNER_FORCE + c->v[2]);
                MH_YIELD;
            }
        }
        for (c->v[2] = 0; c->v[2] < AXES; c->v[2]++)
            MH_STORE(13, REAL, c->v[2] ? GAP_ADDRESS : GAP_SUM + GAP_COUNT, c->v[2] == 0, mask,
                     node(g, c, FORCE + c->v[2]), REAL);
        MH_END(1, false);
    }
}

static void acceleration(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_below(mh_thread(g, c, BLOCK), g->p[NODES], g->lanes);

    switch (c->state) {
    case 0:
        for (; c->v[2] < AXES; c->v[2]++) { /* the mass again each time: stores may alias it */
            MH_LOAD(20, REAL, c->v[2] ? GAP_ADDRESS : GAP_START, false, mask, node(g, c, FORCE + c->v[2]), REAL);
            MH_LOAD(21, REAL, GAP_ADDRESS, false, mask, node(g, c, MASS), REAL);
            MH_STORE(22, REAL, GAP_DIVIDE, true, mask, node(g, c, ACCELERATION + c->v[2]), REAL);
        }
        MH_END(1, false);
    }
}

/* Velocity += acceleration dt, then position += velocity dt. */
static void advance(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_below(mh_thread(g, c, BLOCK), g->p[NODES], g->lanes);
    const bool moves = c->launch == 5;
    const uint64_t from = moves ? VELOCITY : ACCELERATION, to = moves ? POSITION : VELOCITY;
    const uint32_t pc = moves ? 27 : 24;

    switch (c->state) {
    case 0:
        for (; c->v[2] < AXES; c->v[2]++) {
            MH_LOAD(pc, REAL, c->v[2] ? GAP_ADDRESS : GAP_START, false, mask, node(g, c, to + c->v[2]), REAL);
            MH_LOAD(pc + 1, REAL, GAP_ADDRESS, false, mask, node(g, c, from + c->v[2]), REAL);
            MH_STORE(pc + 2, REAL, GAP_MOVE, true, mask, node(g, c, to + c->v[2]), REAL);
        }
        MH_END(1, false);
    }
}

static void kinematics(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_below(mh_thread(g, c, BLOCK), g->p[ELEMENTS], g->lanes);

    switch (c->state) {
    case 0:
        for (; c->v[1] < CORNERS; c->v[1]++) {
            MH_LOAD(30, INDEX, c->v[1] ? GAP_ADDRESS : GAP_START, false, mask,
                    at(g, c, NODE_LIST, c->v[1], g->p[ELEMENTS], INDEX), INDEX);
        }
        for (c->v[1] = 0; c->v[1] < CORNERS; c->v[1]++)
            for (c->v[2] = 0; c->v[2] < AXES; c->v[2]++)
                MH_CORNER(31, GAP_GATHER, c->v[1] == 0 && c->v[2] == 0, mask, POSITION);
        MH_LOAD(32, REAL, GAP_ADDRESS, false, mask, element(g, c, VOLUME_OLD, 0), REAL);
        MH_STORE(33, REAL, GAP_VOLUME, true, mask, element(g, c, VOLUME_NEW, 0), REAL);
        MH_LOAD(34, REAL, GAP_ADDRESS, false, mask, element(g, c, VOLUME, 0), REAL);
        MH_STORE(35, REAL, GAP_ADDRESS, true, mask, element(g, c, VOLUME_CHANGE, 0), REAL);
        MH_STORE(36, REAL, GAP_LENGTH, false, mask, element(g, c, LENGTH, 0), REAL);
        for (c->v[1] = 0; c->v[1] < CORNERS; c->v[1]++)
            for (c->v[2] = 0; c->v[2] < AXES; c->v[2]++)
                MH_CORNER(37, GAP_GATHER, false, mask, VELOCITY);
        for (c->v[2] = 0; c->v[2] < AXES; c->v[2]++)
            MH_STORE(38, REAL, c->v[2] ? GAP_ADDRESS : GAP_MIDPOINT, c->v[2] == 0, mask,
                     element(g, c, STRAIN + c->v[2], 0), REAL);
        MH_END(1, false);
    }
}

static void add_buffers(struct mh_gen *g)
{
    const uint64_t elements = g->p[ELEMENTS], nodes = g->p[NODES];

    MH_BUFFERS(g, CORNERS * elements * INDEX, CORNERS * nodes * INDEX, nodes * INDEX);
    for (int i = POSITION; i < BUFFERS; i++)
        mh_gen_buffer(g, (i <= MASS ? nodes : i < STRESS ? CORNERS * elements : elements) * REAL);
}

static void add_launches(struct mh_gen *g)
{
    const uint32_t elements = (uint32_t)mh_ceil_div(g->p[ELEMENTS], BLOCK);
    struct mh_launch l = {.threads = BLOCK, .registers = 64 /* ours */, .ctas = elements};

    l.name = "InitStressTermsForElems", mh_gen_launch(g, l, init_stress);
    l.name = "IntegrateStressForElems", mh_gen_launch(g, l, integrate_stress);
    l.ctas = (uint32_t)mh_ceil_div(g->p[NODES], BLOCK), l.registers = 24;
    l.name = "AddNodeForcesFromElems", mh_gen_launch(g, l, add_forces);
    l.name = "CalcAccelerationForNodes", mh_gen_launch(g, l, acceleration);
    l.name = "CalcVelocityForNodes", mh_gen_launch(g, l, advance);
    l.name = "CalcPositionForNodes", mh_gen_launch(g, l, advance);
    l.ctas = elements, l.registers = 64;
    l.name = "CalcKinematicsForElems", mh_gen_launch(g, l, kinematics);
}

static void build(struct mh_gen *g)
{
    g->p[ELEMENTS] = g->n * g->n * g->n;
    g->p[NODES] = (g->n + 1) * (g->n + 1) * (g->n + 1);
    add_buffers(g);
    add_launches(g);
}

const struct mh_kernel mh_kernel_lulesh = {
    .name = "LULESH",
    .suite = "LLNL",
    .summary = "shock hydrodynamics on hexahedra; gathers through node and corner lists, many arrays",
    MH_SIZE("elements along an edge of the cube", 45, 2, 256), /* LULESH 1.0's */
    .build = build,
};
