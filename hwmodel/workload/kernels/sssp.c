/*
 * SSSP: shortest paths by Bellman-Ford, Pannotia's sssp_csr: vector_init, then rounds of vector_assign, a sparse
 * min-plus product with a row (vertex) per thread, and vector_diff, until nothing changes; as many rounds as the
 * generated graph needs. As recorded, the graph has gone through Pannotia's reader of coordinate files
 * (parseCOO_transpose, told that the graph is directed: it enters each line once), which gives vertices without edges
 * no row: row i belongs to the i-th vertex that has one, and the rows left over at the end are empty. Work-groups of
 * 64, pcs and instruction counts (gap) of vector_assign and the product are the recorded ones; the other two are
 * counted from their sources. Edge weights are 1 to 64 (ours). The source is vertex 0, as Pannotia's, but of a file it
 * is BFS': the vertex of largest degree (ours), since vertex 0 of a file need not have an edge.
 */
#include <stdlib.h>

#include "workload/input/input.h"
#include "workload/kernels/pannotia.h"

/* MAX_ROUNDS: a mesh needs thousands, which repeat the same loads. */
enum { BLOCK = 64, WORD = MH_PAN_WORD, WEIGHTS = 64, MAX_ROUNDS = 64, FAR = 99999999 };

enum { CHANGED /* offset of the data behind the graph */, ROUNDS }; /* g->p[] */
enum { ROW, COL, DATA, STOP, OLD, NEW };                            /* buffers, as recorded */
enum { GAP_INIT = 8, GAP_DIFF = 5, GAP_COMPARE = 2 };

/* Behind the graph: a word per vertex, bit r is set if round r lowers its distance. */

static const uint64_t *changed_of(const struct mh_gen *g)
{
    return (const uint64_t *)((const char *)g->data + g->p[CHANGED]);
}

static void vector_init(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t v = mh_thread(g, c, BLOCK), mask = mh_mask_below(v, g->n, g->lanes);

    switch (c->state) {
    case 0:
        MH_STORE(1, WORD, GAP_INIT, false, mask, g->base[OLD] + v * WORD, WORD);
        MH_STORE(2, WORD, 1, false, mask, g->base[NEW] + v * WORD, WORD);
        MH_END(1, false);
    }
}

static void vector_assign(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t v = mh_thread(g, c, BLOCK), mask = mh_mask_below(v, g->n, g->lanes);

    switch (c->state) {
    case 0:
        MH_LOAD(3, WORD, 6, false, mask, g->base[NEW] + v * WORD, WORD);
        MH_STORE(4, WORD, 1, true, mask, g->base[OLD] + v * WORD, WORD);
        MH_END(1, false);
    }
}

static void product(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct mh_graph *graph = mh_pan_graph(g);
    const uint64_t v = mh_thread(g, c, BLOCK), mask = mh_mask_below(v, g->n, g->lanes);
    const uint64_t k = c->v[0], left = c->v[1]; /* edge number; lanes that have one */

    switch (c->state) {
    case 0:
        MH_LOAD(5, WORD, 6, false, mask, g->base[ROW] + v * WORD, WORD);
        MH_LOAD(6, WORD, 3, false, mask, g->base[ROW] + (v + 1) * WORD, WORD);
        MH_LOAD(7, WORD, 1, false, mask, g->base[OLD] + v * WORD, WORD);
        for (c->v[1] = mh_pan_with_edge(graph, v, mask, 0); c->v[1];
             c->v[0]++, c->v[1] = mh_pan_with_edge(graph, v, c->v[1], c->v[0])) {
            mh_pan_op(graph, op, addr, MH_OP_LOAD, 8, c->v[0] ? 8 : 4, true, c->v[1], g->base[DATA], v, c->v[0], false);
            MH_YIELD;
            mh_pan_op(graph, op, addr, MH_OP_LOAD, 9, 1, false, left, g->base[COL], v, k, false);
            MH_YIELD;
            mh_pan_op(graph, op, addr, MH_OP_LOAD, 10, 2, true, left, g->base[OLD], v, k, true);
            MH_YIELD;
        }
        MH_STORE(11, WORD, 7, true, mask, g->base[NEW] + v * WORD, WORD);
        MH_END(1, false);
    }
}

static void vector_diff(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t v = mh_thread(g, c, BLOCK), mask = mh_mask_below(v, g->n, g->lanes), *changed = changed_of(g);
    const uint32_t round = (c->launch - 1) / 3;
    uint64_t differ = mask;

    MH_KEEP_LANES(differ, lane, changed[v + lane] >> round & 1);
    switch (c->state) {
    case 0:
        MH_LOAD(12, WORD, GAP_DIFF, false, mask, g->base[NEW] + v * WORD, WORD);
        MH_LOAD(13, WORD, 1, false, mask, g->base[OLD] + v * WORD, WORD);
        MH_STORE(14, 1, GAP_COMPARE, true, differ, g->base[STOP], 0);
        MH_END(differ ? 1 : 1 + GAP_COMPARE, !differ);
    }
}

/* One round; true if a distance changed. */
static bool relax(const struct mh_graph *graph, uint64_t seed, const uint32_t *from, uint32_t *to, uint64_t *changed,
                  uint32_t round)
{
    bool any = false;

    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint32_t best = from[v];

        for (uint32_t e = graph->row[v]; e < graph->row[v + 1]; e++) {
            const uint32_t d = from[graph->col[e]] + 1 + (uint32_t)(mh_random(seed, e) % WEIGHTS);

            best = d < best ? d : best;
        }
        to[v] = best;
        changed[v] |= (uint64_t)(best < from[v]) << round;
        any |= best < from[v];
    }
    return any;
}

/* Plays the algorithm from `source`; how many rounds, and of how many vertices it finds the distance. 0: no memory. */
static uint32_t play(const struct mh_graph *graph, uint32_t source, uint64_t seed, uint64_t *changed, uint64_t *reached)
{
    uint32_t *d = malloc(2 * (size_t)graph->vertices * sizeof *d), rounds = 0;
    bool any = d != NULL;

    for (uint32_t v = 0; d && v < graph->vertices; v++)
        d[v] = v == source ? 0 : FAR;
    while (any && rounds < MAX_ROUNDS) {
        uint32_t *from = d + (rounds & 1 ? graph->vertices : 0), *to = d + (rounds & 1 ? 0 : graph->vertices);

        any = relax(graph, seed, from, to, changed, rounds++);
    }
    for (uint32_t v = 0; d && v < graph->vertices; v++)
        *reached += d[(rounds & 1 ? graph->vertices : 0) + v] < FAR;
    free(d);
    return rounds;
}

static bool make_data(struct mh_gen *g)
{
    void *room = NULL;
    uint64_t reached = 0;
    uint32_t source = 0;
    struct mh_graph *graph = mh_graph_with_room(mh_gen_graph(g, mh_random(g->seed, 0)), g->n * sizeof(uint64_t), &room);

    g->data = graph;
    if (graph) {
        g->p[CHANGED] = (uint64_t)((char *)room - (char *)graph);
        if (g->input)
            source = mh_input_start(g->input, graph);
        mh_graph_close_rows_up(graph);
        g->p[ROUNDS] = play(graph, source, mh_random(g->seed, 1), room, &reached);
        g->starts = g->input != NULL;
        g->reached = g->starts ? reached : 0;
    }
    g->no_memory |= !g->p[ROUNDS];
    return g->p[ROUNDS] != 0;
}

static void add_buffers(struct mh_gen *g)
{
    MH_BUFFERS(g, (g->n + 1) * WORD, (uint64_t)mh_pan_graph(g)->edges * WORD, (uint64_t)mh_pan_graph(g)->edges * WORD,
               WORD, g->n * WORD, g->n * WORD);
}

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.ctas = (uint32_t)mh_ceil_div(g->n, BLOCK), .threads = BLOCK, .registers = 16 /* ours */};

    if (!make_data(g))
        return;
    add_buffers(g);
    l.name = "vector_init", mh_gen_launch(g, l, vector_init);
    for (uint64_t i = 0; i < g->p[ROUNDS]; i++) {
        l.name = "vector_assign", mh_gen_launch(g, l, vector_assign);
        l.name = "spmv_min_dot_plus_kernel", mh_gen_launch(g, l, product);
        l.name = "vector_diff", mh_gen_launch(g, l, vector_diff);
    }
}

const struct mh_kernel mh_kernel_sssp = {
    .name = "SSSP",
    .suite = "Pannotia",
    .summary = "shortest paths in a graph; edges of 32 vertices at a time, scattered distances",
    MH_SIZE("vertices", 262144, 64, (uint64_t)1 << 24), /* as recorded */
    .size_powers = MH_GRAPH_POWERS,
    .size_reason = MH_GRAPH_REASON,
    .variants = mh_graph_variants,
    .input = MH_INPUT_GRAPH,
    .least_bytes = 3 * WORD, /* Three words per vertex, without the edges. */
    .build = build,
};
