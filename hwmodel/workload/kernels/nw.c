/*
 * NW: Needleman-Wunsch alignment, Rodinia's nw: one launch per anti-diagonal of 16 x 16 tiles of the score matrix, to
 * the longest one (nw_kernel1) and back (nw_kernel2), one block of 16 threads per tile. A tile's left column is read a
 * matrix row apart. Matrices are (n + 1) x (n + 1). Order and instruction counts (gap) follow the recorded trace; it
 * has the shortest path where lanes diverge, and a cell's maximum is counted as in the trace's last step, where all
 * take it.
 *
 * CTAs x threads at the default size: 255 launches of 1 .. 128 .. 1 x 16; 48 MiB.
 */
#include "workload/gen.h"

enum { TILE = 16, INT = 4 };
enum { ITEMS, REFERENCE }; /* buffers */
enum { GAP_CELL = 32 };    /* six shared reads, two adds, two maxima, a write, with addresses */

/* Bytes to the element above and left of the block's tile. */
static uint64_t corner(const struct mh_gen *g, const struct mh_cursor *c)
{
    const uint64_t tiles = g->n / TILE, k = c->launch;
    uint64_t x = c->cta, y = k - c->cta;

    if (k >= tiles) { /* second kernel: tiles - 1 blocks, then one less each time */
        x = c->cta + (k - tiles + 1);
        y = tiles - c->cta - 1;
    }
    return (y * TILE * (g->n + 1) + x * TILE) * INT;
}

static void align_tile(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t all = mh_mask_first(TILE), pitch = (g->n + 1) * INT;
    const uint64_t top = g->base[ITEMS] + corner(g, c), first = top + pitch + INT;
    const uint64_t reference = g->base[REFERENCE] + corner(g, c) + pitch + INT;
    const bool second = c->launch >= g->n / TILE;
    const uint32_t pc = second ? 20 : 1;

    switch (c->state) {
    case 0:
        MH_LOAD(pc, INT, second ? 21 : 19, false, 1, top, 0);
        if (!second)
            MH_BARRIER(pc + 1, 2, true);
        for (; c->v[0] < TILE; c->v[0]++)
            MH_LOAD(pc + 2, INT, c->v[0] ? 12 : second ? 7 : 6, false, all, reference + c->v[0] * pitch, INT);
        MH_BARRIER(pc + 3, 8, true);
        MH_LOAD(pc + 4, INT, 6, false, all, top + pitch, (int64_t)pitch);
        MH_BARRIER(pc + 5, 5, true);
        MH_LOAD(pc + 6, INT, 3, false, all, top + INT, INT);
        MH_BARRIER(pc + 7, 3, true);
        for (c->v[0] = 0; c->v[0] < TILE; c->v[0]++)
            MH_BARRIER(pc + 8, 6 + GAP_CELL, false);
        if (!second)
            MH_BARRIER(pc + 9, 4, false);
        for (c->v[0] = 0; c->v[0] < TILE - 1; c->v[0]++)
            MH_BARRIER(pc + 10, (c->v[0] ? 6 : second ? 13 : 10) + GAP_CELL, false);
        for (c->v[0] = 0; c->v[0] < TILE; c->v[0]++)
            MH_STORE(pc + 11, INT, c->v[0] ? 12 : 14, false, all, first + c->v[0] * pitch, INT);
        MH_END(4, false);
    }
}

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.threads = TILE, .registers = 24 /* ours */};

    for (int i = 0; i < 3; i++) /* the third one is for a result that these kernels leave in place */
        mh_gen_buffer(g, (g->n + 1) * (g->n + 1) * INT);
    l.shared_bytes = ((TILE + 1) * (TILE + 1) + TILE * TILE) * INT;
    l.name = "nw_kernel1";
    for (l.ctas = 1; l.ctas <= g->n / TILE; l.ctas++)
        mh_gen_launch(g, l, align_tile);
    l.name = "nw_kernel2";
    for (l.ctas = (uint32_t)(g->n / TILE) - 1; l.ctas > 0; l.ctas--)
        mh_gen_launch(g, l, align_tile);
}

const struct mh_kernel mh_kernel_nw = {
    .name = "NW",
    .suite = "Rodinia",
    .summary = "sequence alignment; anti-diagonals of 16 x 16 tiles, half-filled warps",
    .size_meaning = "sequence length",
    .size_default = 2048, /* as recorded */
    .size_min = 32,
    .size_max = 32768,
    .size_multiple = TILE,
    .size_reason = "the tile",
    .build = build,
};
