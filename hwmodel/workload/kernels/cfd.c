/*
 * CFD: Rodinia's euler3d: Euler equations on an unstructured mesh of tetrahedra, one per thread: five variables of the
 * element and of its four neighbours, which an index array names; arrays lie variable by variable, rows padded to whole
 * CTAs. Initialisation and one of the source's iterations: a step factor, then three times fluxes and a time step.
 *
 * CFD@64 is the program built with KERNEL_DIM=-DRD_WG_SIZE=64, Rodinia 3.1's way to set the threads per CTA of all its
 * launches (cuda/cfd/euler3d.cu, BLOCK_SIZE_0 to BLOCK_SIZE_4); without it they have 192. The code is the same.
 *
 * The source's meshes come from files. This one is real too, but ours: a box of n^3 cubes, each cut into six tetrahedra
 * that share a diagonal; the bottom is a wall, the other sides far field. Elements are numbered cube by cube, then
 * shuffled within stretches of 1024, as mesh generators leave them near each other but not in order. Gaps count the
 * source's operations as LLVM IR would, square roots and divisions as 8 each, or clang 14's PTX for sm_20, where they
 * are one each. Far-field values are constant memory.
 */
#include "workload/gen.h"

#include <stdlib.h>

enum { FLOAT = 4, TETS = 6, FACES = 4, VARIABLES = 5, AXES = 3, STRETCH = 1024 };
enum { AREAS, NEIGHBOURS, NORMALS, STATE, OLD, FLUXES, FACTORS }; /* buffers */
enum { WALL = -1, FAR_FIELD = -2 };
enum { ELEMENTS, PITCH, BLOCK }; /* p[]; elements; bytes from one row of an array to the next; threads per CTA */

/* Operations of LLVM IR, PTX instructions. */
#define GAP_START    MH_GAP(10, 13) /* ids, addresses */
#define GAP_ROW      MH_GAP(2, 3)   /* row's offset, address */
#define GAP_STATE    MH_GAP(58, 14) /* velocity, speed, pressure, sound: three divisions, two square roots, products */
#define GAP_FACTOR   MH_GAP(24, 7)  /* square roots of the area and the speed, sum, division, address */
#define GAP_OWN_FLUX MH_GAP(58 + 42, 54)           /* the state's, then 39 products and sums of its flux, addresses */
#define GAP_NORMAL   MH_GAP(14, 2)                 /* length of the normal, or, with PTX, tests */
#define GAP_FLUX     MH_GAP(58 + 42 + 90, 64)      /* the same of a neighbour, dissipation, four half fluxes, tests */
#define GAP_WALL     MH_GAP(8, c->v[0] ? 8 : 15)   /* normal times pressure, three sums */
#define GAP_FAR      MH_GAP(44, c->v[0] ? 25 : 22) /* far-field contributions of constants, three axes */
#define GAP_STEP     MH_GAP(3, 2)                  /* factor times flux plus old value, address */

/* PTX instructions before the loads of each face: its neighbour, its normal. */
static const uint8_t face_gap[FACES][1 + AXES] = {{0, 2, 1, 4}, {2, 2, 4, 3}, {5, 2, 3, 3}, {6, 2, 3, 3}};

static const int32_t *mesh_of(const struct mh_gen *g)
{
    return g->data;
}

/* The warp's first element. */
static uint64_t first_of(const struct mh_gen *g, const struct mh_cursor *c)
{
    return c->cta * g->p[BLOCK] + (uint64_t)c->warp * g->lanes;
}

/* Row `row` of array `buffer` for the warp. */
static uint64_t at(const struct mh_gen *g, const struct mh_cursor *c, int buffer, uint64_t row)
{
    return g->base[buffer] + row * g->p[PITCH] + first_of(g, c) * FLOAT;
}

static void initialize(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_first(g->lanes);

    switch (c->state) {
    case 0:
        for (; c->v[0] < VARIABLES; c->v[0]++)
            MH_STORE(1, FLOAT, c->v[0] ? MH_GAP(2, 4) : 10, false, mask, at(g, c, STATE, c->v[0]), FLOAT);
        MH_END(1, false);
    }
}

static void step_factor(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_first(g->lanes);

    switch (c->state) {
    case 0:
        for (; c->v[0] < VARIABLES; c->v[0]++)
            MH_LOAD(2, FLOAT, c->v[0] ? GAP_ROW : GAP_START, false, mask, at(g, c, STATE, c->v[0]), FLOAT);
        MH_LOAD(3, FLOAT, GAP_STATE, true, mask, at(g, c, AREAS, 0), FLOAT);
        MH_STORE(4, FLOAT, GAP_FACTOR, true, mask, at(g, c, FACTORS, 0), FLOAT);
        MH_END(1, false);
    }
}

/* Lanes whose neighbour at face c->v[0] is `kind`, or (0) an element. */
static uint64_t facing(const struct mh_gen *g, const struct mh_cursor *c, int32_t kind)
{
    const uint64_t first = first_of(g, c);
    uint64_t mask = 0;

    for (uint64_t l = 0; l < g->lanes; l++) {
        const int32_t other = mesh_of(g)[c->v[0] * (g->p[PITCH] / FLOAT) + first + l];

        mask |= (uint64_t)(kind ? other == kind : other >= 0) << l;
    }
    return mask;
}

/* Variable c->v[1] of each lane's neighbour at face c->v[0]. */
static void list_neighbour(const struct mh_gen *g, const struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const int32_t *other = mesh_of(g) + c->v[0] * (g->p[PITCH] / FLOAT) + first_of(g, c);

    MH_LIST_LANES(op, addr, l, g->base[STATE] + c->v[1] * g->p[PITCH] + (uint64_t)other[l] * FLOAT);
}

/* c->v[2]: lanes whose face has an element behind it; c->v[3]: work of the others since the last op */
static void flux(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_first(g->lanes);

    switch (c->state) {
    case 0:
        for (; c->v[1] < VARIABLES; c->v[1]++)
            MH_LOAD(10, FLOAT, c->v[1] ? MH_GAP(2, c->v[1] == 1 ? 4 : 3) : GAP_START, false, mask,
                    at(g, c, STATE, c->v[1]), FLOAT);
        for (; c->v[0] < FACES; c->v[0]++) {
            MH_LOAD(11, FLOAT, (c->v[0] ? MH_GAP(3, face_gap[c->v[0]][0]) : GAP_OWN_FLUX) + (uint32_t)c->v[3],
                    c->v[0] == 0, mask, at(g, c, NEIGHBOURS, c->v[0]), FLOAT);
            for (c->v[1] = 0; c->v[1] < AXES; c->v[1]++)
                MH_LOAD(12, FLOAT, MH_GAP(2, face_gap[c->v[0]][1 + c->v[1]]), false, mask,
                        at(g, c, NORMALS, c->v[0] + c->v[1] * FACES), FLOAT);
            c->v[2] = facing(g, c, 0);
            for (c->v[1] = 0; c->v[2] && c->v[1] < VARIABLES; c->v[1]++) {
                mh_op_affine(op, MH_OP_LOAD, 13, FLOAT, c->v[1] ? GAP_ROW : MH_GAP(14, 9), c->v[1] == 0, c->v[2], 0, 0);
                list_neighbour(g, c, op, addr);
                MH_YIELD;
            }
            c->v[3] = (c->v[2] ? GAP_FLUX : GAP_NORMAL) + (facing(g, c, WALL) ? GAP_WALL : 0) +
                      (facing(g, c, FAR_FIELD) ? GAP_FAR : 0);
        }
        for (c->v[1] = 0; c->v[1] < VARIABLES; c->v[1]++)
            MH_STORE(14, FLOAT, c->v[1] ? MH_GAP(2, 2 - c->v[1] % 2) : 2 + (uint32_t)c->v[3], c->v[1] == 0, mask,
                     at(g, c, FLUXES, c->v[1]), FLOAT);
        MH_END(1, false);
    }
}

static void time_step(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_first(g->lanes);

    switch (c->state) {
    case 0:
        MH_LOAD(20, FLOAT, MH_GAP(10, 16), false, mask, at(g, c, FACTORS, 0), FLOAT);
        for (; c->v[0] < VARIABLES; c->v[0]++) {
            MH_LOAD(21, FLOAT, c->v[0] ? GAP_ROW : MH_GAP(10, 5), c->v[0] == 0, mask, at(g, c, OLD, c->v[0]), FLOAT);
            MH_LOAD(22, FLOAT, MH_GAP(2, 1), false, mask, at(g, c, FLUXES, c->v[0]), FLOAT);
            MH_STORE(23, FLOAT, GAP_STEP, true, mask, at(g, c, STATE, c->v[0]), FLOAT);
        }
        MH_END(1, false);
    }
}

/* Corner paths from (0,0,0) to (1,1,1) of a cube: tetrahedron t goes along these axes in turn. */
static const uint8_t path[TETS][AXES] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static uint32_t tet_of(uint8_t a, uint8_t b)
{
    uint32_t t = 0;

    while (path[t][0] != a || path[t][1] != b)
        t++;
    return t;
}

/* Element behind face `f` (opposite corner f) of element e in a box of m^3 cubes, in cube order. */
static int32_t behind(uint32_t m, uint32_t e, uint32_t f)
{
    const uint8_t *p = path[e % TETS];
    const uint32_t cube = e / TETS;
    const uint32_t step[AXES] = {1, m, m * m}, xyz[AXES] = {cube % m, cube / m % m, cube / m / m};

    switch (f) {
    case 0: /* the cube in front along the first axis */
        return xyz[p[0]] + 1 == m ? FAR_FIELD : (int32_t)((cube + step[p[0]]) * TETS + tet_of(p[1], p[2]));
    case 1:
        return (int32_t)(cube * TETS + tet_of(p[1], p[0]));
    case 2:
        return (int32_t)(cube * TETS + tet_of(p[0], p[2]));
    default: /* the one behind along the last axis */
        if (xyz[p[2]] == 0)
            return p[2] == 2 ? WALL : FAR_FIELD;
        return (int32_t)((cube - step[p[2]]) * TETS + tet_of(p[2], p[0]));
    }
}

/* New numbers: a shuffle (Fisher and Yates) within each stretch. */
static void renumber(uint32_t *number, uint32_t count, uint64_t seed)
{
    for (uint32_t i = 0; i < count; i++)
        number[i] = i;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t start = i / STRETCH * STRETCH, j = start + (uint32_t)(mh_random(seed, i) % (i - start + 1));
        const uint32_t swap = number[i];

        number[i] = number[j];
        number[j] = swap;
    }
}

/* Neighbour of face f of element e is [f * pitch + e]. Padding elements repeat the last one, as in the source. */
static bool make_mesh(struct mh_gen *g)
{
    const uint32_t count = (uint32_t)g->p[ELEMENTS], pitch = (uint32_t)(g->p[PITCH] / FLOAT);
    int32_t *mesh = malloc((size_t)FACES * pitch * sizeof *mesh);
    uint32_t *number = malloc(count * sizeof *number);

    g->data = mesh;
    if (mesh && number) {
        renumber(number, count, g->seed);
        for (uint32_t f = 0; f < FACES; f++) {
            for (uint32_t e = 0; e < count; e++) {
                const int32_t other = behind((uint32_t)g->n, e, f);

                mesh[f * pitch + number[e]] = other < 0 ? other : (int32_t)number[other];
            }
            for (uint32_t e = count; e < pitch; e++)
                mesh[f * pitch + e] = mesh[f * pitch + count - 1];
        }
    }
    free(number);
    return mesh && number;
}

static void build(struct mh_gen *g)
{
    static const uint8_t rows[] = {1, FACES, AXES * FACES, VARIABLES, VARIABLES, VARIABLES, 1};
    static const uint32_t threads[] = {192, 64}; /* of each variant */
    struct mh_launch l = {.threads = threads[g->variant], .registers = 48 /* ours */};

    g->p[ELEMENTS] = g->n * g->n * g->n * TETS;
    g->p[BLOCK] = l.threads;
    l.ctas = (uint32_t)mh_ceil_div(g->p[ELEMENTS], l.threads);
    g->p[PITCH] = (uint64_t)l.ctas * l.threads * FLOAT;
    for (int i = AREAS; i <= FACTORS; i++)
        mh_gen_buffer(g, rows[i] * g->p[PITCH]);
    g->no_memory |= !make_mesh(g);
    l.name = "initialize_variables", mh_gen_launch(g, l, initialize);
    l.name = "compute_step_factor", mh_gen_launch(g, l, step_factor);
    for (int i = 0; i < 3; i++) {
        l.name = "compute_flux", mh_gen_launch(g, l, flux);
        l.name = "time_step", mh_gen_launch(g, l, time_step);
    }
}

static const char *const variants[] = {"192", "64", NULL};

const struct mh_kernel mh_kernel_cfd = {
    .name = "CFD",
    .suite = "Rodinia",
    .summary = "Euler equations on a tetrahedral mesh; streams, and gathers of neighbours by index",
    /* 93 750 elements; the source's smallest mesh has 97 046 */
    MH_SIZE("cubes of six elements along an edge of the box", 25, 3, 128),
    .variants = variants,
    .least_bytes = TETS * FLOAT * (2 + FACES + AXES * FACES + 3 * VARIABLES),
    .least_cubed = true,
    .build = build,
};
