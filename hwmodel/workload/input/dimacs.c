/*
 * The graphs of the 2nd and 9th DIMACS challenges (colouring, shortest paths): comments (c), a line `p sp VERTICES
 * ARCS` or `p edge VERTICES EDGES`, and a line for each arc, `a FROM TO WEIGHT`, or edge, `e ONE OTHER`; from 1.
 */
#include <string.h>

#include "workload/input/scan.h"

struct dimacs {
    bool arcs;
    uint64_t vertices, announced, count;
    uint64_t line; /* of the problem; 0: not yet */
};

static bool read_problem(struct mh_scan *s, struct dimacs *d)
{
    static const char *const problems[] = {"sp", "edge", "col"};
    size_t problem;

    if (d->line)
        return mh_scan_fail(s, "a second line p; line %llu is one", (unsigned long long)d->line);
    problem = mh_scan_one_of(s, "the problem is", problems, 3);
    if (problem == 3 || !mh_scan_number(s, "the number of vertices", 1, MH_INPUT_VERTICES, &d->vertices) ||
        !mh_scan_number(s, "the number of edges", 0, MH_INPUT_ENTRIES, &d->announced) || !mh_scan_end(s))
        return false;
    d->arcs = problem == 0;
    d->line = s->line;
    s->to->rows = s->to->columns = (uint32_t)d->vertices;
    return true;
}

/* An edge stands for both directions. */
static bool read_edge(struct mh_scan *s, struct dimacs *d)
{
    uint64_t from, to;

    if (!d->line)
        return mh_scan_fail(s, "an edge before the line `p sp VERTICES ARCS` or `p edge VERTICES EDGES`");
    if (!mh_scan_number(s, "the edge's first vertex", 1, d->vertices, &from) ||
        !mh_scan_number(s, "the edge's second vertex", 1, d->vertices, &to) ||
        (d->arcs && !mh_scan_real(s, "the arc's weight")) || !mh_scan_end(s))
        return false;
    d->count++;
    return mh_scan_add(s, from - 1, to - 1) && (d->arcs || from == to || mh_scan_add(s, to - 1, from - 1));
}

static bool read_line(struct mh_scan *s, struct dimacs *d)
{
    const char *w = mh_scan_word(s);

    if (!strcmp(w, "c"))
        return true;
    if (!strcmp(w, "p"))
        return read_problem(s, d);
    if (!strcmp(w, !d->line ? "a" : d->arcs ? "a" : "e") || (!d->line && !strcmp(w, "e")))
        return read_edge(s, d);
    return mh_scan_fail(s, "the line begins with '%.40s'; allowed: c, %s", w, !d->line ? "p" : d->arcs ? "a" : "e");
}

bool mh_input_dimacs(struct mh_scan *s)
{
    struct dimacs d = {.line = 0};

    s->format = "DIMACS";
    for (bool more = s->next >= 0; more; more = mh_scan_line(s))
        if (mh_scan_more(s) && !read_line(s, &d))
            return false;
    if (!d.line)
        return mh_scan_fail(s, "the file ends before the line `p sp VERTICES ARCS` or `p edge VERTICES EDGES`");
    return d.count == d.announced ||
           mh_scan_fail(s, "%llu edges, but line %llu announces %llu: is the file cut off?",
                        (unsigned long long)d.count, (unsigned long long)d.line, (unsigned long long)d.announced);
}
