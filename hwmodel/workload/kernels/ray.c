/*
 * RAY: the GPGPU-Sim suite's ray tracing: a thread per pixel, 16 x 8 a block, follows its ray over up to five mirror
 * reflections of a scene in constant memory, tests each object at every one, and again towards the light. Memory sees
 * the pixel cleared, then read and written at the end; how long a warp computes follows from its longest ray, and that
 * from the scene: a ground plane and spheres on it, drawn from the seed (ours; the source's is fixed). Geometry is in
 * integers, 2^-12 a unit. The per-thread stack of colours is taken as registers. Gaps count the source's operations as
 * LLVM IR would; roots and divisions are 8 each.
 */
#include "workload/gen.h"

#include <stdlib.h>
#include <string.h>

enum { TX = 16, TY = 8, BOUNCES = 5, SPHERES = 5, PIXEL = 4, ONE = 1 << 12 };

enum {
    GAP_START = 24,                         /* ids, clearing the stack, bounds, address */
    GAP_RAY = 52,                           /* matrix from constants, direction, normalisation */
    GAP_TEST = 34,                          /* an object's constants, dot products, root, comparisons */
    GAP_OBJECTS = (SPHERES + 1) * GAP_TEST, /* one intersection of the scene */
    GAP_SHADE = 130,                        /* colour, point, light, normal, highlight to the 50th power */
    GAP_REFLECT = 36,                       /* new direction and origin */
    GAP_COLOUR = 8,                         /* a level of the stack */
    GAP_PACK = 20,                          /* four colours to bytes, address */
};

struct vector {
    int64_t x, y, z;
};

struct sphere {
    struct vector centre;
    int64_t radius;
};

static int64_t dot(struct vector a, struct vector b)
{
    return (a.x * b.x + a.y * b.y + a.z * b.z) / ONE;
}

static struct vector along(struct vector a, struct vector u, int64_t t)
{
    return (struct vector){a.x + u.x * t / ONE, a.y + u.y * t / ONE, a.z + u.z * t / ONE};
}

static struct vector normal(struct vector v)
{
    const int64_t length = (int64_t)mh_root((uint64_t)(v.x * v.x + v.y * v.y + v.z * v.z));

    return length ? (struct vector){v.x * ONE / length, v.y * ONE / length, v.z * ONE / length} : v;
}

/* Way to the sphere along u from a, 0 if it is missed. */
static int64_t hit_sphere(const struct sphere *s, struct vector a, struct vector u)
{
    const struct vector l = {s->centre.x - a.x, s->centre.y - a.y, s->centre.z - a.z};
    const int64_t d = dot(l, u), off = dot(l, l) - d * d / ONE, r2 = s->radius * s->radius / ONE;

    if (d <= 0 || off > r2)
        return 0;
    return d - (int64_t)mh_root((uint64_t)((r2 - off) * ONE));
}

/* One reflection: moves the ray to what it hits first and mirrors it there; false if it leaves the scene. */
static bool bounce(const struct sphere *spheres, struct vector *a, struct vector *u)
{
    const struct sphere *nearest = NULL;
    int64_t way = u->y < 0 && a->y > 0 ? a->y * ONE / -u->y : 0, turn;
    struct vector n = {0, ONE, 0};

    for (int i = 0; i < SPHERES; i++) {
        const int64_t t = hit_sphere(&spheres[i], *a, *u);

        if (t > 0 && (way == 0 || t < way)) {
            way = t;
            nearest = &spheres[i];
        }
    }
    if (way == 0 || way > 1000 * ONE)
        return false;
    *a = along(*a, *u, way);
    if (nearest)
        n = normal((struct vector){a->x - nearest->centre.x, a->y - nearest->centre.y, a->z - nearest->centre.z});
    turn = 2 * dot(n, *u);
    *u = normal((struct vector){u->x - n.x * turn / ONE, u->y - n.y * turn / ONE, u->z - n.z * turn / ONE});
    *a = along(*a, *u, ONE / 64);
    return true;
}

static void make_scene(struct sphere *spheres, uint64_t seed)
{
    for (uint32_t i = 0; i < SPHERES; i++) {
        const uint64_t r = mh_random(seed, i);
        const int64_t radius = ONE / 2 + (int64_t)(r & (ONE - 1));

        spheres[i].radius = radius;
        spheres[i].centre.x = (int64_t)(r >> 16 & (8 * ONE - 1)) - 4 * ONE;
        spheres[i].centre.y = radius;
        spheres[i].centre.z = (int64_t)(r >> 32 & (8 * ONE - 1)) - 4 * ONE;
    }
}

/* Objects hit by the ray of each pixel, in a row; the eye is above the ground, 10 away, and looks at the middle. */
static bool trace_all(struct mh_gen *g)
{
    uint8_t *hits = malloc(g->n * g->n);
    struct sphere spheres[SPHERES];

    g->data = hits;
    if (!hits)
        return false;
    make_scene(spheres, g->seed);
    for (int64_t i = 0; i < (int64_t)(g->n * g->n); i++) {
        const int64_t n = (int64_t)g->n, x = i % n, y = i / n;
        struct vector a = {0, 3 * ONE, -10 * ONE};
        struct vector u = normal((struct vector){(2 * x - n) * ONE / n, (2 * y - n) * ONE / n - ONE / 4, 2 * ONE});

        hits[i] = 0;
        while (hits[i] < BOUNCES && bounce(spheres, &a, &u))
            hits[i]++;
    }
    return true;
}

/* Instructions from clearing the pixel to the second access: the warp goes on as long as any of its rays. */
static uint32_t computation(const struct mh_gen *g, uint64_t x, uint64_t y, uint64_t mask)
{
    const uint8_t *hits = g->data;
    uint32_t longest = 0;

    for (uint64_t m = mask; m; m &= m - 1) {
        const unsigned l = (unsigned)__builtin_ctzll(m);
        const uint32_t h = hits[(y + l / TX) * g->n + x + l % TX];

        longest = h > longest ? h : longest;
    }
    /* The last test of the scene finds nothing, unless reflections are used up. */
    return longest * (2 * GAP_OBJECTS + GAP_SHADE + GAP_REFLECT + GAP_COLOUR) + (longest < BOUNCES ? GAP_OBJECTS : 0) +
           GAP_PACK;
}

static void render(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t blocks = mh_ceil_div(g->n, TX), x = c->cta % blocks * TX;
    const uint64_t y = c->cta / blocks * TY + c->warp * g->lanes / TX;
    const uint64_t row = mh_mask_below(x, g->n, TX), pixel = g->base[0] + (y * g->n + x) * PIXEL;
    const int64_t pitch = (int64_t)g->n * PIXEL;
    uint64_t mask = 0;

    for (uint32_t r = 0; r < g->lanes / TX; r++)
        mask |= y + r < g->n ? row << (r * TX) : 0;
    switch (c->state) {
    case 0:
        MH_STORE_TILE(1, PIXEL, GAP_START, false, mask, pixel, TX, PIXEL, pitch);
        MH_BARRIER(2, GAP_RAY, false);
        MH_LOAD_TILE(3, PIXEL, computation(g, x, y, mask), false, mask, pixel, TX, PIXEL, pitch);
        MH_STORE_TILE(4, PIXEL, 1, true, mask, pixel, TX, PIXEL, pitch);
        MH_END(1, false);
    }
}

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.ctas = (uint32_t)(mh_ceil_div(g->n, TX) * mh_ceil_div(g->n, TY)),
                          .name = "render",
                          .threads = TX * TY,
                          .registers = 50 /* ours */};

    mh_gen_buffer(g, g->n * g->n * PIXEL);
    g->no_memory |= !trace_all(g);
    mh_gen_launch(g, l, render);
}

const struct mh_kernel mh_kernel_ray = {
    .name = "RAY",
    .suite = "GPGPU-Sim",
    .summary = "ray tracing with reflections; computation, one pixel a thread",
    MH_SIZE("image width and height", 256, 16, 1024), /* the suite's */
    .build = build,
};
