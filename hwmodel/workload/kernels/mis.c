/*
 * MIS: a maximal independent set of a graph by Luby's algorithm, Pannotia's mis: a vertex whose random value is
 * the smallest among its neighbours' joins, and its neighbours drop out; init, then rounds of mis1 (minimum over the
 * live neighbours), mis2 (join, mark the neighbours) and mis3 (drop out), until mis1 finds no live vertex. The
 * algorithm is played when the kernel is built, so rounds, masks and addresses are those of the graph. Graphs are
 * SSSP's files, read as pannotia.h says: but in a mesh, every neighbour is there twice. Gaps are those of clang 14's
 * LLVM IR of kernel.cl.
 *
 * The random values are ours.
 */
#include "workload/kernels/pannotia.h"

enum { BLOCK = 128, WORD = MH_PAN_WORD, MAX_ROUNDS = 250 };
enum { ROW, COL, STOP, MIN, STATUS, UPDATE, SET, VALUE }; /* buffers, in the source's order */
enum { ROUNDS, FATES };                                   /* p[]; the second: offset behind the graph */

enum {
    GAP_ID = 6,    /* id, truncate, bounds, branch, extend, address */
    GAP_LIVE = 2,  /* compare, branch */
    GAP_ROW = 1,   /* address */
    GAP_END = 5,   /* tid + 1, compare, branch, extend, address */
    GAP_LOOP = 4,  /* compare, branch, extend, address; a branch more where the end has been loaded just before */
    GAP_NEXT = 5,  /* edge++, compare, branch, extend, address */
    GAP_OUT = 4,   /* edge++, compare, branch, address */
    GAP_NONE = 4,  /* branch, compare, branch, address: a vertex without edges */
    GAP_COL = 2,   /* extend, address */
    GAP_VALUE = 3, /* compare, branch, address */
};

/* When a vertex joins or drops out. */
struct fate {
    uint8_t round;
    bool joins;
};

static const struct fate *fates_of(const struct mh_gen *g)
{
    return (const struct fate *)((const char *)g->data + g->p[FATES]);
}

static uint32_t round_of(const struct mh_cursor *c)
{
    return (c->launch - 1) / 3;
}

enum question { LIVE, JOINING, JOINED, DROPPED };

static bool answer(struct fate f, enum question q, uint32_t round)
{
    switch (q) {
    case LIVE:
        return f.round >= round;
    case JOINING:
        return f.joins && f.round == round;
    case JOINED:
        return f.joins && f.round <= round;
    default:
        return !f.joins && f.round <= round;
    }
}

/* Of the lanes in `mask`, those whose vertex is .. in this round. */
static uint64_t lanes_that(const struct mh_gen *g, uint64_t first, uint64_t mask, enum question q, uint32_t round)
{
    const struct fate *fates = fates_of(g);

    MH_KEEP_LANES(mask, lane, answer(fates[first + lane], q, round));
    return mask;
}

/* Of the lanes in `mask`, those whose edge k leads to a live vertex. */
static uint64_t lanes_to_live(const struct mh_gen *g, uint64_t first, uint64_t mask, uint64_t k, uint32_t round)
{
    const struct fate *fates = fates_of(g);
    MH_KEEP_LANES(mask, lane, fates[mh_pan_target(mh_pan_graph(g), first, lane, k)].round >= round);
    return mask;
}

static void init(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t v = mh_thread(g, c, BLOCK), mask = mh_mask_below(v, g->n, g->lanes);

    switch (c->state) {
    case 0:
        MH_STORE(1, WORD, GAP_ID, false, mask, g->base[STATUS] + v * WORD, WORD);
        MH_STORE(2, WORD, 1, false, mask, g->base[UPDATE] + v * WORD, WORD);
        MH_STORE(3, WORD, 1, false, mask, g->base[SET] + v * WORD, WORD);
        MH_END(1, false);
    }
}

/* c->v[]: edge number, lanes that have it, of these the ones with a live neighbour. */
static void mis1(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct mh_graph *graph = mh_pan_graph(g);
    const uint64_t v = mh_thread(g, c, BLOCK), mask = mh_mask_below(v, g->n, g->lanes);
    const uint64_t live = lanes_that(g, v, c->v[1] ? 0 : mask, LIVE, round_of(c));
    /* The last vertex takes the number of edges from a parameter. */
    const uint64_t inner = live & mh_mask_below(v, g->n - 1, g->lanes);

    switch (c->state) {
    case 0:
        MH_LOAD(4, WORD, GAP_ID, false, mask, g->base[STATUS] + v * WORD, WORD);
        MH_STORE(5, WORD, GAP_LIVE, true, live, g->base[STOP], 0);
        MH_LOAD(6, WORD, GAP_ROW, false, live, g->base[ROW] + v * WORD, WORD);
        MH_LOAD(7, WORD, GAP_END, false, inner, g->base[ROW] + (v + 1) * WORD, WORD);
        for (c->v[1] = mh_pan_with_edge(graph, v, live, 0); c->v[1];
             c->v[0]++, c->v[1] = mh_pan_with_edge(graph, v, c->v[1], c->v[0])) {
            mh_pan_op(graph, op, addr, MH_OP_LOAD, 8, c->v[0] ? GAP_LIVE + GAP_NEXT : 1 + GAP_LOOP, true, c->v[1],
                      g->base[COL], v, c->v[0], false);
            MH_YIELD;
            mh_pan_op(graph, op, addr, MH_OP_LOAD, 9, GAP_COL, true, c->v[1], g->base[STATUS], v, c->v[0], true);
            MH_YIELD;
            c->v[2] = lanes_to_live(g, v, c->v[1], c->v[0], round_of(c));
            if (c->v[2]) {
                mh_pan_op(graph, op, addr, MH_OP_LOAD, 10, GAP_VALUE, true, c->v[2], g->base[VALUE], v, c->v[0], true);
                MH_YIELD;
            }
        }
        c->v[2] = lanes_that(g, v, mask, LIVE, round_of(c));
        MH_STORE(11, WORD, c->v[0] ? GAP_LIVE + GAP_OUT : GAP_NONE, true, c->v[2], g->base[MIN] + v * WORD, WORD);
        MH_END(c->v[2] ? 1 : GAP_LIVE, c->v[2] == 0);
    }
}

static void mis2(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct mh_graph *graph = mh_pan_graph(g);
    const uint64_t v = mh_thread(g, c, BLOCK), mask = mh_mask_below(v, g->n, g->lanes), outer = c->v[1] ? 0 : mask;
    /* Values of vertices that joined earlier are below the minimum of their last round, too. */
    const uint64_t small = lanes_that(g, v, outer, JOINED, round_of(c));
    const uint64_t joining = lanes_that(g, v, outer, JOINING, round_of(c));
    const uint64_t inner = joining & mh_mask_below(v, g->n - 1, g->lanes);

    switch (c->state) {
    case 0:
        MH_LOAD(12, WORD, GAP_ID, false, mask, g->base[VALUE] + v * WORD, WORD);
        MH_LOAD(13, WORD, 1, false, mask, g->base[MIN] + v * WORD, WORD);
        MH_LOAD(14, WORD, GAP_VALUE, true, small, g->base[STATUS] + v * WORD, WORD);
        MH_STORE(15, WORD, GAP_VALUE, true, joining, g->base[SET] + v * WORD, WORD);
        MH_LOAD(16, WORD, GAP_ROW, false, joining, g->base[ROW] + v * WORD, WORD);
        MH_LOAD(17, WORD, GAP_END, false, inner, g->base[ROW] + (v + 1) * WORD, WORD);
        MH_STORE(18, WORD, 1, false, joining, g->base[STATUS] + v * WORD, WORD);
        for (c->v[1] = mh_pan_with_edge(graph, v, joining, 0); c->v[1];
             c->v[0]++, c->v[1] = mh_pan_with_edge(graph, v, c->v[1], c->v[0])) {
            mh_pan_op(graph, op, addr, MH_OP_LOAD, 19, c->v[0] ? GAP_NEXT + (c->v[2] ? 1 : GAP_LIVE) : GAP_LOOP, true,
                      c->v[1], g->base[COL], v, c->v[0], false);
            MH_YIELD;
            mh_pan_op(graph, op, addr, MH_OP_LOAD, 20, GAP_COL, true, c->v[1], g->base[STATUS], v, c->v[0], true);
            MH_YIELD;
            c->v[2] = lanes_to_live(g, v, c->v[1], c->v[0], round_of(c));
            if (c->v[2]) {
                mh_pan_op(graph, op, addr, MH_OP_STORE, 21, GAP_VALUE, true, c->v[2], g->base[UPDATE], v, c->v[0],
                          true);
                MH_YIELD;
            }
        }
        MH_END(c->v[0] && c->v[2] ? GAP_NEXT - 1 : GAP_NEXT, true);
    }
}

static void mis3(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t v = mh_thread(g, c, BLOCK), mask = mh_mask_below(v, g->n, g->lanes);
    const uint64_t dropped = lanes_that(g, v, mask, DROPPED, round_of(c));

    switch (c->state) {
    case 0:
        MH_LOAD(22, WORD, GAP_ID, false, mask, g->base[UPDATE] + v * WORD, WORD);
        MH_STORE(23, WORD, GAP_VALUE, true, dropped, g->base[STATUS] + v * WORD, WORD);
        MH_END(dropped ? 1 : GAP_LIVE, !dropped);
    }
}

/* One round over the live vertices; how many of them are left. Values are 64 random bits: no two are equal (ours). */
static uint32_t play_round(const struct mh_graph *graph, uint64_t seed, struct fate *fates, uint8_t round)
{
    uint32_t left = 0;

    for (uint32_t v = 0; v < graph->vertices; v++) {
        bool least = fates[v].round >= round;

        for (uint32_t e = graph->row[v]; least && e < graph->row[v + 1]; e++)
            least = fates[graph->col[e]].round < round || mh_random(seed, v) < mh_random(seed, graph->col[e]);
        if (least)
            fates[v] = (struct fate){round, true};
    }
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint32_t e = graph->row[v]; fates[v].joins && fates[v].round == round && e < graph->row[v + 1]; e++)
            if (fates[graph->col[e]].round > round)
                fates[graph->col[e]].round = round;
    for (uint32_t v = 0; v < graph->vertices; v++)
        left += fates[v].round > round;
    return left;
}

static bool make_data(struct mh_gen *g)
{
    void *room = NULL;
    struct mh_graph *graph = mh_graph_with_room(mh_pan_undirected(g), g->n * sizeof(struct fate), &room);
    struct fate *fates = room;

    g->data = graph;
    if (!graph) {
        g->no_memory = true;
        return false;
    }
    g->p[FATES] = (uint64_t)((char *)room - (char *)graph);
    for (uint32_t v = 0; v < graph->vertices; v++)
        fates[v].round = UINT8_MAX;
    for (uint32_t left = 1; left && g->p[ROUNDS] < MAX_ROUNDS; g->p[ROUNDS]++)
        left = play_round(graph, mh_random(g->seed, 1), fates, (uint8_t)g->p[ROUNDS]);
    return true;
}

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.ctas = (uint32_t)mh_ceil_div(g->n, BLOCK), .threads = BLOCK, .registers = 16 /* ours */};

    if (!make_data(g))
        return;
    for (int i = ROW; i <= VALUE; i++)
        mh_gen_buffer(g, (i == COL ? mh_pan_graph(g)->edges : i == STOP ? 1 : g->n) * WORD);
    l.name = "init", mh_gen_launch(g, l, init);
    for (uint64_t r = 0; r <= g->p[ROUNDS]; r++) { /* the last one finds no live vertex */
        l.name = "mis1", mh_gen_launch(g, l, mis1);
        l.name = "mis2", mh_gen_launch(g, l, mis2);
        l.name = "mis3", mh_gen_launch(g, l, mis3);
    }
}

const struct mh_kernel mh_kernel_mis = {
    .name = "MIS",
    .suite = "Pannotia",
    .summary = "maximal independent set of a graph; scattered neighbours, fewer vertices every round",
    MH_SIZE("vertices", 262144, 64, (uint64_t)1 << 24), /* ours: as SSSP's */
    .size_powers = MH_GRAPH_POWERS,
    .size_reason = MH_GRAPH_REASON,
    .variants = mh_graph_variants,
    .input = MH_INPUT_GRAPH,
    .least_bytes = (VALUE - ROW - 1) * WORD, /* Six words per vertex, without the edges. */
    .build = build,
};
