/*
 * A list of edges, as the Stanford Large Network Dataset Collection has them (snap.stanford.edu/data): comments (# or
 * %), and a line for each edge, two vertices and perhaps a weight. A comment such as "# Nodes: 4 Edges: 7" is held to
 * it. KONECT's (konect.cc) begin with a comment such as "% sym unweighted" and may have a time behind the weight.
 *
 * Vertices count from 0; from 1 in KONECT's lists, where the smallest number is 1, and where the largest is the number
 * of nodes that is announced and there is no 0. Those that are left out have no edges.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "workload/input/scan.h"

struct list {
    bool announced, konect, both; /* both: an edge stands for both directions */
    uint64_t edges, line;         /* as announced, in which line */
    uint64_t nodes;               /* as announced; 0: not */
    uint64_t first_line;          /* of the edges */
    uint64_t third;               /* whole number behind the first edge; 0: there is none */
    bool pair;                    /* the first edge is two numbers alone */
    uint32_t least;               /* number of any vertex */
};

static uint64_t whole_number(const char *w)
{
    char *end;
    const uint64_t n = strtoull(w, &end, 10);

    return *w >= '0' && *w <= '9' && !*end ? n : 0;
}

struct mh_konect mh_input_konect(struct mh_scan *s, const char *shape)
{
    static const char *const weights[] = {"unweighted",  "positive", "posweighted",   "signed",
                                          "multisigned", "weighted", "multiweighted", "multiposweighted"};
    struct mh_konect k = {.symmetric = !strcmp(shape, "sym"), .bipartite = !strcmp(shape, "bip")};
    const char *w;

    if (!k.symmetric && !k.bipartite && strcmp(shape, "asym"))
        return k;
    w = mh_scan_word(s);
    k.dynamic = !strcmp(w, "dynamic");
    k.there = k.dynamic;
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        k.there |= !strcmp(w, weights[i]);
    return k;
}

static bool read_konect(struct mh_scan *s, struct list *l, const char *shape)
{
    const struct mh_konect k = mh_input_konect(s, shape);

    if (!k.there)
        return true;
    s->format = "KONECT";
    if (k.bipartite)
        return mh_scan_fail(s, "bip: rows and columns have numbers of their own; write it as Matrix Market");
    if (k.dynamic)
        return mh_scan_fail(s, "dynamic: edges come and go; write those of one moment");
    l->konect = true;
    l->both = k.symmetric;
    return true;
}

/* Nodes: 4 Edges: 7 */
static bool read_comment(struct mh_scan *s, struct list *l)
{
    const char *w = mh_scan_word(s);

    w += strspn(w, "%#");
    if (!*w)
        w = mh_scan_word(s);
    if (!s->to->count && !read_konect(s, l, w))
        return false;
    for (; *w; w = mh_scan_word(s)) {
        if (!strcmp(w, "Nodes:"))
            l->nodes = whole_number(mh_scan_word(s));
        if (strcmp(s->word, "Edges:") || !mh_scan_more(s))
            continue;
        l->edges = whole_number(mh_scan_word(s));
        l->announced = *s->word >= '0' && *s->word <= '9' && s->word[strspn(s->word, "0123456789")] == 0;
        l->line = s->line;
    }
    return true;
}

static bool read_edge(struct mh_scan *s, struct list *l)
{
    const uint64_t low = l->konect ? 1 : 0;
    struct mh_input *in = s->to;
    uint64_t from, to, most;

    if (!mh_scan_number(s, "the edge's first vertex", low, MH_INPUT_VERTICES - 1, &from) ||
        !mh_scan_number(s, "the edge's second vertex", low, MH_INPUT_VERTICES - 1, &to) ||
        !mh_scan_real(s, "the edge's weight"))
        return false;
    if (!in->count) {
        l->first_line = s->line;
        l->third = whole_number(s->word);
        l->pair = !*s->word;
    }
    if ((l->konect && !mh_scan_real(s, "the edge's time")) || !mh_scan_end(s))
        return false;
    most = from > to ? from : to;
    l->least = from < l->least ? (uint32_t)from : l->least;
    l->least = to < l->least ? (uint32_t)to : l->least;
    in->rows = in->columns = most < in->rows ? in->rows : (uint32_t)most + 1;
    return mh_scan_add(s, from, to);
}

/* Whether the first line may be of sizes: the numbers of the others are 1 .. most. */
static bool others_fit(const struct mh_input *in, uint32_t rows, uint32_t columns)
{
    for (uint32_t i = 1; i < in->count; i++) {
        const struct mh_arc a = in->entries[i];

        if (!a.from || !a.to || a.from > rows || a.to > columns)
            return false;
    }
    return true;
}

static bool others_below(const struct mh_input *in, uint32_t vertices)
{
    for (uint32_t i = 1; i < in->count; i++)
        if (in->entries[i].from >= vertices || in->entries[i].to >= vertices)
            return false;
    return true;
}

/* Sizes that are no edge: as many lines are behind it as it says. A tree's first edge may look so: not refused. */
static bool check_first(struct mh_scan *s, const struct list *l)
{
    const struct mh_arc a = s->to->entries[0];
    const uint64_t line = l->first_line, behind = s->to->count - 1;

    if (behind && l->third == behind && others_fit(s->to, a.from, a.to))
        return mh_scan_fail(s,
                            "nearly Matrix Market: line %llu has rows, columns and the number of lines behind it; "
                            "put the format's first line above it, as in `%%%%MatrixMarket matrix coordinate "
                            "pattern general`, or leave line %llu out",
                            (unsigned long long)line, (unsigned long long)line);
    if (behind && l->pair && a.to == behind && a.to >= a.from &&
        (others_fit(s->to, a.from, a.from) || others_below(s->to, a.from)))
        return mh_scan_fail(s,
                            "line %llu has the number of vertices and that of the lines behind it, and is no edge: "
                            "leave it out",
                            (unsigned long long)line);
    return true;
}

static void count_from_one(struct mh_input *in)
{
    for (uint32_t i = 0; i < in->count; i++) {
        in->entries[i].from--;
        in->entries[i].to--;
    }
    in->rows = --in->columns;
}

static bool add_reverse(struct mh_scan *s)
{
    const uint32_t count = s->to->count;

    for (uint32_t i = 0; i < count; i++) {
        const struct mh_arc a = s->to->entries[i];

        if (a.from != a.to && !mh_scan_add(s, a.to, a.from))
            return false;
    }
    return true;
}

static bool finish(struct mh_scan *s, const struct list *l)
{
    struct mh_input *in = s->to;

    if (l->announced && l->edges != in->count)
        return mh_scan_fail(s, "%u edges, but line %llu announces %llu: is the file cut off?", in->count,
                            (unsigned long long)l->line, (unsigned long long)l->edges);
    if (!in->count)
        return mh_scan_fail(s, "no edges; a line for each is expected: two vertices, such as `0 1`");
    if (!l->konect && !l->announced && !check_first(s, l))
        return false;
    if (l->konect || l->least == 1 || (l->least && l->nodes == in->rows - 1))
        count_from_one(in);
    return !l->both || add_reverse(s);
}

bool mh_input_edges(struct mh_scan *s)
{
    struct list l = {.least = UINT32_MAX};

    for (bool more = s->next >= 0; more; more = mh_scan_line(s)) {
        if (!mh_scan_more(s))
            continue;
        if (s->next == '#' || s->next == '%' ? !read_comment(s, &l) : !read_edge(s, &l))
            return false;
    }
    return finish(s, &l);
}
