/*
 * A list of edges, as the Stanford Large Network Dataset Collection has them (snap.stanford.edu/data): comments (#, or
 * % as in KONECT's), and a line for each edge, two vertices and perhaps a weight. Vertices have the numbers that the
 * file gives them; those that it leaves out have no edges. A comment such as "# Nodes: 4 Edges: 7" is held to it.
 */
#include <stdlib.h>
#include <string.h>

#include "workload/input/scan.h"

struct announced {
    bool there;
    uint64_t edges, line;
};

/* Edges: 7 */
static void read_comment(struct mh_scan *s, struct announced *a)
{
    while (mh_scan_more(s)) {
        char *end;

        if (strcmp(mh_scan_word(s), "Edges:") || !mh_scan_more(s))
            continue;
        a->edges = strtoull(mh_scan_word(s), &end, 10);
        a->there = *s->word >= '0' && *s->word <= '9' && !*end;
        a->line = s->line;
    }
}

static bool read_weight(struct mh_scan *s)
{
    const char *w = mh_scan_word(s);
    char *end;

    (void)strtod(w, &end);
    return !*end || mh_scan_fail(s, "the edge's weight is '%.40s'; a number, or nothing, is expected", w);
}

static bool read_edge(struct mh_scan *s)
{
    struct mh_input *in = s->to;
    uint64_t from, to, most;

    if (!mh_scan_number(s, "the edge's first vertex", 0, MH_INPUT_VERTICES - 1, &from) ||
        !mh_scan_number(s, "the edge's second vertex", 0, MH_INPUT_VERTICES - 1, &to) || !read_weight(s) ||
        !mh_scan_end(s))
        return false;
    most = from > to ? from : to;
    in->rows = in->columns = most < in->rows ? in->rows : (uint32_t)most + 1;
    return mh_scan_add(s, from, to);
}

bool mh_input_edges(struct mh_scan *s)
{
    struct announced a = {.there = false};

    for (bool more = s->next >= 0; more; more = mh_scan_line(s)) {
        if (!mh_scan_more(s))
            continue;
        if (s->next == '#' || s->next == '%')
            read_comment(s, &a);
        else if (!read_edge(s))
            return false;
    }
    if (a.there && a.edges != s->to->count)
        return mh_scan_fail(s, "%u edges, but line %llu announces %llu: is the file cut off?", s->to->count,
                            (unsigned long long)a.line, (unsigned long long)a.edges);
    return s->to->count || mh_scan_fail(s, "no edges; a line for each is expected: two vertices, such as `0 1`");
}
