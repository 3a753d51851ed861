/*
 * QTC: SHOC's quality threshold clustering, the first round: every point grows a candidate cluster by the point that
 * keeps its diameter smallest, until none stays within the threshold; the largest cluster wins and its points leave.
 * 256 blocks of 64 threads (the MAFIA suite's number) take a point after the other; a thread looks after each 64th of
 * its neighbours, twelve of them in registers. In every step it looks each one up in two byte masks and its distance to
 * the latest member in the full matrix of distances, which is the source's form at its default size: a row per
 * neighbour, a column per member. Five launches: degrees, clusters, largest, trim (which grows the winner again),
 * update of the mask.
 *
 * Which threads do what follows from the points: groups of random radius and size in a square of 20 x 20 thresholds, as
 * the source makes them, here of integers, 2048 a threshold. Gaps count the source's operations as LLVM IR would.
 *
 * CTAs x threads at the default size: 256 x 64, 256 x 64, 1 x 1, 1 x 64, 1 x 64; 70 MiB.
 */
#include "workload/kernels/qtc_launches.h"

enum { GAP_SCAN = 8 /* two compares, add, j++, loop test, address */ };

static void compute_degrees(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t share = mh_ceil_div(g->n, MH_QTC_BLOCKS), tid = c->warp * g->lanes;
    const uint64_t first = c->cta * share, end = first + share < g->n ? first + share : g->n;
    const uint64_t row = (uint64_t)data_of(g)->width * WORD;
    uint64_t p = first + tid + c->v[0];

    switch (c->state) {
    case 0:
        for (; p < end; c->v[0] += BLOCK, p = first + tid + c->v[0]) {
            for (c->v[1] = 0; c->v[1] < data_of(g)->width; c->v[1]++)
                MH_LOAD(40, WORD, c->v[1] || c->v[0] ? GAP_SCAN : GAP_START, c->v[1] > 0,
                        mh_mask_below(p, end, g->lanes), g->base[ROWS] + p * row + c->v[1] * WORD, (int64_t)row);
            MH_STORE(41, WORD, GAP_SCAN, true, mh_mask_below(p, end, g->lanes), g->base[DEGREES] + p * WORD, WORD);
        }
        MH_END(GAP_LOOP, false);
    }
}

/* One thread; c->v[1]: largest so far */
static void reduce_card(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t card = g->base[CARDINALS];

    switch (c->state) {
    case 0:
        for (; c->v[0] < MH_QTC_BLOCKS; c->v[0]++) {
            MH_LOAD(42, WORD, GAP_LOOP, false, 1, card + c->v[0] * 2 * WORD, 0);
            if (data_of(g)->cardinal[c->v[0]] > c->v[1]) {
                c->v[1] = data_of(g)->cardinal[c->v[0]];
                MH_LOAD(43, WORD, GAP_CHECK, true, 1, card + (c->v[0] * 2 + 1) * WORD, 0);
            }
        }
        MH_STORE(44, WORD, GAP_CHECK, true, 1, card, 0);
        MH_STORE(45, WORD, 1, false, 1, card + WORD, 0);
        MH_END(1, false);
    }
}

static void update_mask(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes;
    uint64_t i = tid + c->v[0];

    switch (c->state) {
    case 0:
        for (; i < g->n; c->v[0] += BLOCK, i = tid + c->v[0]) {
            MH_LOAD(46, 1, GAP_LOOP, false, mh_mask_below(i, g->n, g->lanes), g->base[IN_CLUSTER] + i, 1);
            MH_LOAD(47, 1, 1, false, mh_mask_below(i, g->n, g->lanes), g->base[CLUSTERED] + i, 1);
            MH_STORE(48, 1, 1, true, mh_mask_below(i, g->n, g->lanes), g->base[CLUSTERED] + i, 1);
        }
        MH_BARRIER(49, GAP_LOOP, false);
        MH_END(1, false);
    }
}

static void add_buffers(struct mh_gen *g, uint64_t width)
{
    mh_gen_buffer(g, g->n * g->n * WORD);
    mh_gen_buffer(g, g->n * width * WORD);
    mh_gen_buffer(g, g->n * WORD);
    mh_gen_buffer(g, g->n * WORD);
    mh_gen_buffer(g, MH_QTC_BLOCKS * g->n);
    mh_gen_buffer(g, MH_QTC_BLOCKS * width * WORD);
    mh_gen_buffer(g, g->n);
    mh_gen_buffer(g, MH_QTC_BLOCKS * 2 * WORD);
    mh_gen_buffer(g, g->n * WORD);
}

static void add_launches(struct mh_gen *g)
{
    struct mh_launch l = {.ctas = MH_QTC_BLOCKS, .threads = BLOCK, .registers = 40 /* ours */};

    l.name = "compute_degrees", mh_gen_launch(g, l, compute_degrees);
    l.name = "QTC_device", l.shared_bytes = 2 * BLOCK * WORD, mh_gen_launch(g, l, mh_qtc_grow);
    l.name = "reduce_card_device", l.ctas = l.threads = 1, l.shared_bytes = 0, mh_gen_launch(g, l, reduce_card);
    l.name = "trim_ungrouped_pnts_indr_array", l.threads = BLOCK, l.shared_bytes = 3 * BLOCK * WORD;
    mh_gen_launch(g, l, mh_qtc_grow);
    l.name = "update_clustered_pnts_mask", l.shared_bytes = 0, mh_gen_launch(g, l, update_mask);
}

static void build(struct mh_gen *g)
{
    struct mh_qtc *d;

    g->data = d = mh_qtc_make(g->n, g->seed);
    g->no_memory |= !d;
    add_buffers(g, d ? d->width : 1);
    add_launches(g);
}

const struct mh_kernel mh_kernel_qtc = {
    .name = "QTC",
    .suite = "SHOC",
    .summary =
        "quality threshold clustering; small blocks, a matrix of distances, a row per lane, byte masks, barriers",
    .size_meaning = "points",
    .size_default = 4096, /* the source's */
    .size_min = 256,
    .size_max = 8192,
    .size_multiple = BLOCK,
    .size_reason = "threads of a block",
    .build = build,
};
