/*
 * XSBench (Tramm et al. 2014): macroscopic cross sections of a Monte Carlo neutron transport code, the event-based
 * kernel of its OpenCL version: a look-up per thread with a random energy and material; binary search in the unionized
 * energy grid, then, for each nuclide of the material, the index into its own grid and two grid points of six doubles.
 * The number of nuclides is read again after each. Hoogenboom-Martin small: 68 nuclides with 11303 points, 12
 * materials. Energies are random 64-bit words instead of doubles, which decide the same (ours). Gaps are those of clang
 * 14's LLVM IR of opencl/kernel.cl; the twelve loads of two points overlap nevertheless: compilers hoist them.
 */
#include <stdlib.h>

#include "workload/gen.h"

enum { BLOCK = 256, NUCLIDES = 68, POINTS = 11303, LEVELS = NUCLIDES * POINTS, MATERIALS = 12, MOST = 34 };
enum { WORD = 4, DOUBLE = 8, POINT = 6 * DOUBLE, MEMBERS = 12, BUCKET_BITS = 20, STRIDE = 64 };
enum { COUNTS, CONCENTRATIONS, NUCLIDE_OF, ENERGIES, INDEX, GRID, RESULT }; /* buffers */

enum {
    GAP_START = 73,   /* id, bounds, two numbers of the generator, fractions, parameters, call, first middle, address */
    GAP_BIT = 13,     /* of the generator's forwarding to look-up i: a round of its loop for each bit of 2 i */
    GAP_STEP = 9,     /* compare, selects, difference, loop test, half, sum, address */
    GAP_COUNT = 8,    /* compare, selects, difference, loop test, extend, address */
    GAP_NUCLIDE = 16, /* loop test, grid's parameters, sum, extend, address */
    GAP_NEXT = 5,     /* loop test, sum, address */
    GAP_INDEX = 6,    /* call, kind of grid, product, sum, extend, address */
    GAP_POINT = 9,    /* compare with the last, branches, product, sum, address */
    GAP_SECTIONS = 26, /* the last section, return, five multiply-adds in private memory, j++ */
    GAP_RESULT = 27,   /* loop test, return, five compares and selects, address */
};

/* Up to each of the twelve members of two points, from the one before. */
static const uint8_t gap_member[MEMBERS] = {GAP_POINT, 2, 2, 1, 6, 1, 5, 1, 5, 1, 5, 1};

static const uint8_t counts[MATERIALS] = {34, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9};

/* Cumulative volume fractions of materials 1 .. 11 in thousandths; what is left is fuel, number 0. */
static const uint16_t fractions[MATERIALS] = {0, 52, 327, 461, 615, 679, 745, 800, 808, 823, 848, 861};

static const uint8_t fuel[] = {58, 59, 60, 61, 40, 42, 43, 44, 45, 46, 1,  2,  3,  7,  8,  9,  10,
                               29, 57, 47, 48, 0,  62, 15, 33, 34, 52, 53, 54, 55, 56, 18, 23, 41};
static const uint8_t cladding[] = {63, 64, 65, 66, 67};
static const uint8_t vessel[] = {19, 20, 21, 22, 35, 36, 37, 38, 39, 25, 27, 28, 29, 30,
                                 31, 32, 26, 49, 50, 51, 11, 12, 13, 14, 6,  16, 17};
/* Water, and after it what reflectors add to it. */
static const uint8_t reflector[] = {24, 41, 4, 5, 19, 20, 21, 22, 35, 36, 37, 38, 39, 25, 49, 50, 51, 11, 12, 13, 14};
static const uint8_t assembly[] = {24, 41, 4, 5, 63, 64, 65, 66, 67};
static const uint8_t *const nuclides[MATERIALS] = {fuel,      cladding,  reflector, reflector, vessel,   reflector,
                                                   reflector, reflector, reflector, reflector, assembly, assembly};

/* The grids, in one block. */
struct grids {
    uint64_t energy[LEVELS];                         /* sorted */
    uint32_t bucket[((size_t)1 << BUCKET_BITS) + 1]; /* first level at or above each value of the top bits */
    uint32_t rank[NUCLIDES][POINTS];                 /* level of each nuclide's points */
    uint16_t skip[NUCLIDES][LEVELS / STRIDE + 2];    /* first point of each at or above level 64 * i */
};

struct level {
    uint64_t energy;
    uint32_t nuclide;
};

static uint64_t energy_of(const struct mh_gen *g, uint64_t lookup)
{
    return mh_random(g->seed, 2 * lookup + 1);
}

static uint32_t material_of(const struct mh_gen *g, uint64_t lookup)
{
    const uint32_t roll = (uint32_t)(mh_random(g->seed, 2 * lookup + 2) % 1000);

    for (uint32_t m = 1; m < MATERIALS; m++)
        if (roll < fractions[m])
            return m;
    return 0;
}

/* What grid_search returns: the last level not above the energy, or 0. */
static uint32_t level_of(const struct mh_gen *g, uint64_t lookup)
{
    const struct grids *s = g->data;
    const uint64_t energy = energy_of(g, lookup);
    uint32_t l = s->bucket[energy >> (64 - BUCKET_BITS)];

    while (l < LEVELS && s->energy[l] <= energy)
        l++;
    return l > LEVELS - 1 ? LEVELS - 2 : l ? l - 1 : 0;
}

/* Which level the binary search for `level` looks at in step `step`; LEVELS when it is over by then. */
static uint32_t examined(uint32_t level, uint32_t step)
{
    uint32_t low = 0, high = LEVELS - 1;

    for (uint32_t s = 0; high - low > 1; s++) {
        const uint32_t mid = low + (high - low) / 2;

        if (s == step)
            return mid;
        if (mid > level)
            high = mid;
        else
            low = mid;
    }
    return LEVELS;
}

/* The index grid's entry: the nuclide's last point not above the level, one less than the last at most. */
static uint32_t point_of(const struct mh_gen *g, uint32_t level, uint32_t nuclide)
{
    const struct grids *s = g->data;
    uint32_t p = s->skip[nuclide][level / STRIDE];

    while (p < POINTS && s->rank[nuclide][p] <= level)
        p++;
    p = p ? p - 1 : 0;
    return p > POINTS - 2 ? POINTS - 2 : p;
}

/* Address of a lane's operand in iteration j of the loop over nuclides. */
static uint64_t operand(const struct mh_gen *g, uint32_t pc, uint64_t lookup, uint32_t j)
{
    const uint32_t m = material_of(g, lookup), nuclide = nuclides[m][j];
    uint32_t level, member;

    if (pc == 4)
        return g->base[NUCLIDE_OF] + (m * MOST + j) * WORD;
    if (pc == 5)
        return g->base[CONCENTRATIONS] + (m * MOST + j) * DOUBLE;
    level = level_of(g, lookup);
    if (pc == 6)
        return g->base[INDEX] + ((uint64_t)level * NUCLIDES + nuclide) * WORD;
    member = pc - 7; /* energy of the upper point, of the lower one, then in pairs */
    return g->base[GRID] + ((uint64_t)nuclide * POINTS + point_of(g, level, nuclide) + 1 - member % 2) * POINT +
           member / 2 * DOUBLE;
}

static void list_operands(const struct mh_gen *g, struct mh_op *op, uint64_t *addr, uint64_t first, uint32_t j)
{
    MH_LIST_LANES(op, addr, lane, operand(g, op->pc, first + lane, j));
}

/* Fills in step `step` of the search; the mask is empty when no lane is searching any more. */
static void list_search(const struct mh_gen *g, struct mh_op *op, uint64_t *addr, uint64_t first, uint32_t step)
{
    op->list = true;
    for (uint64_t m = op->mask; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        const uint32_t level = examined(level_of(g, first + lane), step);

        addr[lane] = g->base[ENERGIES] + (uint64_t)level * DOUBLE;
        if (level == LEVELS)
            op->mask &= ~((uint64_t)1 << lane);
    }
}

static uint64_t lanes_with(const struct mh_gen *g, uint64_t first, uint64_t mask, uint32_t j)
{
    MH_KEEP_LANES(mask, lane, j < counts[material_of(g, first + lane)]);
    return mask;
}

static uint32_t gap_of(uint32_t pc, uint32_t j)
{
    switch (pc) {
    case 4:
        return j ? GAP_NEXT : GAP_NUCLIDE;
    case 5:
        return 1;
    case 6:
        return GAP_INDEX;
    default:
        return gap_member[pc - 7];
    }
}

/*
 * Operations of pick_mat's loop, which compares the random number with the sum of the fractions 1 to i, added up anew
 * each time, until it is less. Fuel is what is left when it never is.
 */
static uint32_t gap_pick(uint32_t material)
{
    enum { FIRST = 5, TEST = 4, SUM = 7, NEXT = 3 };
    const uint32_t tests = material ? material : MATERIALS - 1;

    return FIRST + tests * TEST + SUM * tests * (tests + 1) / 2 + NEXT * (material ? tests - 1 : tests);
}

/* What the warp issues before its first load: the longest of its lanes' ways. */
static uint32_t gap_start(const struct mh_gen *g, uint64_t first, uint64_t mask)
{
    const uint64_t last = first + 63 - (unsigned)__builtin_clzll(mask);
    uint32_t most = 0;

    for (uint64_t m = mask; m; m &= m - 1) {
        const uint32_t pick = gap_pick(material_of(g, first + (unsigned)__builtin_ctzll(m)));

        most = pick > most ? pick : most;
    }
    return GAP_START + GAP_BIT * (64 - (unsigned)__builtin_clzll(2 * last | 1)) + most;
}

/* Each lane's number of nuclides. */
static void list_counts(const struct mh_gen *g, struct mh_op *op, uint64_t *addr, uint64_t first)
{
    MH_LIST_LANES(op, addr, lane, g->base[COUNTS] + material_of(g, first + lane) * (uint64_t)WORD);
}

/* c->v[]: step or nuclide, lanes that have it, member. */
static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t i = mh_thread(g, c, BLOCK), all = mh_mask_below(i, g->n, g->lanes);

    switch (c->state) {
    case 0:
        for (; all; c->v[0]++) {
            mh_op_affine(op, MH_OP_LOAD, 1, DOUBLE, c->v[0] ? GAP_STEP : gap_start(g, i, all), c->v[0] != 0, all, 0, 0);
            list_search(g, op, addr, i, (uint32_t)c->v[0]);
            if (!op->mask)
                break;
            MH_YIELD;
        }
        if (all) {
            mh_op_affine(op, MH_OP_LOAD, 2, WORD, GAP_COUNT, true, all, 0, 0);
            list_counts(g, op, addr, i);
            MH_YIELD;
        }
        c->v[1] = all;
        for (c->v[0] = 0; c->v[0] < MOST; c->v[0]++) {
            c->v[1] = lanes_with(g, i, c->v[1], (uint32_t)c->v[0]);
            if (!c->v[1])
                break;
            for (c->v[2] = 4; c->v[2] < 7 + MEMBERS; c->v[2]++) {
                const bool word = c->v[2] == 4 || c->v[2] == 6; /* the others are doubles */

                mh_op_affine(op, MH_OP_LOAD, (uint32_t)c->v[2], word ? WORD : DOUBLE,
                             gap_of((uint32_t)c->v[2], (uint32_t)c->v[0]), word || c->v[2] == 7, c->v[1], 0, 0);
                list_operands(g, op, addr, i, (uint32_t)c->v[0]);
                MH_YIELD;
            }
            mh_op_affine(op, MH_OP_LOAD, 7 + MEMBERS, WORD, GAP_SECTIONS, true, c->v[1], 0, 0);
            list_counts(g, op, addr, i);
            MH_YIELD;
        }
        MH_STORE(3, WORD, GAP_RESULT, true, all, g->base[RESULT] + i * WORD, WORD);
        MH_END(all ? 1 : 6, false);
    }
}

static int by_energy(const void *a, const void *b)
{
    const struct level *x = a, *y = b;

    if (x->energy != y->energy)
        return x->energy < y->energy ? -1 : 1;
    return (x->nuclide > y->nuclide) - (x->nuclide < y->nuclide);
}

static void fill_grids(struct grids *s, const struct level *levels)
{
    uint32_t have[NUCLIDES] = {0}, b = 0;

    for (uint32_t l = 0; l < LEVELS; l++) {
        const uint32_t n = levels[l].nuclide;

        for (uint32_t k = 0; l % STRIDE == 0 && k < NUCLIDES; k++)
            s->skip[k][l / STRIDE] = (uint16_t)have[k];
        s->energy[l] = levels[l].energy;
        s->rank[n][have[n]++] = l;
        for (; b <= levels[l].energy >> (64 - BUCKET_BITS); b++)
            s->bucket[b] = l;
    }
    for (; b <= 1u << BUCKET_BITS; b++)
        s->bucket[b] = LEVELS;
}

static bool make_data(struct mh_gen *g)
{
    struct grids *s = calloc(1, sizeof *s);
    struct level *levels = malloc(LEVELS * sizeof *levels);
    const uint64_t seed = mh_random(g->seed, 0);

    g->data = s;
    if (s && levels) {
        for (uint32_t i = 0; i < LEVELS; i++)
            levels[i] = (struct level){mh_random(seed, i), i / POINTS};
        qsort(levels, LEVELS, sizeof *levels, by_energy);
        fill_grids(s, levels);
    }
    free(levels);
    return s && levels;
}

static void build(struct mh_gen *g)
{
    g->no_memory |= !make_data(g);
    MH_BUFFERS(g, MATERIALS * WORD, MATERIALS * MOST * DOUBLE, MATERIALS * MOST * WORD, (uint64_t)LEVELS * DOUBLE,
               (uint64_t)LEVELS * NUCLIDES * WORD, (uint64_t)LEVELS * POINT, g->n * WORD);
    mh_gen_launch(
        g, (struct mh_launch){"macro_xs_lookup_kernel", (uint32_t)mh_ceil_div(g->n, BLOCK), BLOCK, 64 /* ours */, 0},
        body);
}

const struct mh_kernel mh_kernel_xsbench = {
    .name = "XSBench",
    .suite = "ANL-CESAR",
    .summary = "neutron cross sections: binary search per lane, then scattered grid points of up to 34 nuclides",
    MH_SIZE("look-ups", 17000000, 32, (uint64_t)1 << 32), /* the source's for the small problem */
    .build = build,
};
