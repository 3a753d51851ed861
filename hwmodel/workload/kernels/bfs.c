/*
 * BFS: breadth-first search, Rodinia's bfs (cuda), from the vertex of highest degree (ours) or the source that a file
 * names, on an undirected R-MAT graph (ours; Rodinia's come from files) or, as variants, a mesh or a graph as Rodinia's
 * generator makes them. Two launches a level: a thread per vertex visits the neighbours of those in the frontier, then
 * the marked ones become the next frontier. Masks are bytes, a vertex is a pair (first edge, count); both are read
 * again in every iteration, since the stores may alias. Gaps count the source's operations as LLVM IR would, or clang
 * 14's PTX for sm_20, which reads the pair again only after such a store.
 *
 * BFS@opencl is the suite's OpenCL form (BFS_1, BFS_2) on the R-MAT graph: work-groups of 256, accesses and gaps of
 * clang 14's LLVM IR, which also reads the pair again only after a store.
 */
#include "workload/gen.h"
#include "workload/graph.h"
#include "workload/input/input.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512, GROUP = 256 /* of BFS@opencl */, OPENCL = MH_GRAPHS /* variant, after the graphs */ };
enum { WORD = 4, VERTEX = 8, UNREACHED = UINT16_MAX };
enum { VERTICES, EDGES, MASK, UPDATING, VISITED, COST, OVER }; /* buffers */

/* Operations of LLVM IR, PTX instructions. */
#define GAP_START              MH_GAP(8, 11)                                 /* ids, bounds, address */
#define GAP_IN_MASK            MH_GAP(2, 5)                                  /* test, branch */
#define GAP_TEST               MH_GAP(5, c->v[0] == 0 ? 7 : c->v[2] ? 6 : 7) /* add, compare, branch, extension, address */
#define GAP_ADDRESS            2                                             /* extension, address */
#define GAP_FORM(opencl, cuda) (g->variant == OPENCL ? (uint32_t)(opencl) : (uint32_t)(cuda))

struct search {
    uint32_t *row, *col;
    uint16_t *level; /* distance from the source */
    uint32_t levels;
};

static const struct search *search_of(const struct mh_gen *g)
{
    return g->data;
}

static uint32_t block_of(uint32_t variant)
{
    return variant == OPENCL ? GROUP : BLOCK;
}

/* Lanes whose vertex has this distance. */
static uint64_t at_level(const struct mh_gen *g, uint64_t first, uint32_t level)
{
    const uint16_t *l = search_of(g)->level + first;
    uint64_t mask = 0;

    for (uint64_t i = 0; i < g->lanes && first + i < g->n; i++)
        mask |= (uint64_t)(l[i] == level) << i;
    return mask;
}

/* Of `mask`, the lanes whose vertex has at least `edges` of them. */
static uint64_t with_edges(const struct mh_gen *g, uint64_t first, uint64_t mask, uint64_t edges)
{
    const uint32_t *row = search_of(g)->row + first;

    MH_KEEP_LANES(mask, l, row[l + 1] - row[l] >= edges);
    return mask;
}

/* Of `mask`, the lanes whose edge k leads out of what was reached at this level. */
static uint64_t unvisited(const struct mh_gen *g, uint64_t first, uint64_t mask, uint64_t k, uint32_t level)
{
    const struct search *s = search_of(g);

    MH_KEEP_LANES(mask, l, s->level[s->col[s->row[first + l] + k]] > level);
    return mask;
}

/* Element of `buffer` that belongs to each lane's edge k (edge) or to its target. */
static void list_edge(const struct mh_gen *g, struct mh_op *op, uint64_t *addr, uint64_t first, uint64_t k, int buffer)
{
    const struct search *s = search_of(g);

    MH_LIST_LANES(op, addr, l,
                  g->base[buffer] +
                      (buffer == EDGES ? s->row[first + l] + k : s->col[s->row[first + l] + k]) * op->bytes);
}

#define MH_EDGE(kind, pc, bytes, gap, wait, mask, buffer)                                                              \
    do {                                                                                                               \
        if (mask) {                                                                                                    \
            mh_op_affine(op, kind, pc, bytes, gap, wait, mask, 0, 0);                                                  \
            list_edge(g, op, addr, first, c->v[0], buffer);                                                            \
            MH_YIELD;                                                                                                  \
        }                                                                                                              \
    } while (0)

/* c->v[0]: edge; c->v[1]: lanes in the loop; c->v[2]: those that found a new vertex */
static void visit(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t first = mh_thread(g, c, block_of(g->variant));
    const bool reads_again = !g->ptx && g->variant != OPENCL; /* in every iteration */
    const uint64_t vertex = g->base[VERTICES] + first * VERTEX;
    const uint32_t level = c->launch / 2;
    uint64_t again = 0;

    switch (c->state) {
    case 0:
        MH_LOAD(1, 1, GAP_FORM(6, GAP_START), false, mh_mask_below(first, g->n, g->lanes), g->base[MASK] + first, 1);
        c->v[1] = at_level(g, first, level);
        if (c->v[1]) {
            MH_STORE(2, 1, GAP_IN_MASK, true, c->v[1], g->base[MASK] + first, 1);
            if (reads_again)
                MH_LOAD(3, WORD, GAP_ADDRESS, false, c->v[1], vertex, VERTEX);
            for (c->v[2] = c->v[1]; c->v[1]; c->v[0]++) {
                again = reads_again ? c->v[1] : c->v[2];
                MH_LOAD(4, WORD, GAP_FORM(c->v[0] ? 0 : 2, MH_GAP(1, c->v[0] ? 0 : 2)), false, again, vertex + WORD,
                        VERTEX);
                again = reads_again ? c->v[1] : c->v[2];
                MH_LOAD(5, WORD, GAP_FORM(c->v[0] ? 0 : 2, MH_GAP(1, c->v[0] ? 0 : 11)), !reads_again && !c->v[0],
                        again, vertex, VERTEX);
                c->v[1] = with_edges(g, first, c->v[1], c->v[0] + 1);
                MH_EDGE(MH_OP_LOAD, 6, WORD,
                        GAP_FORM(c->v[0] == 0 ? 4
                                 : c->v[2]    ? 7
                                              : 8,
                                 GAP_TEST),
                        true, c->v[1], EDGES);
                MH_EDGE(MH_OP_LOAD, 7, 1, GAP_FORM(2, MH_GAP(GAP_ADDRESS, 1)), true, c->v[1], VISITED);
                c->v[2] = unvisited(g, first, c->v[1], c->v[0], level);
                MH_LOAD(8, WORD, GAP_IN_MASK, true, c->v[2], g->base[COST] + first * WORD, WORD);
                MH_EDGE(MH_OP_STORE, 9, WORD, GAP_FORM(2, MH_GAP(1 + GAP_ADDRESS, 1)), true, c->v[2], COST);
                MH_EDGE(MH_OP_STORE, 10, 1, GAP_FORM(1, MH_GAP(1, 0)), false, c->v[2], UPDATING);
            }
        }
        MH_END(MH_GAP(4, c->v[0] ? 7 : 3), true);
    }
}

static void advance(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t first = mh_thread(g, c, block_of(g->variant));
    const uint64_t mask = mh_mask_below(first, g->n, g->lanes), found = at_level(g, first, c->launch / 2 + 1);

    switch (c->state) {
    case 0:
        MH_LOAD(20, 1, GAP_FORM(6, GAP_START), false, mask, g->base[UPDATING] + first, 1);
        MH_STORE(21, 1, MH_GAP(3, 11), true, found, g->base[MASK] + first, 1);
        MH_STORE(22, 1, MH_GAP(1, 0), false, found, g->base[VISITED] + first, 1);
        MH_STORE(23, 1, 0, false, found, g->base[OVER], 0);
        MH_STORE(24, 1, MH_GAP(0, 1), false, found, g->base[UPDATING] + first, 1);
        MH_END(MH_GAP(2, found ? 1 : 3), true);
    }
}

/* Distances from `source`; the queue is scratch memory for as many vertices. Returns how many have one. */
static uint32_t find_levels(struct search *s, uint64_t n, uint32_t source, uint32_t *queue)
{
    uint32_t head = 0, tail = 0;

    memset(s->level, UNREACHED & 0xff, n * sizeof *s->level);
    s->level[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        const uint32_t v = queue[head++];

        for (uint32_t e = s->row[v]; e < s->row[v + 1]; e++)
            if (s->level[s->col[e]] == UNREACHED && s->level[v] < UNREACHED - 1) {
                s->level[s->col[e]] = (uint16_t)(s->level[v] + 1);
                queue[tail++] = s->col[e];
            }
    }
    s->levels = s->level[queue[tail - 1]] + 1u;
    return tail;
}

/* Copies the graph into one block with its levels, which the workload frees. */
static struct search *make_search(struct mh_gen *g, const struct mh_graph *graph)
{
    const size_t rows = (graph->vertices + 1) * sizeof *graph->row, cols = graph->edges * sizeof *graph->col;
    struct search *s = malloc(sizeof *s + rows + cols + graph->vertices * sizeof *s->level);
    uint32_t *queue = malloc(graph->vertices * sizeof *queue), found;

    if (s && queue) {
        s->row = (uint32_t *)(s + 1);
        s->col = s->row + graph->vertices + 1;
        s->level = (uint16_t *)(s->col + graph->edges);
        memcpy(s->row, graph->row, rows);
        memcpy(s->col, graph->col, cols);
        found = find_levels(s, graph->vertices, mh_input_start(g->input, graph), queue);
        g->starts = g->input != NULL;
        g->reached = g->starts ? found : 0;
    } else {
        free(s);
        s = NULL;
    }
    free(queue);
    return s;
}

static void lay_out(struct mh_gen *g, uint64_t edges)
{
    struct mh_launch l = {.threads = block_of(g->variant), .registers = 16 /* ours */};
    const bool opencl = g->variant == OPENCL;
    const struct search *s = g->data;

    MH_BUFFERS(g, g->n * VERTEX, edges * WORD);
    for (int i = MASK; i <= VISITED; i++)
        mh_gen_buffer(g, g->n);
    MH_BUFFERS(g, g->n * WORD, 1);
    l.ctas = (uint32_t)mh_ceil_div(g->n, l.threads);
    for (uint32_t level = 0; s && level < s->levels; level++) {
        l.name = opencl ? "BFS_1" : "Kernel", mh_gen_launch(g, l, visit);
        l.name = opencl ? "BFS_2" : "Kernel2", mh_gen_launch(g, l, advance);
    }
}

static void build(struct mh_gen *g)
{
    struct mh_graph *graph = mh_gen_graph(g, g->seed);

    if (!graph)
        return;
    g->data = make_search(g, graph);
    g->no_memory |= !g->data;
    lay_out(g, graph->edges);
    free(graph);
}

static const char *const variants[] = {"rmat", "mesh", "uniform", "powerlaw", [OPENCL] = "opencl", NULL};

const struct mh_kernel mh_kernel_bfs = {
    .name = "BFS",
    .suite = "Rodinia",
    .summary = "breadth-first search of a graph; scattered loads and stores, divergent loops",
    MH_SIZE("vertices", 1 << 18, 1 << 10, 1 << 24), /* ours; 2.2 million edges */
    .size_powers = MH_GRAPH_POWERS | 1 << OPENCL,
    .size_reason = MH_GRAPH_REASON,
    .variants = variants,
    .input = MH_INPUT_GRAPH,
    .least_bytes =
        VERTEX + (VISITED - MASK + 1) + WORD, /* Each vertex with three flags and its cost, without the edges. */
    .build = build,
};
