/* The formats that have a header: Matrix Market, DIMACS, METIS, Rodinia. */
#include "workload/input/scan.h"
#include "engine/random.h"

#include <stdlib.h>
#include <string.h>

/*
 * Matrix Market's coordinate format (math.nist.gov/MatrixMarket/formats.html): a header line, comments (%), a line with
 * rows, columns and entries, and a line for each entry: row, column, value, counted from 1. networkrepository.com's
 * header has one % only; any number is taken, as are small letters and comments above it.
 */

struct market {
    bool values, symmetric;
    bool side[2];           /* a symmetric one has entries below its diagonal, above it */
    uint64_t entries, line; /* as announced, in which line */
};

static bool market_read_header(struct mh_scan *s, struct market *m)
{
    static const char *const objects[] = {"matrix"}, *const formats[] = {"coordinate"};
    static const char *const fields[] = {"real", "integer", "pattern"}, *const symmetries[] = {"general", "symmetric"};
    size_t field, symmetry;

    if (mh_scan_one_of(s, "the file has an object", objects, 1) == 1 ||
        mh_scan_one_of(s, "its format is", formats, 1) == 1)
        return false;
    field = mh_scan_one_of(s, "its values are", fields, 3);
    symmetry = field < 3 ? mh_scan_one_of(s, "its symmetry is", symmetries, 2) : 2;
    m->values = field != 2;
    m->symmetric = symmetry == 1;
    return symmetry < 2 && mh_scan_end(s);
}

static bool read_sizes(struct mh_scan *s, struct market *m)
{
    uint64_t rows, columns;

    (void)mh_scan_line(s);
    if (!mh_scan_content(s, "%"))
        return mh_scan_fail(s, "the file ends before the line with rows, columns and entries: it is cut off");
    m->line = s->line;
    if (!mh_scan_number(s, "the number of rows", 1, MH_INPUT_VERTICES, &rows) ||
        !mh_scan_number(s, "the number of columns", 1, MH_INPUT_VERTICES, &columns) ||
        !mh_scan_number(s, "the number of entries", 0, MH_INPUT_ENTRIES, &m->entries) || !mh_scan_end(s))
        return false;
    s->to->rows = (uint32_t)rows;
    s->to->columns = (uint32_t)columns;
    return !m->symmetric || rows == columns ||
           mh_scan_fail(s, "a symmetric matrix of %llu rows and %llu columns: they have to be as many",
                        (unsigned long long)rows, (unsigned long long)columns);
}

static bool read_value(struct mh_scan *s)
{
    const char *w = mh_scan_word(s);
    char *end;

    (void)strtod(w, &end);
    return (*w && !*end) || mh_scan_fail(s, "the value is '%.40s'; a number is expected", w);
}

/* One triangle stands for both: with both, every element would be there twice. */
static bool mirror(struct mh_scan *s, struct market *m, uint64_t row, uint64_t column)
{
    if (!m->symmetric || row == column)
        return true;
    m->side[row < column] = true;
    if (m->side[row > column])
        return mh_scan_fail(s,
                            "row %llu, column %llu is on the other side of the diagonal than entries before it; a "
                            "symmetric matrix has one triangle alone: leave the other out, or call it general",
                            (unsigned long long)row, (unsigned long long)column);
    return mh_scan_add(s, column - 1, row - 1);
}

static bool read_entry(struct mh_scan *s, struct market *m)
{
    uint64_t row, column;

    if (!mh_scan_number(s, "the row", 1, s->to->rows, &row) ||
        !mh_scan_number(s, "the column", 1, s->to->columns, &column) || (m->values && !read_value(s)) ||
        !mh_scan_end(s) || !mh_scan_add(s, row - 1, column - 1))
        return false;
    return mirror(s, m, row, column);
}

bool mh_input_market(struct mh_scan *s)
{
    struct market m = {0};
    uint64_t n = 0;

    if (!market_read_header(s, &m) || !read_sizes(s, &m))
        return false;
    for (; mh_scan_line(s) && mh_scan_content(s, "%"); n++) {
        if (n == m.entries)
            return mh_scan_fail(s, "more entries than the %llu that line %llu announces", (unsigned long long)m.entries,
                                (unsigned long long)m.line);
        if (!read_entry(s, &m))
            return false;
    }
    return n == m.entries ||
           mh_scan_fail(s, "the file ends after %llu of the %llu entries that line %llu announces: it is cut off",
                        (unsigned long long)n, (unsigned long long)m.entries, (unsigned long long)m.line);
}

/*
 * The graphs of the 2nd and 9th DIMACS challenges (colouring, shortest paths): comments (c), a line `p sp VERTICES
 * ARCS` or `p edge VERTICES EDGES`, and a line for each arc, `a FROM TO WEIGHT`, or edge, `e ONE OTHER`; from 1.
 */

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
static bool dimacs_read_edge(struct mh_scan *s, struct dimacs *d)
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
        return dimacs_read_edge(s, d);
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

/*
 * METIS' graph files (METIS 5 manual, section 4.1.1): comments (%), a line with vertices, edges and perhaps a format
 * and the number of a vertex' weights, and a line for each vertex: its size and weights, then its neighbours, counted
 * from 1, each with the edge's weight. Every edge is there twice, once at each end.
 */

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

static bool metis_read_header(struct mh_scan *s, struct metis *m)
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

static bool metis_read_vertex(struct mh_scan *s, struct metis *m, uint32_t v)
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

    if (!metis_read_header(s, &m))
        return false;
    while (mh_scan_line(s)) {
        const bool blank = !mh_scan_more(s);

        if (!blank && s->next == '%')
            continue;
        if (v < s->to->rows ? !metis_read_vertex(s, &m, v) : !blank)
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

/*
 * The input of Rodinia's bfs: the number of vertices; a line for each, its first edge and how many it has; the source;
 * the number of edges; a line for each edge, its target and weight. From 0. A search starts at the source, as in
 * bfs.cu.
 */

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
static bool rodinia_read_vertex(struct mh_scan *s, uint32_t v, uint64_t *edges, uint32_t *degree)
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

static bool rodinia_read_edge(struct mh_scan *s, uint32_t from, uint64_t edges)
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
        if (!rodinia_read_vertex(s, v, &edges, &degree[v]))
            return false;
    if (!read_alone(s, "the source", 0, in->rows - 1, &source) ||
        !read_alone(s, "the number of edges", edges, edges, &announced))
        return false;
    for (uint32_t v = 0; v < in->rows; v++)
        for (uint32_t e = 0; e < degree[v]; e++)
            if (!rodinia_read_edge(s, v, edges))
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
