/*
 * Blocks of 32 x 8 threads, an element of an array of n x n floats each, x along the rows: what most kernels of
 * PolyBench/GPU are made of.
 */
#ifndef MEMHELM_WORKLOAD_KERNELS_SPOT_H
#define MEMHELM_WORKLOAD_KERNELS_SPOT_H

#include "workload/gen.h"

enum { TX = 32, TY = 8 };

/** The first of a warp's elements and its offset in bytes; the warp has as many rows of TX lanes as fit. */
struct spot {
    uint64_t row, col, offset;
};

static inline struct spot spot_of(const struct mh_gen *g, const struct mh_cursor *c)
{
    const uint64_t grid_x = mh_ceil_div(g->n, TX);
    struct spot s = {.row = c->cta / grid_x * TY + c->warp * g->lanes / TX, .col = c->cta % grid_x * TX};

    s.offset = (s.row * g->n + s.col) * 4;
    return s;
}

/** Lanes with row0 <= row < row1 and col0 <= col < col1. */
static inline uint64_t inside(const struct mh_gen *g, struct spot s, uint64_t row0, uint64_t row1, uint64_t col0,
                              uint64_t col1)
{
    const uint64_t cols = mh_mask_below(s.col, col1, TX) & ~mh_mask_below(s.col, col0, TX);
    uint64_t mask = 0;

    for (uint32_t r = 0; r < g->lanes / TX; r++)
        if (s.row + r >= row0 && s.row + r < row1)
            mask |= cols << (TX * r);
    return mask;
}

#endif
