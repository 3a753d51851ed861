/*
 * KMeans: Rodinia's kmeans (opencl version): kmeans_swap turns the points' rows of features into columns, the lanes of
 * a warp a row apart; kmeans_kernel_c finds the nearest of five centres for a point per thread. The source repeats the
 * second kernel until few points change; how often depends on data that decide no address, so one round is generated
 * (ours). KMeans@swap and KMeans@nearest are the first or the second kernel alone, to set beside a recording of it.
 * Gaps count the source's operations as LLVM IR would, or clang 14's PTX for sm_20.
 *
 * CTAs x threads at the default size: 2 launches of 1930 x 256; 130 MiB.
 */
#include "workload/gen.h"

enum { BLOCK = 256, FEATURES = 34, CENTRES = 5, WORD = 4 };
enum { ROWS, COLUMNS, CLUSTERS, MEMBERSHIP }; /* buffers */
enum { BOTH, SWAP, NEAREST };                 /* variants */

/* Operations of LLVM IR, PTX instructions. */
#define GAP_SWAP      MH_GAP(9, 17)  /* id, bounds, tid * nfeatures, extend, address */
#define GAP_SWAP_LOOP MH_GAP(6, 7)   /* i++, compare, branch, sum, extend, address */
#define GAP_COLUMN    MH_GAP(4, 2)   /* product, sum, extend, address */
#define GAP_POINT     MH_GAP(10, 34) /* id, bounds, loop tests, extend, address */
#define GAP_FEATURE   MH_GAP(9, 10)  /* difference, multiply-add, l++, compare, branch, product, sum, extend, address */
#define GAP_NEAREST   MH_GAP(14, 23) /* that of the last feature, compare, two selects, i++, compare, branch */
#define GAP_CENTRE    MH_GAP(3, 0)   /* sum, extend, address */

static void swap(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t p = (uint64_t)c->cta * BLOCK + c->warp * g->lanes, mask = mh_mask_below(p, g->n, g->lanes);
    const uint64_t column = g->base[COLUMNS] + (c->v[0] * g->n + p) * WORD;

    switch (c->state) {
    case 0:
        for (; mask && c->v[0] < FEATURES; c->v[0]++) {
            MH_LOAD(1, WORD, c->v[0] ? GAP_SWAP_LOOP : GAP_SWAP, false, mask,
                    g->base[ROWS] + (p * FEATURES + c->v[0]) * WORD, FEATURES * WORD);
            MH_STORE(2, WORD, GAP_COLUMN, true, mask, column, WORD);
        }
        MH_END(MH_GAP(mask ? 4 : 3, mask ? 6 : 11), false);
    }
}

/* c->v[]: centre, feature. */
static void nearest(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t p = (uint64_t)c->cta * BLOCK + c->warp * g->lanes, mask = mh_mask_below(p, g->n, g->lanes);

    switch (c->state) {
    case 0:
        for (; mask && c->v[0] < CENTRES; c->v[0]++)
            for (c->v[1] = 0; c->v[1] < FEATURES; c->v[1]++) {
                MH_LOAD(3, WORD,
                        c->v[1]   ? GAP_FEATURE
                        : c->v[0] ? GAP_NEAREST
                                  : GAP_POINT,
                        c->v[0] + c->v[1] != 0, mask, g->base[COLUMNS] + (c->v[1] * g->n + p) * WORD, WORD);
                MH_LOAD(4, WORD, GAP_CENTRE, false, mask, g->base[CLUSTERS] + (c->v[0] * FEATURES + c->v[1]) * WORD, 0);
            }
        MH_STORE(5, WORD, MH_GAP(14, 16), true, mask, g->base[MEMBERSHIP] + p * WORD, WORD);
        MH_END(MH_GAP(mask ? 1 : 3, mask ? 1 : 8), false);
    }
}

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.threads = BLOCK, .registers = 20 /* ours */};

    mh_gen_buffer(g, g->n * FEATURES * WORD);
    mh_gen_buffer(g, g->n * FEATURES * WORD);
    mh_gen_buffer(g, CENTRES * FEATURES * WORD);
    mh_gen_buffer(g, g->n * WORD);
    l.ctas = (uint32_t)mh_ceil_div(g->n, BLOCK);
    l.name = "kmeans_swap";
    if (g->variant != NEAREST)
        mh_gen_launch(g, l, swap);
    l.name = "kmeans_kernel_c";
    if (g->variant != SWAP)
        mh_gen_launch(g, l, nearest);
}

const struct mh_kernel mh_kernel_kmeans = {
    .name = "KMeans",
    .suite = "Rodinia",
    .summary = "k-means: transposes 34 features (rows of 136 bytes a lane apart), then streams columns",
    .size_meaning = "points",
    .size_default = 494020, /* Rodinia's kdd_cup input */
    .size_min = 32,
    .size_max = (uint64_t)1 << 26,
    .variants = (const char *const[]){[BOTH] = "both", [SWAP] = "swap", [NEAREST] = "nearest", NULL},
    .build = build,
};
