/*
 * METIS' graph files (METIS 5 manual, section 4.1.1): comments (%), a line with vertices, edges and perhaps a format
 * and the number of a vertex' weights, and a line for each vertex: its size and weights, then its neighbours, counted
 * from 1, each with the edge's weight. Every edge is there twice, once at each end.
 */
#include <string.h>

#include "engine/random.h"
#include "workload/input/scan.h"

struct metis {
    uint64_t edges, line; /* as announced, in which line */
    uint64_t before;      /* numbers of a line before the neighbours */
    bool weights;         /* of edges */
    uint64_t up, down;    /* sums over edges to larger and to smaller numbers: equal if each is there at both ends */
};

/* A vertex' edge to itself is none in METIS, and unbalances the sums as well. */
static void count_edge(struct metis *m, uint64_t from, uint64_t to)
{
    if (from < to)
        m->up += mh_random(from, to);
    else
        m->down += mh_random(to, from);
}

static bool read_format(struct mh_scan *s, struct metis *m)
{
    const char *w = mh_scan_word(s);
    const size_t n = strlen(w);
    uint64_t weights = 1;

    if (n > 3 || strspn(w, "01") != n)
        return mh_scan_fail(s, "the format is '%.40s'; allowed: up to three digits 0 or 1", w);
    m->weights = n > 0 && w[n - 1] == '1';
    m->before = n > 2 && w[0] == '1';
    if (n < 2 || w[n - 2] == '0')
        return !mh_scan_more(s) || mh_scan_number(s, "the number of weights", 0, 0, &weights);
    if (mh_scan_more(s) && !mh_scan_number(s, "the number of weights", 1, 64, &weights))
        return false;
    m->before += weights;
    return true;
}

static bool read_header(struct mh_scan *s, struct metis *m)
{
    uint64_t vertices;

    if (!mh_scan_content(s, "%"))
        return mh_scan_fail(s, "the file ends before the line with vertices and edges");
    m->line = s->line;
    if (!mh_scan_number(s, "the number of vertices", 1, MH_INPUT_VERTICES, &vertices) ||
        !mh_scan_number(s, "the number of edges", 1, MH_INPUT_ENTRIES / 2, &m->edges) || !read_format(s, m) ||
        !mh_scan_end(s))
        return false;
    s->to->rows = s->to->columns = (uint32_t)vertices;
    return true;
}

static bool read_vertex(struct mh_scan *s, struct metis *m, uint32_t v)
{
    uint64_t n;

    for (uint64_t i = 0; i < m->before; i++)
        if (!mh_scan_number(s, "a size or weight of the vertex", 0, UINT32_MAX, &n))
            return false;
    while (mh_scan_more(s)) {
        uint64_t weight;

        if (!mh_scan_number(s, "the neighbour", 1, s->to->rows, &n) ||
            (m->weights && !mh_scan_number(s, "the edge's weight", 0, UINT32_MAX, &weight)) ||
            !mh_scan_add(s, v, n - 1))
            return false;
        count_edge(m, v, n - 1);
    }
    return true;
}

/* A vertex without neighbours is a blank line; comments are no vertices. */
bool mh_input_metis(struct mh_scan *s)
{
    struct metis m = {.before = 0};
    uint32_t v = 0;

    if (!read_header(s, &m))
        return false;
    while (mh_scan_line(s)) {
        const bool blank = !mh_scan_more(s);

        if (!blank && s->next == '%')
            continue;
        if (v < s->to->rows ? !read_vertex(s, &m, v) : !blank)
            return v < s->to->rows ? false
                                   : mh_scan_fail(s, "more vertices than the %u that line %llu announces", s->to->rows,
                                                  (unsigned long long)m.line);
        v++;
    }
    if (v < s->to->rows)
        return mh_scan_fail(s, "the file ends after %u of the %u vertices that line %llu announces: it is cut off", v,
                            s->to->rows, (unsigned long long)m.line);
    if (s->to->count != 2 * m.edges)
        return mh_scan_fail(s, "%u neighbours, but %llu edges in line %llu: each is there twice, once at each end",
                            s->to->count, (unsigned long long)m.edges, (unsigned long long)m.line);
    return m.up == m.down || mh_scan_fail(s, "an edge is there at one end alone, or leads from a vertex to itself");
}
