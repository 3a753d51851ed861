#include "workload/input/input.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "workload/input/scan.h"

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

/*
 * Which format a file has: its content says, not its name. Matrix Market and DIMACS have words of their own in their
 * first lines. METIS, Rodinia's input and a list of edges are numbers alone: each is tried, and a file that is none is
 * refused as the one whose reader gets furthest. What is named .graph and may be a damaged METIS file is refused.
 */

enum format { NUMBERS, MARKET, DIMACS, LIST, REFUSED };

#define MARKET_WORD "MatrixMarket"

/* ---- what no reader here takes ---- */

static const struct foreign {
    size_t at;
    const char *bytes, *what, *remedy;
} binaries[] = {
    {0, "\xff\xfe", "UTF-16", "save it as UTF-8"},     {0, "\xfe\xff", "UTF-16", "save it as UTF-8"},
    {0, "BZh", "packed by bzip2", "unpack it"},        {0, "PK\x03\x04", "a zip archive", "unpack it"},
    {0, "7z\xbc\xaf", "a 7z archive", "unpack it"},    {0, "\x04\x22\x4d\x18", "packed by lz4", "unpack it"},
    {257, "ustar", "a tar archive", "unpack it"},      {0, "\x89HDF", "HDF5", "write it as text"},
    {0, "MATLAB 5.0", "MATLAB's", "write it as text"},
};

static const struct foreign words[] = {
    {0, "*vertices", "Pajek's", ""},
    {0, "graph", "GML's or DOT's", ""},
    {0, "digraph", "DOT's", ""},
    {0, "AdjacencyGraph", "Ligra's", ""},
    {0, "WeightedAdjacencyGraph", "Ligra's", ""},
    {0, "<", "XML", ""},
    {0, "{", "JSON", ""},
    {0, "[", "JSON", ""},
};

#define TAKEN "taken are Matrix Market, METIS, DIMACS, Rodinia's BFS input and lists of edges"

/* UTF-16 without a mark: of two letters, one byte each is 0. */
static bool has_empty_halves(const uint8_t *text, size_t size)
{
    return size >= 4 && ((text[0] && !text[1] && text[2] && !text[3]) || (!text[0] && text[1] && !text[2] && text[3]));
}

static bool is_text(struct mh_scan *s)
{
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        const struct foreign *b = &binaries[i];
        const size_t n = strlen(b->bytes);

        if (s->in.out_size >= b->at + n && !memcmp(s->in.out + b->at, b->bytes, n))
            return mh_scan_fail(s, "the file is %s: %s", b->what, b->remedy);
    }
    return !has_empty_halves(s->in.out, s->in.out_size) || mh_scan_fail(s, "the file is UTF-16: save it as UTF-8");
}

/* ---- what the first lines say ---- */

static enum format refuse_words(struct mh_scan *s, const char *w)
{
    if (strpbrk(w, ",;")) {
        (void)mh_scan_fail(s,
                           "'%.40s': a list as in CSV; separate its columns by blanks or tabs, and leave out a line "
                           "of their names",
                           w);
        return REFUSED;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *b = words[i].bytes;

        if (strlen(b) > 1 ? !strcasecmp(w, b) : *w == *b) {
            (void)mh_scan_fail(s, "'%.40s': the format is %s; " TAKEN, w, words[i].what);
            return REFUSED;
        }
    }
    return NUMBERS;
}

/* The words of a line from `w` on. Of a header the scanner stands behind its first word. */
static enum format look_for_market(struct mh_scan *s, const char *w)
{
    bool nearly = strncasecmp(w, MARKET_WORD, strlen(MARKET_WORD)) == 0, matrix = false;

    if (strcasecmp(w, MARKET_WORD) == 0)
        return MARKET;
    for (; *w && !nearly; w = mh_scan_word(s)) {
        nearly = matrix && (!strcasecmp(w, "coordinate") || !strcasecmp(w, "array"));
        matrix = !strcasecmp(w, "matrix");
    }
    if (nearly)
        (void)mh_scan_fail(s, "nearly Matrix Market's first line, which begins with %%%%" MARKET_WORD
                              " matrix coordinate");
    return nearly ? REFUSED : NUMBERS;
}

static enum format look_at_comment(struct mh_scan *s)
{
    const char *w = mh_scan_word(s);

    w += strspn(w, "%#");
    w = *w ? w : mh_scan_word(s);
    return mh_input_konect(s, w).there ? LIST : look_for_market(s, w);
}

static enum format look_at_content(struct mh_scan *s)
{
    const char *w = mh_scan_word(s);

    if (strlen(w) == 1 && strchr("cpae", *w))
        return DIMACS;
    return strspn(w, "+-.0123456789") == strlen(w) || refuse_words(s, w) == NUMBERS ? look_for_market(s, w) : REFUSED;
}

/* Down to the first line that is no comment, or the one that tells. */
static enum format look(struct mh_scan *s)
{
    enum format f = NUMBERS;

    for (bool more = s->next >= 0; more && f == NUMBERS; more = f == NUMBERS && mh_scan_line(s)) {
        if (!mh_scan_more(s))
            continue;
        if (s->next != '#' && s->next != '%')
            return look_at_content(s);
        f = look_at_comment(s);
    }
    return f;
}

/* ---- reading ---- */

/* Behind the mark of UTF-8, if there is one. */
static bool begin(struct mh_scan *s)
{
    static const char mark[] = "\xef\xbb\xbf";

    if (s->in.out_size >= strlen(mark) && !memcmp(s->in.out, mark, strlen(mark)))
        s->in.out_pos = strlen(mark);
    s->to->count = s->to->rows = s->to->columns = 0;
    s->to->starts = s->holds = false;
    s->ends = 0;
    s->next = 0;
    s->line = 1;
    s->format = NULL;
    mh_scan_step(s);
    return true;
}

static bool again(struct mh_scan *s)
{
    return !mh_stream_rewind(&s->in, s->err) && begin(s);
}

typedef bool reader(struct mh_scan *s);

/* Whole, or why not. */
static bool read_with(struct mh_scan *s, reader *read)
{
    return read(s) && (!s->in.failure || mh_scan_fail(s, " "));
}

static bool is_named_metis(const char *path)
{
    static const char *const ends[] = {".graph", ".graph.zst", ".graph.xz", ".graph.gz"};
    const size_t length = strlen(path);

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (length >= strlen(ends[i]) && !strcmp(path + length - strlen(ends[i]), ends[i]))
            return true;
    return false;
}

/* From the first byte on. */
static bool try_one(struct mh_scan *s, reader *read, struct mh_error *why)
{
    struct mh_error *const err = s->err;
    bool good;

    s->err = why;
    good = again(s) && read_with(s, read);
    s->err = err;
    return good;
}

/* The last one takes most: of two that get as far it says why not. */
static bool try_each(struct mh_scan *s, reader *const readers[], size_t count)
{
    struct mh_error why;
    uint64_t furthest = 0;

    for (size_t i = 0; i < count; i++) {
        if (try_one(s, readers[i], &why))
            return true;
        if (s->line >= furthest && s->err)
            *s->err = why;
        furthest = s->line > furthest ? s->line : furthest;
    }
    return false;
}

/* Only a list has a 0 in its first line. */
static bool begins_with_zero(struct mh_scan *s)
{
    return !strcmp(mh_scan_word(s), "0") || !strcmp(mh_scan_word(s), "0");
}

static bool read_unnamed_metis(struct mh_scan *s)
{
    s->format = "METIS";
    return mh_input_metis(s);
}

/* A list for sure: a line of it is none of METIS', and it has not the lines that its first one would announce. */
static bool read_named_metis(struct mh_scan *s)
{
    static reader *const metis[] = {mh_input_rodinia, mh_input_metis};
    struct mh_error why;
    uint32_t vertices;

    if (again(s) && mh_scan_content(s, "#%") && begins_with_zero(s))
        return again(s) && read_with(s, mh_input_edges);
    if (try_each(s, metis, 2))
        return true;
    vertices = s->to->rows;
    return vertices && s->next >= 0 && try_one(s, mh_input_edges, &why) && s->to->count != vertices + 1;
}

static bool read_numbers(struct mh_scan *s)
{
    static reader *const list[] = {read_unnamed_metis, mh_input_rodinia, mh_input_edges};

    return is_named_metis(s->in.source.path) ? read_named_metis(s) : try_each(s, list, 3);
}

static bool read_text(struct mh_scan *s)
{
    switch (look(s)) {
    case MARKET:
        return read_with(s, mh_input_market);
    case DIMACS:
        return again(s) && read_with(s, mh_input_dimacs);
    case LIST:
        return again(s) && read_with(s, mh_input_edges);
    case NUMBERS:
        return read_numbers(s);
    default:
        return false;
    }
}

static int read_source(const struct mh_source *source, struct mh_input *in, struct mh_error *err)
{
    struct mh_scan s = {.to = in, .err = err, .line = 1};
    bool good;

    *in = (struct mh_input){.path = source->path};
    if (mh_stream_open(&s.in, source, err))
        return -1;
    good = is_text(&s) && begin(&s) && read_text(&s);
    mh_stream_end(&s.in);
    return good ? 0 : -1;
}

int mh_input_read(const char *path, struct mh_input *in, struct mh_error *err)
{
    return read_source(&(struct mh_source){.path = path}, in, err);
}

int mh_input_parse(const void *data, size_t size, const char *path, struct mh_input *in, struct mh_error *err)
{
    return read_source(&(struct mh_source){path, data, size}, in, err);
}

void mh_input_free(struct mh_input *in)
{
    free(in->entries);
    in->entries = NULL;
}
