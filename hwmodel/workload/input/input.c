#include "workload/input/input.h"

#include <stdlib.h>

struct mh_graph *mh_input_matrix(const struct mh_input *in)
{
    return mh_graph_build(in->rows > in->columns ? in->rows : in->columns, in->entries, in->count);
}

static struct mh_arc *both_ways(const struct mh_input *in, uint32_t *count)
{
    struct mh_arc *arcs = malloc((2 * (size_t)in->count + 1) * sizeof *arcs);

    *count = 0;
    for (uint32_t i = 0; arcs && i < in->count; i++) {
        const struct mh_arc a = in->entries[i];

        if (a.from == a.to)
            continue;
        arcs[(*count)++] = a;
        arcs[(*count)++] = (struct mh_arc){a.to, a.from};
    }
    return arcs;
}

int mh_input_check(const struct mh_input *in, enum mh_kernel_input kind, struct mh_error *err)
{
    uint32_t edges = 0;

    if (!in->count)
        return mh_fail(err, "%.384s: a matrix without entries", in->path);
    if (kind != MH_INPUT_GRAPH)
        return 0;
    if (in->rows != in->columns)
        return mh_fail(err, "%.384s: %u rows and %u columns are no graph: they have to be as many", in->path, in->rows,
                       in->columns);
    for (uint32_t i = 0; i < in->count && !edges; i++)
        edges += in->entries[i].from != in->entries[i].to;
    return edges ? 0 : mh_fail(err, "%.384s: no vertex has an edge to another one", in->path);
}

struct mh_graph *mh_input_graph(const struct mh_input *in, struct mh_error *err)
{
    uint32_t count;
    struct mh_arc *arcs = both_ways(in, &count);
    struct mh_graph *g = arcs ? mh_graph_build(in->rows, arcs, count) : NULL;

    if (!g)
        (void)mh_fail(err, "%.384s: out of memory for a graph of %u vertices", in->path, in->rows);
    free(arcs);
    return g;
}

struct mh_graph *mh_gen_graph(struct mh_gen *g, uint64_t seed)
{
    struct mh_graph *graph =
        g->input ? mh_input_graph(g->input, g->err) : mh_graph_make(g->variant, (uint32_t)g->n, seed, g->err);

    g->failed |= !graph;
    return graph;
}

uint64_t mh_input_occupied(const struct mh_input *in, enum mh_kernel_input kind)
{
    bool *has = calloc(in->rows, sizeof *has);
    uint64_t count = 0;

    for (uint32_t i = 0; has && i < in->count; i++) {
        const struct mh_arc a = in->entries[i];

        if (kind == MH_INPUT_MATRIX)
            has[a.from] = true;
        else if (a.from != a.to)
            has[a.from] = has[a.to] = true;
    }
    for (uint32_t v = 0; has && v < in->rows; v++)
        count += has[v];
    free(has);
    return count;
}

uint32_t mh_input_start(const struct mh_input *in, const struct mh_graph *graph)
{
    uint32_t v = 0;

    if (in && in->starts)
        return in->start;
    while (mh_graph_degree(graph, v) < graph->max_degree)
        v++;
    return v;
}
