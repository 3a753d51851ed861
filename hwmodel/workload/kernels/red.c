/*
 * RED: sum of n floats, the reduce kernel of SHOC (src/cuda/level1/reduction, float): 64 blocks of 256 threads stride
 * through the input two block-widths at a time, then each block adds up its threads' sums in shared memory and stores
 * one word. Gaps count the source's operations as LLVM IR would.
 *
 * CTAs x threads at the default size: 64 x 256; 64 MiB.
 */
#include "workload/gen.h"

enum { BLOCKS = 64, BLOCK = 256, FLOAT = 4 };
enum { INPUT, OUTPUT }; /* buffers */

enum {
    GAP_START = 11,     /* ids, products, shared store of 0, first compare and branch */
    GAP_SECOND = 2,     /* address of g_idata[i + blockSize] */
    GAP_LOOP = 9,       /* two adds, shared read and write with address, i += gridSize, compare, branch, address */
    GAP_COMPARE = 2,    /* if (tid < ..) */
    GAP_ADD = 6,        /* sdata[tid] += sdata[tid + k]: two addresses, two reads, add, write */
    GAP_LAST_WARP = 38, /* compare and branch, six such adds */
    GAP_RESULT = 4,     /* if (tid == 0), address, sdata[0] */
};

static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint32_t tid = c->warp * g->lanes;
    const uint64_t first = (uint64_t)c->cta * BLOCK * 2, grid = (uint64_t)BLOCKS * BLOCK * 2;
    const uint64_t in = g->base[INPUT] + (first + tid) * FLOAT;
    const uint64_t mask = mh_mask_first(g->lanes); /* n is a multiple of what a block reads at a time */

    switch (c->state) {
    case 0:
        for (; first + c->v[0] < g->n; c->v[0] += grid) {
            MH_LOAD(1, FLOAT, c->v[0] ? GAP_LOOP : GAP_START, c->v[0] != 0, mask, in + c->v[0] * FLOAT, FLOAT);
            MH_LOAD(2, FLOAT, GAP_SECOND, false, mask, in + (c->v[0] + BLOCK) * FLOAT, FLOAT);
        }
        MH_BARRIER(3, GAP_LOOP, true);
        MH_BARRIER(4, GAP_COMPARE + (tid < 128 ? GAP_ADD : 0), false);
        MH_BARRIER(5, GAP_COMPARE + (tid < 64 ? GAP_ADD : 0), false);
        if (tid == 0)
            MH_STORE(6, FLOAT, GAP_LAST_WARP + GAP_RESULT, false, 1, g->base[OUTPUT] + (uint64_t)c->cta * FLOAT, FLOAT);
        MH_END(tid == 0 ? 1 : 2 * GAP_COMPARE + 1, false);
    }
}

static void build(struct mh_gen *g)
{
    mh_gen_buffer(g, g->n * FLOAT);
    mh_gen_buffer(g, BLOCKS * FLOAT);
    mh_gen_launch(g,
                  (struct mh_launch){.name = "reduce",
                                     .ctas = BLOCKS,
                                     .threads = BLOCK,
                                     .registers = 16, /* ours */
                                     .shared_bytes = BLOCK * FLOAT},
                  body);
}

const struct mh_kernel mh_kernel_red = {
    .name = "RED",
    .suite = "SHOC",
    .summary = "sum of an array; streaming loads, tree in shared memory",
    .size_meaning = "elements of 4 bytes",
    .size_default = (uint64_t)16 << 20, /* SHOC's size class 4: 64 MiB */
    .size_min = 512,
    .size_max = (uint64_t)1 << 30,
    .size_multiple = BLOCK * 2,
    .size_reason = "the source reads two elements per thread unchecked",
    .build = build,
};
