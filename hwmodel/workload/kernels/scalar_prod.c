/*
 * SCP: CUDA SDK scalarProd: 256 pairs of vectors; 128 blocks of 256 threads take a pair after the other. A block keeps
 * 1024 partial sums in shared memory, four a thread, and adds them up as a tree. Gaps count the source's operations as
 * LLVM IR would.
 *
 * CTAs x threads at the default size: 128 x 256; 8 MiB.
 */
#include "workload/gen.h"

enum { VECTORS = 256, BLOCKS = 128, BLOCK = 256, SUMS = 1024, FLOAT = 4 };
enum { A, B, C }; /* buffers */

enum {
    GAP_VECTOR = 8,   /* base, end, sum, index, two loop tests, two addresses */
    GAP_PARTIAL = 5,  /* shared address and write, next index, loop test, sum */
    GAP_NEXT = 5,     /* product, sum, next index, loop test */
    GAP_TREE = 3,     /* stride, compare, branch */
    GAP_TREE_ADD = 9, /* index, loop test, two addresses, two reads, add, write */
    GAP_RESULT = 4,   /* compare, branch, read, address */
};

/* Additions of each thread that follow the barrier of this stride (0: none); lanes of a warp go together. */
static uint32_t tree_adds(uint64_t tid, uint64_t stride)
{
    return stride > tid ? (uint32_t)mh_ceil_div(stride - tid, BLOCK) : 0;
}

/* c->v[0]: vector; c->v[1]: partial sum, then stride of the tree; c->v[2]: element of the vector */
static void scalar_prod(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes;
    uint64_t i = tid + c->v[1] + c->v[2], at = ((c->cta + c->v[0]) * g->n + i) * FLOAT;

    switch (c->state) {
    case 0:
        for (; c->cta + c->v[0] < VECTORS; c->v[0] += BLOCKS) {
            for (c->v[1] = 0; c->v[1] < SUMS; c->v[1] += BLOCK) {
                for (c->v[2] = 0; tid + c->v[1] + c->v[2] < g->n; c->v[2] += SUMS) {
                    i = tid + c->v[1] + c->v[2];
                    at = ((c->cta + c->v[0]) * g->n + i) * FLOAT;
                    MH_LOAD(1, FLOAT,
                            c->v[2]   ? GAP_NEXT
                            : c->v[1] ? GAP_NEXT + GAP_PARTIAL
                                      : GAP_VECTOR,
                            c->v[2] || c->v[1], mh_mask_below(i, g->n, g->lanes), g->base[A] + at, FLOAT);
                    MH_LOAD(2, FLOAT, 1, false, mh_mask_below(i, g->n, g->lanes), g->base[B] + at, FLOAT);
                }
            }
            for (c->v[1] = SUMS / 2; c->v[1] > 0; c->v[1] >>= 1)
                MH_BARRIER(3,
                           GAP_TREE + (c->v[1] == SUMS / 2 ? GAP_NEXT + GAP_PARTIAL
                                                           : GAP_TREE_ADD * tree_adds(tid, 2 * c->v[1])),
                           c->v[1] == SUMS / 2);
            if (tid == 0)
                MH_STORE(4, FLOAT, GAP_TREE_ADD + GAP_RESULT, false, 1, g->base[C] + (c->cta + c->v[0]) * FLOAT, 0);
        }
        MH_END(GAP_TREE, false);
    }
}

static void build(struct mh_gen *g)
{
    mh_gen_buffer(g, VECTORS * g->n * FLOAT);
    mh_gen_buffer(g, VECTORS * g->n * FLOAT);
    mh_gen_buffer(g, VECTORS * FLOAT);
    mh_gen_launch(g,
                  (struct mh_launch){.name = "scalarProdGPU",
                                     .ctas = BLOCKS,
                                     .threads = BLOCK,
                                     .registers = 16, /* ours */
                                     .shared_bytes = SUMS * FLOAT},
                  scalar_prod);
}

const struct mh_kernel mh_kernel_scalar_prod = {
    .name = "SCP",
    .suite = "CUDA SDK",
    .summary = "scalar products of 256 pairs of vectors; streaming, sums in shared memory",
    .size_meaning = "elements of a vector",
    .size_default = 4096, /* the source's */
    .size_min = 256,
    .size_max = (uint64_t)1 << 24,
    .size_multiple = BLOCK,
    .size_reason = "threads of a block",
    .build = build,
};
