/*
 * MVT, ATAX and BICG of PolyBench/GPU (Grauer-Gray et al. 2012): each is two matrix-vector products over one N x N
 * float matrix, one with a row per thread (the lanes of a warp lie a row apart) and one with a column per thread (they
 * lie side by side). All six launches are one loop; like the compiled source, it stores its accumulator in every
 * iteration: the arrays may alias. Instruction counts (gap) are those of the recorded ATAX and BICG; MVT's source is
 * ATAX's loop over other vectors and takes ATAX's.
 *
 * CTAs x threads at the default size: 2 launches of 16 x 256 each; the matrix has 64 MiB.
 */
#include "workload/gen.h"

enum { BLOCK = 256, FLOAT = 4 };

/* One launch: acc[i] += A[..] * vec[k] for all k, i = thread. */
struct product {
    bool column;       /* A[k][i] instead of A[i][k] */
    bool zero;         /* acc[i] = 0 instead of reading it */
    uint8_t vec, acc;  /* buffers */
    uint8_t gap_acc;   /* instructions up to the first access to acc[i] */
    uint8_t gap_first; /* from there to the loop's first load */
    uint8_t gap_loop;  /* from the store to the next iteration's load */
};

/* ATAX: buffers A, x, y, tmp. BICG: A, r, s, p, q. MVT: A, x1, x2, y1, y2. Number 0 is A. */
static const struct product products[][2] = {
    {{false, false, 3, 1, 9, 4, 6}, {true, false, 4, 2, 8, 5, 7}},
    {{false, false, 1, 3, 9, 4, 6}, {true, false, 3, 2, 8, 5, 7}},
    {{false, true, 3, 4, 6, 7, 6}, {true, true, 1, 2, 6, 6, 7}},
};

enum { MVT, ATAX, BICG };
enum { KERNEL, EXIT_GAP = 4 }; /* p[]; add, compare, branch, return */

static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct product *p = &products[g->p[KERNEL]][c->launch];
    const uint32_t pc = 1 + 5 * c->launch;
    const uint64_t n = g->n, i = (uint64_t)c->cta * BLOCK + c->warp * g->lanes;
    const uint64_t mask = mh_mask_below(i, n, g->lanes);
    const uint64_t acc = g->base[p->acc] + i * FLOAT;
    /* A[i][k] or A[k][i], k = c->v[0]: an element from lane to lane, or a row */
    const uint64_t a = g->base[0] + (p->column ? i : i * n) * FLOAT;
    const uint64_t a_step = (p->column ? n : 1) * FLOAT;
    const int64_t a_stride = p->column ? FLOAT : (int64_t)n * FLOAT;

    switch (c->state) {
    case 0:
        if (p->zero)
            MH_STORE(pc, FLOAT, p->gap_acc, false, mask, acc, FLOAT);
        else
            MH_LOAD(pc + 1, FLOAT, p->gap_acc, false, mask, acc, FLOAT);
        for (; mask && c->v[0] < n; c->v[0]++) {
            MH_LOAD(pc + 2, FLOAT, c->v[0] ? p->gap_loop : p->gap_first, false, mask, a + c->v[0] * a_step, a_stride);
            MH_LOAD(pc + 3, FLOAT, 2, false, mask, g->base[p->vec] + c->v[0] * FLOAT, 0);
            MH_STORE(pc + 4, FLOAT, 1, true, mask, acc, FLOAT);
        }
        MH_END(EXIT_GAP, false);
    }
}

static void build(struct mh_gen *g, int kernel, uint32_t vectors, const char *const names[2])
{
    g->p[KERNEL] = (uint64_t)kernel;
    mh_gen_buffer(g, g->n * g->n * FLOAT);
    for (uint32_t i = 0; i < vectors; i++)
        mh_gen_buffer(g, g->n * FLOAT);
    for (int i = 0; i < 2; i++)
        mh_gen_launch(g,
                      (struct mh_launch){.name = names[i],
                                         .ctas = (uint32_t)mh_ceil_div(g->n, BLOCK),
                                         .threads = BLOCK,
                                         .registers = 24}, /* ours */
                      body);
}

static void build_mvt(struct mh_gen *g)
{
    build(g, MVT, 4, (const char *const[]){"mvt_kernel1", "mvt_kernel2"});
}

static void build_atax(struct mh_gen *g)
{
    build(g, ATAX, 3, (const char *const[]){"atax_kernel1", "atax_kernel2"});
}

static void build_bicg(struct mh_gen *g)
{
    build(g, BICG, 4, (const char *const[]){"bicgKernel1", "bicgKernel2"});
}

/* 4096 is the STANDARD size of PolyBench/GPU and the recorded one. */
#define SIZES .size_meaning = "matrix order", .size_default = 4096, .size_min = 32, .size_max = 32768

const struct mh_kernel mh_kernel_mvt = {
    .name = "MVT",
    .suite = "PolyBench/GPU",
    .summary = "x1 += A y1, x2 += A' y2; lanes a matrix row apart, then side by side",
    SIZES,
    .build = build_mvt,
};

const struct mh_kernel mh_kernel_atax = {
    .name = "ATAX",
    .suite = "PolyBench/GPU",
    .summary = "y = A' (A x); lanes a matrix row apart, then side by side",
    SIZES,
    .build = build_atax,
};

const struct mh_kernel mh_kernel_bicg = {
    .name = "BICG",
    .suite = "PolyBench/GPU",
    .summary = "q = A p, s = A' r; lanes a matrix row apart, then side by side",
    SIZES,
    .build = build_bicg,
};
