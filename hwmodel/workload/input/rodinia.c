/*
 * The input of Rodinia's bfs: the number of vertices; a line for each, its first edge and how many it has; the source;
 * the number of edges; a line for each edge, its target and weight. From 0. A search starts at the source, as in
 * bfs.cu.
 */
#include <stdlib.h>

#include "workload/input/scan.h"

/* A number that has a line of its own; blank lines are between the parts. */
static bool read_alone(struct mh_scan *s, const char *what, uint64_t low, uint64_t high, uint64_t *value)
{
    if (!mh_scan_content(s, ""))
        return mh_scan_fail(s, "the file ends before %s: it is cut off", what);
    if (!mh_scan_number(s, what, low, high, value) || !mh_scan_end(s))
        return false;
    (void)mh_scan_line(s);
    return true;
}

/* Where its edges begin is the number of those before it. */
static bool read_vertex(struct mh_scan *s, uint32_t v, uint64_t *edges, uint32_t *degree)
{
    uint64_t first, count;

    if (!mh_scan_content(s, ""))
        return mh_scan_fail(s, "the file ends after %u of the %u vertices that its first line announces: it is cut off",
                            v, s->to->rows);
    if (!mh_scan_number(s, "the vertex' first edge", *edges, *edges, &first) ||
        !mh_scan_number(s, "the number of its edges", 0, MH_INPUT_ENTRIES - *edges, &count) || !mh_scan_end(s))
        return false;
    *edges += count;
    *degree = (uint32_t)count;
    (void)mh_scan_line(s);
    return true;
}

static bool read_edge(struct mh_scan *s, uint32_t from, uint64_t edges)
{
    uint64_t to;

    if (!mh_scan_content(s, ""))
        return mh_scan_fail(s, "the file ends after %u of the %llu edges that its vertices have: it is cut off",
                            s->to->count, (unsigned long long)edges);
    if (!mh_scan_number(s, "the edge's target", 0, s->to->rows - 1, &to) || !mh_scan_real(s, "the edge's weight") ||
        !mh_scan_end(s) || !mh_scan_add(s, from, to))
        return false;
    (void)mh_scan_line(s);
    return true;
}

static bool read_parts(struct mh_scan *s, uint32_t *degree)
{
    struct mh_input *in = s->to;
    uint64_t source, edges = 0, announced;

    for (uint32_t v = 0; v < in->rows; v++)
        if (!read_vertex(s, v, &edges, &degree[v]))
            return false;
    if (!read_alone(s, "the source", 0, in->rows - 1, &source) ||
        !read_alone(s, "the number of edges", edges, edges, &announced))
        return false;
    for (uint32_t v = 0; v < in->rows; v++)
        for (uint32_t e = 0; e < degree[v]; e++)
            if (!read_edge(s, v, edges))
                return false;
    in->starts = true;
    in->start = (uint32_t)source;
    return !mh_scan_content(s, "") || mh_scan_fail(s, "a line behind the last edge");
}

bool mh_input_rodinia(struct mh_scan *s)
{
    uint64_t vertices;
    uint32_t *degree;
    bool good;

    s->format = "Rodinia's BFS input";
    if (!read_alone(s, "the number of vertices", 1, MH_INPUT_VERTICES, &vertices))
        return false;
    s->to->rows = s->to->columns = (uint32_t)vertices;
    degree = malloc(vertices * sizeof *degree);
    good = degree ? read_parts(s, degree) : mh_scan_fail(s, "out of memory");
    free(degree);
    return good;
}
