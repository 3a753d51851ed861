/*
 * HS: Rodinia's hotspot, a 5-point stencil of chip temperatures: 16 x 16 blocks of threads load overlapping tiles of
 * temperature and power and advance them by two time steps in shared memory, after which the inner 12 x 12 points are
 * valid and stored. Order and instruction counts (gap) follow the recorded trace; it has the shortest path where lanes
 * diverge, so the points themselves are counted from the source.
 *
 * CTAs x threads at the default size: 2 launches of 7396 x 256; 12 MiB.
 */
#include "workload/gen.h"

enum { BLOCK = 16, STEPS = 2, INNER = BLOCK - 2 * STEPS, FLOAT = 4 };
enum { TEMP_A, TEMP_B, POWER }; /* buffers: launches alternate B to A and A to B */
enum { GAP_POINT = 30 };        /* six shared reads and a write with addresses, sixteen adds and products */

/* Lanes with first_x + tx in [0, n) and lo <= tx < hi, likewise in y. */
static uint64_t lanes_in(const struct mh_gen *g, uint32_t ty, int64_t x0, int64_t y0, int lo, int hi)
{
    const int64_t n = (int64_t)g->n;
    const uint32_t rows = g->lanes / BLOCK;
    const int64_t left = x0 + lo < 0 ? -x0 : lo, right = x0 + hi > n ? n - x0 : hi;
    uint64_t row_mask, mask = 0;

    if (right <= left)
        return 0;
    row_mask = mh_mask_first((uint64_t)right) & ~mh_mask_first((uint64_t)left);
    for (uint32_t r = 0; r < rows; r++) {
        const int64_t y = ty + r;

        if (y >= lo && y < hi && y0 + y >= 0 && y0 + y < n)
            mask |= row_mask << (r * BLOCK);
    }
    return mask;
}

/* Lanes whose point step v[0] computes: one less on each side every time. */
static uint64_t computed(const struct mh_gen *g, const struct mh_cursor *c, uint32_t ty, int64_t x0, int64_t y0)
{
    const int edge = (int)c->v[0] + 1;

    return lanes_in(g, ty, x0, y0, edge, BLOCK - edge);
}

static void hotspot(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint32_t blocks = (uint32_t)mh_ceil_div(g->n, INNER), ty = c->warp * g->lanes / BLOCK;
    const int64_t x0 = (int64_t)(c->cta % blocks) * INNER - STEPS, y0 = (int64_t)(c->cta / blocks) * INNER - STEPS;
    const int64_t pitch = (int64_t)g->n * FLOAT;
    const uint64_t at = (uint64_t)((y0 + ty) * pitch + x0 * FLOAT), in = lanes_in(g, ty, x0, y0, 0, BLOCK);
    const uint64_t temp = g->base[c->launch ? TEMP_A : TEMP_B], result = g->base[c->launch ? TEMP_B : TEMP_A];

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(1, FLOAT, 34, false, in, temp + at, BLOCK, FLOAT, pitch);
        MH_LOAD_TILE(2, FLOAT, in ? 5 : 34, false, in, g->base[POWER] + at, BLOCK, FLOAT, pitch);
        MH_BARRIER(3, in ? 3 : 36, true);
        for (; c->v[0] < STEPS; c->v[0]++) {
            if (c->v[0])
                MH_BARRIER(5, 4, false);
            MH_BARRIER(4, (c->v[0] ? 5 : 51) + (computed(g, c, ty, x0, y0) ? GAP_POINT : 0), false);
        }
        c->v[0] = STEPS - 1;
        MH_STORE_TILE(6, FLOAT, 10, false, computed(g, c, ty, x0, y0), result + at, BLOCK, FLOAT, pitch);
        MH_END(2, false);
    }
}

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.threads = BLOCK * BLOCK, .registers = 24 /* ours */};

    for (int i = 0; i < 3; i++)
        mh_gen_buffer(g, g->n * g->n * FLOAT);
    l.ctas = (uint32_t)(mh_ceil_div(g->n, INNER) * mh_ceil_div(g->n, INNER));
    l.shared_bytes = 3 * BLOCK * BLOCK * FLOAT;
    l.name = "hotspot"; /* two launches are one period of the source's loop */
    mh_gen_launch(g, l, hotspot);
    mh_gen_launch(g, l, hotspot);
}

const struct mh_kernel mh_kernel_hotspot = {
    .name = "HS",
    .suite = "Rodinia",
    .summary = "2-D temperature stencil; overlapping 16 x 16 tiles in shared memory",
    .size_meaning = "grid points in x and y",
    .size_default = 1024, /* as recorded */
    .size_min = 32,
    .size_max = 16384,
    .build = build,
};
