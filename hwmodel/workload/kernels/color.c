/*
 * Color: colouring of a graph by Jones and Plassmann's algorithm, Pannotia's color_max: a vertex whose random
 * value is the greatest among its uncoloured neighbours' takes this round's colour; rounds of color (maximum over the
 * neighbours) and color2 (take it), until no neighbour of an uncoloured vertex is uncoloured. The algorithm is played
 * when the kernel is built, so rounds, masks and addresses are those of the graph. Graphs are SSSP's files, read as
 * pannotia.h says: but in a mesh, every neighbour is there twice. Gaps are those of clang 14's LLVM IR of
 * kernel_max.cl.
 *
 * The random values are ours.
 */
#include <stdlib.h>

#include "workload/kernels/pannotia.h"

enum { BLOCK = 256, WORD = MH_PAN_WORD, MAX_ROUNDS = 4000 };
enum { ROW, COL, STOP, COLOR, VALUE, MAX }; /* buffers, in the source's order */
enum { ROUNDS, COLORS };                    /* p[]; the second: offset behind the graph */

enum {
    GAP_ID = 6,    /* id, truncate, bounds, branch, extend, address */
    GAP_LIVE = 3,  /* compare, branch, address */
    GAP_END = 5,   /* tid + 1, compare, branch, extend, address */
    GAP_LOOP = 8,  /* branch, compare, branch, end - 1, compare with start, branch, extend, address */
    GAP_STOP = 3,  /* compare, and, branch */
    GAP_MAX = 2,   /* compare, branch */
    GAP_NEXT = 5,  /* edge++, compare, branch, extend, address */
    GAP_OUT = 4,   /* edge++, compare, branch, address */
    GAP_NONE = 4,  /* branch, compare, branch, address: a vertex without edges */
    GAP_COL = 2,   /* extend, address */
    GAP_VALUE = 2, /* extend, address */
};

/* The round in which each vertex is coloured. */
static const uint16_t *colors_of(const struct mh_gen *g)
{
    return (const uint16_t *)((const char *)g->data + g->p[COLORS]);
}

/* Of the lanes in `mask`, those whose vertex gets its colour in rounds `from` to `to`. */
static uint64_t lanes_coloured(const struct mh_gen *g, uint64_t first, uint64_t mask, uint32_t from, uint32_t to)
{
    const uint16_t *colors = colors_of(g);
    MH_KEEP_LANES(mask, lane, colors[first + lane] >= from && colors[first + lane] <= to);
    return mask;
}

/* Of the lanes in `mask`, those whose edge k leads to an uncoloured vertex and is not their only one. */
static uint64_t lanes_to_live(const struct mh_gen *g, uint64_t first, uint64_t mask, uint64_t k, uint32_t round)
{
    const struct mh_graph *graph = mh_pan_graph(g);
    const uint16_t *colors = colors_of(g);

    MH_KEEP_LANES(mask, lane,
                  colors[mh_pan_target(graph, first, lane, k)] >= round && mh_graph_degree(graph, first + lane) != 1);
    return mask;
}

/* From the edge before, whose neighbour may have a value to compare, or from the rows. */
static uint32_t gap_col(const struct mh_cursor *c)
{
    return c->v[0] ? GAP_NEXT + (c->v[2] ? GAP_MAX : GAP_STOP) : GAP_LOOP;
}

static uint32_t gap_max(const struct mh_cursor *c)
{
    return c->v[0] ? GAP_OUT + (c->v[2] ? GAP_MAX : GAP_STOP) : GAP_NONE;
}

/* c->v[]: edge number, lanes that have it, of these the ones with an uncoloured neighbour. */
static void color(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct mh_graph *graph = mh_pan_graph(g);
    const uint32_t round = c->launch / 2;
    const uint64_t v = mh_thread(g, c, BLOCK), mask = mh_mask_below(v, g->n, g->lanes);
    const uint64_t live = lanes_coloured(g, v, c->v[1] ? 0 : mask, round, UINT16_MAX);
    const uint64_t inner = live & mh_mask_below(v, g->n - 1, g->lanes); /* the last one knows the number of edges */

    switch (c->state) {
    case 0:
        MH_LOAD(1, WORD, GAP_ID, false, mask, g->base[COLOR] + v * WORD, WORD);
        MH_LOAD(2, WORD, GAP_LIVE, true, live, g->base[ROW] + v * WORD, WORD);
        MH_LOAD(3, WORD, GAP_END, false, inner, g->base[ROW] + (v + 1) * WORD, WORD);
        for (c->v[1] = mh_pan_with_edge(graph, v, live, 0); c->v[1];
             c->v[0]++, c->v[1] = mh_pan_with_edge(graph, v, c->v[1], c->v[0])) {
            mh_pan_op(graph, op, addr, MH_OP_LOAD, 4, gap_col(c), true, c->v[1], g->base[COL], v, c->v[0], false);
            MH_YIELD;
            mh_pan_op(graph, op, addr, MH_OP_LOAD, 5, GAP_COL, true, c->v[1], g->base[COLOR], v, c->v[0], true);
            MH_YIELD;
            c->v[2] = lanes_to_live(g, v, c->v[1], c->v[0], round);
            if (c->v[2]) {
                mh_op_affine(op, MH_OP_STORE, 6, WORD, GAP_STOP, true, c->v[2], g->base[STOP], 0);
                MH_YIELD;
                /* The flag may be the column for all the compiler knows: it is loaded again. */
                mh_pan_op(graph, op, addr, MH_OP_LOAD, 7, 0, false, c->v[2], g->base[COL], v, c->v[0], false);
                MH_YIELD;
                mh_pan_op(graph, op, addr, MH_OP_LOAD, 8, GAP_VALUE, true, c->v[2], g->base[VALUE], v, c->v[0], true);
                MH_YIELD;
            }
        }
        c->v[1] = lanes_coloured(g, v, mask, round, UINT16_MAX);
        MH_STORE(9, WORD, gap_max(c), true, c->v[1], g->base[MAX] + v * WORD, WORD);
        MH_END(c->v[1] ? 1 : 2, c->v[1] == 0);
    }
}

static void color2(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint32_t round = c->launch / 2;
    const uint64_t v = mh_thread(g, c, BLOCK), mask = mh_mask_below(v, g->n, g->lanes);
    const uint64_t live = lanes_coloured(g, v, mask, round, UINT16_MAX);
    const uint64_t greatest = lanes_coloured(g, v, mask, round, round);

    switch (c->state) {
    case 0:
        MH_LOAD(10, WORD, GAP_ID, false, mask, g->base[COLOR] + v * WORD, WORD);
        MH_LOAD(11, WORD, GAP_LIVE, true, live, g->base[VALUE] + v * WORD, WORD);
        MH_LOAD(12, WORD, 1, false, live, g->base[MAX] + v * WORD, WORD);
        MH_STORE(13, WORD, GAP_LIVE - 1, true, greatest, g->base[COLOR] + v * WORD, WORD);
        MH_END(greatest ? 1 : 2, greatest == 0);
    }
}

struct live {
    uint32_t vertex;
    uint32_t edge; /* those before it lead to smaller or coloured vertices, and always will */
};

/* Whether v is greater than all its neighbours that are uncoloured in this round. */
static bool is_greatest(const struct mh_graph *graph, uint64_t seed, const uint16_t *colors, struct live *v,
                        uint32_t round)
{
    const uint64_t value = mh_random(seed, v->vertex);

    if (mh_graph_degree(graph, v->vertex) == 1)
        return true;
    for (; v->edge < graph->row[v->vertex + 1]; v->edge++) {
        const uint32_t to = graph->col[v->edge];

        if (colors[to] >= round && mh_random(seed, to) > value)
            return false;
    }
    return true;
}

/* One round over the `count` vertices in live[]; how many are left. Values are 64 random bits: all differ (ours). */
static uint32_t play_round(const struct mh_graph *graph, uint64_t seed, uint16_t *colors, struct live *live,
                           uint32_t count, uint16_t round)
{
    uint32_t left = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct live v = live[i];

        if (is_greatest(graph, seed, colors, &v, round))
            colors[v.vertex] = round;
        else
            live[left++] = v;
    }
    return left;
}

/* Whether the last vertices still set the flag: a vertex with one edge is coloured whatever its neighbour is. */
static bool asks_for_more(const struct mh_graph *graph, const uint16_t *colors, const struct live *live, uint32_t count,
                          uint32_t round)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = live[i].vertex;

        for (uint32_t e = graph->row[v]; mh_graph_degree(graph, v) != 1 && e < graph->row[v + 1]; e++)
            if (colors[graph->col[e]] >= round)
                return true;
    }
    return false;
}

/* False when memory is short. */
static bool play(struct mh_gen *g, const struct mh_graph *graph, uint16_t *colors)
{
    struct live *live = malloc((size_t)graph->vertices * sizeof *live);
    uint32_t count = graph->vertices;

    for (uint32_t v = 0; live && v < graph->vertices; v++) {
        live[v] = (struct live){v, graph->row[v]};
        colors[v] = UINT16_MAX;
    }
    for (uint32_t before = count; live && count && g->p[ROUNDS] < MAX_ROUNDS; before = count, g->p[ROUNDS]++) {
        const uint16_t round = (uint16_t)g->p[ROUNDS];

        count = play_round(graph, mh_random(g->seed, 1), colors, live, count, round);
        if (count == 0 && asks_for_more(graph, colors, live, before, round))
            g->p[ROUNDS]++;
    }
    free(live);
    return live != NULL;
}

static bool make_data(struct mh_gen *g)
{
    void *room = NULL;
    struct mh_graph *graph = mh_graph_with_room(mh_pan_undirected(g), g->n * sizeof(uint16_t), &room);

    g->data = graph;
    if (graph)
        g->p[COLORS] = (uint64_t)((char *)room - (char *)graph);
    if (!graph || !play(g, graph, room)) {
        g->no_memory = true;
        return false;
    }
    return true;
}

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.ctas = (uint32_t)mh_ceil_div(g->n, BLOCK), .threads = BLOCK, .registers = 16 /* ours */};

    if (!make_data(g))
        return;
    for (int i = ROW; i <= MAX; i++)
        mh_gen_buffer(g, (i == COL ? mh_pan_graph(g)->edges : i == STOP ? 1 : g->n) * WORD);
    for (uint64_t r = 0; r < g->p[ROUNDS]; r++) {
        l.name = "color", mh_gen_launch(g, l, color);
        l.name = "color2", mh_gen_launch(g, l, color2);
    }
}

const struct mh_kernel mh_kernel_color = {
    .name = "Color",
    .suite = "Pannotia",
    .summary = "colouring of a graph; scattered neighbours, fewer vertices every round",
    MH_SIZE("vertices", 262144, 64, (uint64_t)1 << 24), /* ours: as SSSP's */
    .size_powers = MH_GRAPH_POWERS,
    .size_reason = MH_GRAPH_REASON,
    .variants = mh_graph_variants,
    .input = MH_INPUT_GRAPH,
    .least_bytes = (MAX - ROW - 1) * WORD, /* Four words per vertex, without the edges. */
    .build = build,
};
