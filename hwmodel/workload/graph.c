#include "workload/graph.h"

#include <stdlib.h>
#include <string.h>

#include "engine/random.h"

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Most rows are short. */
static void sort_row(uint32_t *col, uint32_t count)
{
    if (count > 32) {
        qsort(col, count, sizeof *col, by_value);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t value = col[i];
        uint32_t at = i;

        for (; at && col[at - 1] > value; at--)
            col[at] = col[at - 1];
        col[at] = value;
    }
}

/* Puts the arcs' targets together by row; row[] is left holding ends. */
static void fill_rows(struct mh_graph *g, const struct mh_arc *arcs, uint32_t count)
{
    memset(g->row, 0, ((size_t)g->vertices + 1) * sizeof *g->row);
    for (uint32_t i = 0; i < count; i++)
        g->row[arcs[i].from + 1]++;
    for (uint32_t v = 0; v < g->vertices; v++)
        g->row[v + 1] += g->row[v];
    for (uint32_t i = 0; i < count; i++)
        g->col[g->row[arcs[i].from]++] = arcs[i].to;
}

/* Sorts each row and moves it up to the one before, without what is double. */
static void close_up(struct mh_graph *g)
{
    for (uint32_t v = 0, begin = 0; v < g->vertices; v++) {
        const uint32_t end = g->row[v], first = g->edges;

        sort_row(g->col + begin, end - begin);
        for (uint32_t i = begin; i < end; i++)
            if (i == begin || g->col[i] != g->col[g->edges - 1])
                g->col[g->edges++] = g->col[i];
        g->row[v] = first;
        if (g->edges - first > g->max_degree)
            g->max_degree = g->edges - first;
        begin = end;
    }
    g->row[g->vertices] = g->edges;
}

struct mh_graph *mh_graph_build(uint32_t vertices, const struct mh_arc *arcs, uint32_t count)
{
    struct mh_graph *g = malloc(sizeof *g + ((size_t)vertices + 1 + count) * sizeof *g->row);

    if (!g)
        return NULL;
    *g = (struct mh_graph){.vertices = vertices, .row = (uint32_t *)(g + 1)};
    g->col = g->row + vertices + 1;
    fill_rows(g, arcs, count);
    close_up(g);
    return g;
}

struct mh_graph *mh_graph_with_room(struct mh_graph *g, size_t bytes, void **room)
{
    const size_t words = g ? (size_t)g->vertices + 1 + g->edges : 0, align = _Alignof(max_align_t);
    const size_t used = (sizeof *g + words * sizeof *g->row + align - 1) / align * align;
    struct mh_graph *moved = g ? realloc(g, used + bytes) : NULL;

    if (!moved) {
        free(g);
        return NULL;
    }
    moved->row = (uint32_t *)(moved + 1);
    moved->col = moved->row + moved->vertices + 1;
    *room = (char *)moved + used;
    memset(*room, 0, bytes);
    return moved;
}

void mh_graph_close_rows_up(struct mh_graph *g)
{
    uint32_t rows = 0;

    for (uint32_t v = 0; v < g->vertices; v++)
        if (mh_graph_degree(g, v))
            g->row[rows++] = g->row[v];
    for (; rows <= g->vertices; rows++)
        g->row[rows] = g->edges;
}

/* Of the neighbours of v, those from `low` to below `high`, to the end of `to`'s edges. */
static void copy_neighbours(const struct mh_graph *from, struct mh_graph *to, uint32_t v, uint32_t low, uint32_t high)
{
    for (uint32_t e = from->row[v]; e < from->row[v + 1]; e++)
        if (from->col[e] >= low && from->col[e] < high)
            to->col[to->edges++] = from->col[e];
}

struct mh_graph *mh_graph_read_undirected(struct mh_graph *g)
{
    const size_t words = g ? (size_t)g->vertices + 1 + 2 * (size_t)g->edges : 0;
    struct mh_graph *both = g ? malloc(sizeof *both + words * sizeof *both->row) : NULL;

    if (both) {
        *both =
            (struct mh_graph){.vertices = g->vertices, .max_degree = 2 * g->max_degree, .row = (uint32_t *)(both + 1)};
        both->col = both->row + both->vertices + 1;
        for (uint32_t v = 0; v < g->vertices; v++) {
            both->row[v] = both->edges;
            for (uint32_t i = 0; i < 4; i++)
                copy_neighbours(g, both, v, i < 2 ? 0 : v + 1, i < 2 ? v : g->vertices);
        }
        both->row[g->vertices] = both->edges;
    }
    free(g);
    return both;
}

static struct mh_graph *made(struct mh_graph *g, uint32_t vertices, struct mh_error *err)
{
    if (!g)
        (void)mh_fail(err, "out of memory for a graph of %u vertices", vertices);
    return g;
}

/* Fisher-Yates. */
static void permute(uint32_t *p, uint32_t n, uint64_t seed)
{
    for (uint32_t i = 0; i < n; i++)
        p[i] = i;
    for (uint32_t i = n - 1; i > 0; i--) {
        uint32_t j = (uint32_t)(mh_random(seed, i) % (i + 1)), t = p[i];

        p[i] = p[j];
        p[j] = t;
    }
}

/* Sums of the first one, two and three quadrants' probabilities, in 2^-16. */
struct quadrants {
    uint32_t a, ab, abc;
};

/* One edge of the recursive matrix: a quadrant per bit, 16 random bits for each. */
static struct mh_arc rmat_arc(struct quadrants q, uint64_t seed, uint64_t index, uint32_t vertices)
{
    enum { DRAWS = 6 }; /* up to 24 bits */
    struct mh_arc arc = {0, 0};
    uint64_t r = 0;

    for (uint32_t bit = vertices >> 1, k = 0; bit; bit >>= 1, k++, r >>= 16) {
        uint32_t x;

        if (k % 4 == 0)
            r = mh_random(seed, index * DRAWS + k / 4);
        x = r & 0xffff;
        arc.from |= x >= q.ab ? bit : 0;
        arc.to |= (x >= q.a && x < q.ab) || x >= q.abc ? bit : 0;
    }
    return arc;
}

static struct mh_graph *make_rmat(struct quadrants q, uint32_t vertices, uint64_t seed, struct mh_error *err)
{
    const uint32_t pairs = (uint32_t)((uint64_t)vertices * 1100000 >> 18);
    uint32_t *name = malloc((size_t)vertices * sizeof *name), count = 0;
    struct mh_arc *arcs = malloc((2 * (size_t)pairs + 1) * sizeof *arcs);
    struct mh_graph *g = NULL;

    if (name && arcs) {
        permute(name, vertices, mh_random(seed, 0));
        for (uint32_t i = 0; i < pairs; i++) {
            struct mh_arc a = rmat_arc(q, mh_random(seed, 1), i, vertices);

            if (a.from == a.to)
                continue;
            arcs[count++] = (struct mh_arc){name[a.from], name[a.to]};
            arcs[count++] = (struct mh_arc){name[a.to], name[a.from]};
        }
        g = mh_graph_build(vertices, arcs, count);
    }
    free(name);
    free(arcs);
    return made(g, vertices, err);
}

struct mh_graph *mh_graph_rmat(uint32_t vertices, uint64_t seed, struct mh_error *err)
{
    return make_rmat((struct quadrants){29491, 43909, 58327}, vertices, seed, err); /* .45, .67, .89 */
}

struct mh_graph *mh_graph_powerlaw(uint32_t vertices, uint64_t seed, struct mh_error *err)
{
    return make_rmat((struct quadrants){37356, 49807, 62259}, vertices, seed, err); /* .57, .76, .95 */
}

struct mh_graph *mh_graph_mesh(uint32_t vertices, struct mh_error *err)
{
    struct mh_arc *arcs = malloc(4 * (size_t)vertices * sizeof *arcs);
    uint32_t side = 1, count = 0;
    struct mh_graph *g = NULL;

    while ((uint64_t)(side + 1) * (side + 1) <= vertices)
        side++;
    for (uint32_t v = 0; arcs && v < vertices; v++) {
        if (v >= side) {
            arcs[count++] = (struct mh_arc){v, v - side};
            arcs[count++] = (struct mh_arc){v - side, v};
        }
        if (v % side) {
            arcs[count++] = (struct mh_arc){v, v - 1};
            arcs[count++] = (struct mh_arc){v - 1, v};
        }
    }
    if (arcs)
        g = mh_graph_build(vertices, arcs, count);
    free(arcs);
    return made(g, vertices, err);
}

struct mh_graph *mh_graph_uniform(uint32_t vertices, uint64_t seed, struct mh_error *err)
{
    enum { LEAST = 2, MOST = 4 };
    struct mh_arc *arcs = malloc(2 * MOST * (size_t)vertices * sizeof *arcs);
    uint32_t count = 0;
    struct mh_graph *g = NULL;

    for (uint32_t v = 0; arcs && v < vertices; v++) {
        const uint64_t edges = LEAST + mh_random(mh_random(seed, 0), v) % (MOST - LEAST + 1);

        for (uint64_t e = 0; e < edges; e++) {
            const uint32_t to = (uint32_t)(mh_random(mh_random(seed, 1), (uint64_t)v * MOST + e) % vertices);

            arcs[count++] = (struct mh_arc){v, to};
            arcs[count++] = (struct mh_arc){to, v};
        }
    }
    if (arcs)
        g = mh_graph_build(vertices, arcs, count);
    free(arcs);
    return made(g, vertices, err);
}

const char *const mh_graph_variants[] = {[MH_GRAPH_RMAT] = "rmat",
                                         [MH_GRAPH_MESH] = "mesh",
                                         [MH_GRAPH_UNIFORM] = "uniform",
                                         [MH_GRAPH_POWERLAW] = "powerlaw",
                                         [MH_GRAPHS] = NULL};

struct mh_graph *mh_graph_make(uint32_t variant, uint32_t vertices, uint64_t seed, struct mh_error *err)
{
    switch (variant) {
    case MH_GRAPH_MESH:
        return mh_graph_mesh(vertices, err);
    case MH_GRAPH_UNIFORM:
        return mh_graph_uniform(vertices, seed, err);
    case MH_GRAPH_POWERLAW:
        return mh_graph_powerlaw(vertices, seed, err);
    default:
        return mh_graph_rmat(vertices, seed, err);
    }
}
