/* Matrices and graphs from files: what the readers make of them, what kernels do on them, and what is refused. */
#include "unit/test.h"
#include "unit/workload_walk.h"
#include "workload/input/input.h"
#include "workload/op_stats.h"

#define DATA "tests/data/inputs/"

static struct mh_input parsed(const char *path, const char *text)
{
    struct mh_error err = {{0}};
    struct mh_input in;

    assert_good(!mh_input_parse(text, strlen(text), path, &in, &err), err);
    return in;
}

/* The entries in the order of the file, as "row,column ". */
static void has(struct mh_input in, uint32_t rows, uint32_t columns, const char *entries)
{
    char text[256] = "";
    size_t used = 0;

    for (uint32_t i = 0; i < in.count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%u,%u ", in.entries[i].from, in.entries[i].to);
    assert_string_equal(text, entries);
    assert_true(in.rows == rows && in.columns == columns);
    mh_input_free(&in);
}

#define GENERAL "%%MatrixMarket matrix coordinate real general\n"

TEST(test_market)
{
    has(parsed("a", GENERAL "2 3 2\n1 3 5\n2 1 -0.5e-3\n"), 2, 3, "0,2 1,0 ");
    has(parsed("a", "%%MatrixMarket MATRIX Coordinate Integer General \r\n% x\r\n\r\n 2\t3  1 \r\n%\r\n1 3 5 \r\n\r\n"),
        2, 3, "0,2 ");
    has(parsed("a", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3"), 3, 3, "1,0 0,1 2,2 ");
    has(parsed("a", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 2\n3 3"), 3, 3, "0,1 1,0 2,2 ");
    has(parsed("a.graph", GENERAL "2 2 0\n"), 2, 2, ""); /* the content decides */
}

TEST(test_edges)
{
    has(parsed("a", "# x\n%y\n0 1\n\n  7\t2  \n1 0 0.5\n"), 8, 8, "0,1 7,2 1,0 ");
    has(parsed("a", "3 3"), 4, 4, "3,3 ");
    has(parsed("a", "# Nodes: 2 Edges: 1\n# Edges: many\n0 1\n"), 2, 2, "0,1 ");
}

TEST(test_metis)
{
    has(parsed("a.graph", "3 2\n2 3\n1\n1\n"), 3, 3, "0,1 0,2 1,0 2,0 ");
    has(parsed("a.graph", "% x\n3 1 1\n%\n\n3 8\n2 8\n"), 3, 3, "1,2 2,1 ");
    has(parsed("a.graph", "3 1 10 2\n5 5 2\n5 5 1\n5 5\n\n"), 3, 3, "0,1 1,0 ");
    has(parsed("a.graph.zst", "2 1 100\n7 2\n7 1"), 2, 2, "0,1 1,0 ");
    has(parsed("a.graph", "2 1 000 0\n2\n1"), 2, 2, "0,1 1,0 ");
}

static void refused(const char *path, const char *text, const char *says)
{
    struct mh_error err = {{0}};
    struct mh_input in;

    assert_int_equal(mh_input_parse(text, strlen(text), path, &in, &err), -1);
    mh_input_free(&in);
    if (strcmp(err.text, says))
        fail_msg("'%s' is not '%s'", err.text, says);
}

/* What a file is called says nothing. */
TEST(test_content_decides)
{
    has(parsed("a.txt", "4 4\n2 4\n1 3\n2 4\n3 1\n"), 4, 4, "0,1 0,3 1,0 1,2 2,1 2,3 3,2 3,0 ");
    has(parsed("a.mtx", "3 2\n2 3\n1\n1\n"), 3, 3, "0,1 0,2 1,0 2,0 ");
    has(parsed("a.graph", "1 0\n2 1\n"), 3, 3, "1,0 2,1 ");
    has(parsed("a.graph", "1 2\n1 3\n2 3\n3 3\n"), 3, 3, "0,1 0,2 1,2 2,2 ");
    refused("a.graph", "4 4\n2 4\n1 9\n2 4\n3 1\n", "a.graph:3: the neighbour is '9'; allowed: 1 to 4");
    refused("a.graph", "4 4\n2 4\n1 3\n",
            "a.graph:4: the file ends after 2 of the 4 vertices that line 1 announces: it is cut off");
    has(parsed("a.mtx", "0 1\n"), 2, 2, "0,1 ");
    has(parsed("a.graph", "p sp 2 1\na 1 2 1\n"), 2, 2, "0,1 ");
}

#define ENTRIES "3 3 2\n2 1\n3 3\n"

/* Of networkrepository.com, and by hand. */
TEST(test_market_headers)
{
    static const char *const headers[] = {
        "%MatrixMarket matrix coordinate pattern symmetric\n",
        "%%matrixmarket matrix coordinate pattern symmetric\n",
        "%% MatrixMarket matrix coordinate pattern symmetric\n",
        "\n% x\n%%MatrixMarket matrix coordinate pattern "
        "symmetric\n",
        "MatrixMarket matrix coordinate pattern symmetric\r",
        "\xef\xbb\xbf%%MatrixMarket matrix coordinate pattern "
        "symmetric\n",
    };

    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char text[256];

        snprintf(text, sizeof text, "%s%s", headers[i], ENTRIES);
        has(parsed("a", text), 3, 3, "1,0 0,1 2,2 ");
    }
}

TEST(test_ends_of_lines)
{
    has(parsed("a", "# x\r0 1\r1 2\r"), 3, 3, "0,1 1,2 ");
    has(parsed("a", "0 1\r2 0"), 3, 3, "0,1 2,0 "); /* not an edge of weight 2 */
    has(parsed("a", "\xef\xbb\xbf"
                    "0 1\r\n\r\n1 2\r\n"),
        3, 3, "0,1 1,2 ");
    has(parsed("a.graph", "3 1\r\r\n3\r\r\n\n1"), 3, 3, "0,2 2,0 ");
    has(parsed("a.graph", "3 1\r3\r\r1"), 3, 3, "0,2 2,0 ");
}

TEST(test_count_from_one)
{
    has(parsed("a", "2 1\n3 1\n"), 3, 3, "1,0 2,0 ");
    has(parsed("a", "1 1\n"), 1, 1, "0,0 ");
    has(parsed("a", "2 3\n"), 4, 4, "2,3 "); /* neither: as they are */
    has(parsed("a", "# Nodes: 3 Edges: 1\n2 3\n"), 3, 3, "1,2 ");
    has(parsed("a", "# Nodes: 4 Edges: 1\n2 3\n"), 4, 4, "2,3 ");
    has(parsed("a", "# Nodes: 3\n0 3\n"), 4, 4, "0,3 ");
}

TEST(test_konect)
{
    has(parsed("a", "% asym unweighted\n% 2 3 3\n2 3\n3 2\n"), 3, 3, "1,2 2,1 ");
    has(parsed("a", "% sym positive\n1\t2 3.5 1082040961\n3 3\n"), 3, 3, "0,1 2,2 1,0 ");
    refused("a", "% asym signed\n0 1\n", "a:2: KONECT: the edge's first vertex is '0'; allowed: 1 to 16777215");
    refused("a", "% asym signed\n1 2 1 x\n", "a:2: KONECT: the edge's time is 'x'; a number, or nothing, is expected");
    refused("a", "% asym signed\n1 2 1 1 1\n", "a:2: KONECT: '1' behind the end of what the line should have");
    refused("a", "% bip unweighted\n1 2\n",
            "a:1: KONECT: bip: rows and columns have numbers of their own; write it as Matrix Market");
    refused("a", "% sym dynamic\n1 2\n", "a:1: KONECT: dynamic: edges come and go; write those of one moment");
}

TEST(test_dimacs)
{
    has(parsed("a", "c x\n\nc\np sp 3 2\na 1 2 803\nc\na 3 1 4\n"), 3, 3, "0,1 2,0 ");
    has(parsed("a", "p edge 4 2\ne 1 2\ne 3 3\n"), 4, 4, "0,1 1,0 2,2 ");
    refused("a", "p max 3 2\n", "a:1: DIMACS: the problem is 'max'; allowed: sp, edge, col");
    refused("a", "c 9th DIMACS Challenge\n",
            "a:2: DIMACS: the file ends before the line `p sp VERTICES ARCS` or `p edge VERTICES EDGES`");
    refused("a", "a 1 2 3\n", "a:1: DIMACS: an edge before the line `p sp VERTICES ARCS` or `p edge VERTICES EDGES`");
    refused("a", "p sp 3 2\na 1 2 803\n", "a:3: DIMACS: 1 edges, but line 1 announces 2: is the file cut off?");
    refused("a", "p sp 3 1\na 0 2 803\n", "a:2: DIMACS: the edge's first vertex is '0'; allowed: 1 to 3");
    refused("a", "p sp 3 1\ne 1 2\n", "a:2: DIMACS: the line begins with 'e'; allowed: c, a");
    refused("a", "p sp 3 1\np sp 3 1\n", "a:2: DIMACS: a second line p; line 1 is one");
}

#define RODINIA "3\n0 2\n2 1\n3 1\n\n2\n\n4\n1 5\n2 1\n0 5\n0 1\n"

TEST(test_rodinia)
{
    struct mh_input in = parsed("a", RODINIA);

    assert_true(in.starts && in.start == 2);
    has(in, 3, 3, "0,1 0,2 1,0 2,0 ");
    refused("a", "65536\n0 5\n5 4\n",
            "a:4: Rodinia's BFS input: the file ends after 2 of the 65536 vertices that its "
            "first line announces: it is cut off");
    refused("a", "2\n0 1\n2 1\n", "a:3: Rodinia's BFS input: the vertex' first edge is '2'; allowed: 1 to 1");
    refused("a", "2\n0 1\n1 1\n\n2\n", "a:5: Rodinia's BFS input: the source is '2'; allowed: 0 to 1");
    refused("a", "2\n0 1\n1 1\n\n0\n\n3\n", "a:7: Rodinia's BFS input: the number of edges is '3'; allowed: 2 to 2");
    refused("a", "2\n0 1\n1 1\n\n0\n\n2\n1 1\n",
            "a:9: Rodinia's BFS input: the file ends after 1 of the 2 edges that its vertices have: it is cut off");
    refused("a", RODINIA "1 1\n", "a:13: Rodinia's BFS input: a line behind the last edge");
}

/* Refused as what they nearly are, or by the name of what is not taken. */
TEST(test_nearly)
{
    refused("a", "%%MatrixMarkt matrix coordinate real general\n" ENTRIES,
            "a:1: nearly Matrix Market's first line, which begins with %%MatrixMarket matrix coordinate");
    refused("a", "% Matrix Market: matrix array real general\n" ENTRIES,
            "a:1: nearly Matrix Market's first line, which begins with %%MatrixMarket matrix coordinate");
    refused("a", ENTRIES,
            "a:4: nearly Matrix Market: line 1 has rows, columns and the number of lines behind it; put "
            "the format's first line above it, as in `%%MatrixMarket matrix coordinate pattern general`, "
            "or leave line 1 out");
    refused("a", "3 3\n0 1\n1 2\n2 0\n",
            "a:5: line 1 has the number of vertices and that of the lines behind it, and "
            "is no edge: leave it out");
    refused("a", "4 4\n1 2\n2 3\n3 4\n4 1\n", /* as many numbers as METIS would have, but no edge twice */
            "a:6: line 1 has the number of vertices and that of the lines behind it, and is no edge: leave it out");
    refused("a.txt", "3 2\n2 3\n1\n",
            "a.txt:4: METIS: the file ends after 2 of the 3 vertices that line 1 announces: it is cut off");
    refused("a", "source,target\n0,1\n",
            "a:1: 'source,target': a list as in CSV; separate its columns by blanks or tabs, and leave out a line of "
            "their names");
    refused("a",
            "\xff\xfe"
            "0",
            "a:1: the file is UTF-16: save it as UTF-8");
    refused("a", "BZh91AY", "a:1: the file is packed by bzip2: unpack it");
    refused("a", "graph [\n",
            "a:1: 'graph': the format is GML's or DOT's; taken are Matrix Market, METIS, DIMACS, "
            "Rodinia's BFS input and lists of edges");
    has(parsed("a", "3 2\n2 1\n1 0\n"), 4, 4, "3,2 2,1 1,0 "); /* a path, not 3 vertices and 2 edges */
}

TEST(test_market_refused)
{
    refused("a", "%%MatrixMarket vector", "a:1: the file has an object 'vector'; allowed: matrix");
    refused("a", "%%MatrixMarket matrix array real general\n", "a:1: its format is 'array'; allowed: coordinate");
    refused("a", "%%MatrixMarket matrix coordinate complex general\n",
            "a:1: its values are 'complex'; allowed: real, integer, pattern");
    refused("a", "%%MatrixMarket matrix coordinate real hermitian\n",
            "a:1: its symmetry is 'hermitian'; allowed: general, symmetric");
    refused("a", "%%MatrixMarket matrix coordinate real\n", "a:1: its symmetry is ''; allowed: general, symmetric");
    refused("a", "%%MatrixMarket matrix coordinate real general x\n",
            "a:1: 'x' behind the end of what the line should have");
    refused("a", GENERAL "% x\n", "a:3: the file ends before the line with rows, columns and entries: it is cut off");
    refused("a", GENERAL "2 2\n",
            "a:2: the line ends where the number of entries was expected, a number from 0 to 134217728");
    refused("a", GENERAL "2 16777217 1\n", "a:2: the number of columns is '16777217'; allowed: 1 to 16777216");
    refused("a", GENERAL "18446744073709551617 2 1\n",
            "a:2: the number of rows is '18446744073709551617'; allowed: 1 to 16777216");
    refused("a", GENERAL "2 3 2\n1 1 1\n3 1 1\n", "a:4: the row is '3'; allowed: 1 to 2");
    refused("a", GENERAL "2 3 2\n1 1 1\n2 0 1\n", "a:4: the column is '0'; allowed: 1 to 3");
    refused("a", GENERAL "2 3 1\n1 1\n", "a:3: the value is ''; a number is expected");
    refused("a", GENERAL "2 3 1\n1 1 1x\n", "a:3: the value is '1x'; a number is expected");
    refused("a", GENERAL "2 3 1\n1 1 1 1\n", "a:3: '1' behind the end of what the line should have");
    refused("a", GENERAL "2 3 3\n1 1 1\n2 3 1\n",
            "a:5: the file ends after 2 of the 3 entries that line 2 announces: it is cut off");
    refused("a", GENERAL "2 3 1\n1 1 1\n2 3 1\n", "a:4: more entries than the 1 that line 2 announces");
    refused("a", "%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n",
            "a:2: a symmetric matrix of 2 rows and 3 columns: they have to be as many");
    refused("a", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 3\n1 2\n",
            "a:5: row 1, column 2 is on the other side of the diagonal than entries before it; a symmetric matrix has "
            "one triangle alone: leave the other out, or call it general");
}

TEST(test_others_refused)
{
    refused("a", "", "a:1: no edges; a line for each is expected: two vertices, such as `0 1`");
    refused("a", "# x\n", "a:2: no edges; a line for each is expected: two vertices, such as `0 1`");
    refused("a", "0 1\n2",
            "a:2: the line ends where the edge's second vertex was expected, a number from 0 to 16777215");
    refused("a", "0 1\n2 -1\n", "a:2: the edge's second vertex is '-1'; allowed: 0 to 16777215");
    refused("a", "0 16777216\n", "a:1: the edge's second vertex is '16777216'; allowed: 0 to 16777215");
    refused("a", "0 1 2 3\n", "a:1: '3' behind the end of what the line should have");
    refused("a", "0 1 x\n", "a:1: the edge's weight is 'x'; a number, or nothing, is expected");
    refused("a", "# Edges: 3\n0 1\n1 2\n", "a:4: 2 edges, but line 1 announces 3: is the file cut off?");
    refused("a.graph", "", "a.graph:1: the file ends before the line with vertices and edges");
    refused("a.graph", "3 2 012\n", "a.graph:1: the format is '012'; allowed: up to three digits 0 or 1");
    refused("a.graph", "3 2 0 5\n", "a.graph:1: the number of weights is '5'; allowed: 0 to 0");
    refused("a.graph", "3 2\n2 3\n1\n",
            "a.graph:4: the file ends after 2 of the 3 vertices that line 1 announces: it is cut off");
    refused("a.graph", "2 1\n2\n1\n1\n", "a.graph:4: more vertices than the 2 that line 1 announces");
    refused("a.graph", "2 1\n2\n3\n", "a.graph:3: the neighbour is '3'; allowed: 1 to 2");
    refused("a.graph", "2 1 1\n2\n1 1\n",
            "a.graph:2: the line ends where the edge's weight was expected, a number from 0 to 4294967295");
    refused("a.graph", "3 2\n2\n1\n\n",
            "a.graph:5: 2 neighbours, but 2 edges in line 1: each is there twice, once at each end");
    refused("a.graph", "4 4\n1 2\n2 3\n3 4\n4 1\n",
            "a.graph:6: an edge is there at one end alone, or leads from a vertex to itself");
    refused("a.graph", "3 2\n3\n1 2\n2\n",
            "a.graph:5: an edge is there at one end alone, or leads from a vertex to itself");
}

struct seen {
    uint64_t base;
    uint32_t pc, count;
    uint32_t element[64];
};

static void see(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct seen *s = ctx;

    for (uint64_t m = op->pc == s->pc && op->kind <= MH_OP_ATOMIC ? op->mask : 0; m; m &= m - 1) {
        assert_true(s->count < 64);
        s->element[s->count++] = (uint32_t)(mh_op_address(op, addr, (unsigned)__builtin_ctzll(m)) - s->base) / 4;
    }
}

/* Words, counted from the buffer's base, that instruction `pc` touches, in order of warps and lanes. */
static void touches(const struct mh_workload *w, uint32_t pc, uint32_t buffer, uint32_t count, const uint32_t *words)
{
    struct seen s = {.base = w->buffers[buffer].base, .pc = pc};

    walk_all(w, 32, see, &s);
    assert_int_equal(s.count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(s.element[i], words[i]);
}

/* Rows 1, 3, 0, 2 by length: columns 0 2 4, 1 3, 4 and none, padded with column 0 to three. */
TEST(test_spmv)
{
    static const uint32_t first[] = {0, 1, 4, 0}, second[] = {2, 3, 0, 0}, last[] = {4, 0, 0, 0};
    static const uint32_t bytes[] = {3 * 32 * 4, 3 * 32 * 4, 4 * 4, 5 * 4, 4 * 4}, y[] = {1, 3, 0, 2};
    LOCAL_WORKLOAD(w) = walk_make("SPMV:" DATA "rows.mtx", 0, 1, 32);

    assert_true(w->buffer_count == 5 && w->launch_count == 1 && w->launches[0].ctas == 1);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(w->buffers[i].bytes, bytes[i]);
    touches(w, 3, 3, 4, first);
    touches(w, 7, 3, 4, second);
    touches(w, 9, 3, 4, last);
    touches(w, 11, 4, 4, y);
}

/* From vertex 2, of degree 3: 0, 1 and 3 at distance 1, 4 at 2, 5 never. Each of the ten edges is looked at once. */
TEST(test_bfs)
{
    static const char *const files[] = {"BFS:" DATA "graph.mtx", "BFS:" DATA "graph.txt", "bfs:" DATA "graph.graph"};
    static const uint32_t edges[] = {4, 5, 6, 0, 2, 7, 1, 3, 8, 9}; /* number k of 2; number k of 0, 1 and 3; of 4 */

    for (uint32_t i = 0; i < 3; i++) {
        LOCAL_WORKLOAD(w) = walk_make(files[i], 0, 1, 32);

        assert_true(w->buffer_count == 7 && w->launch_count == 6);
        assert_true(w->buffers[0].bytes == 6 * 8 && w->buffers[1].bytes == 10 * 4 && w->buffers[5].bytes == 6 * 4);
        touches(w, 6, 1, 10, edges);
    }
}

/* Each of them on the same graph, whichever file it is in; seeds are of values. */
TEST(test_graphs)
{
    static const char *const kernels[] = {"SSSP", "MIS", "Color", "BFS"};

    for (uint32_t k = 0; k < 4; k++) {
        char spec[3][80];
        struct mh_workload *w[3];

        for (uint32_t i = 0; i < 3; i++) {
            static const char *const ends[] = {"mtx", "txt", "graph"};

            snprintf(spec[i], sizeof spec[i], "%s:" DATA "graph.%s", kernels[k], ends[i]);
            w[i] = walk_make(spec[i], 0, 3, 32);
            assert_true(w[i]->launch_count == w[0]->launch_count && w[i]->buffer_count == w[0]->buffer_count);
            assert_memory_equal(w[i]->buffers, w[0]->buffers, w[0]->buffer_count * sizeof *w[0]->buffers);
        }
        for (uint32_t i = 0; i < 3; i++)
            w[i]->destroy(w[i]);
    }
}

static void rejects(const char *spec, uint64_t size, const char *text)
{
    struct mh_error err = {{0}};

    assert_null(mh_workload_create(spec, size, 1, 32, &err));
    assert_has(err.text, text);
    assert_null(mh_workload_create(spec, size, 1, 32, NULL));
}

TEST(test_rejected)
{
    rejects("MVT:" DATA "rows.mtx", 0, "MVT takes no file: leave out ':" DATA "rows.mtx'");
    rejects("SPMV:", 0, "SPMV: names no file; write SPMV:FILE, or SPMV:383");
    rejects("SPMV:no/such file.mtx", 0, "no/such file.mtx: cannot open: No such file");
    rejects("SPMV:.", 0, "Is a directory");
    rejects("BFS@mesh:" DATA "graph.mtx", 0, "BFS@mesh: the file takes the variant's place");
    rejects("BFS:" DATA "graph.mtx", 1024, "graph.mtx: the file says the size; leave out the size 1024");
    rejects("BFS:" DATA "rows.mtx", 0, "rows.mtx: 4 rows and 5 columns are no graph");
    rejects("BFS:" DATA "graph.mtx@launch=6", 0, "graph.mtx has launches 0 to 5 (0 Kernel, 1 Kernel2");
    rejects("SSSP:tests/data/README.md", 0, "README.md:2: the edge's first vertex is '");
}

TEST(test_names)
{
    size_t length = 0;

    assert_string_equal(mh_kernel_input("SPMV:a b/c.mtx", &length), "a b/c.mtx");
    assert_int_equal(length, 9);
    assert_string_equal(mh_kernel_input("BFS@mesh:a@b:c.txt@launch=2", &length), "a@b:c.txt@launch=2");
    assert_int_equal(length, 9);
    assert_null(mh_kernel_input("trace:a:b", &length));
    assert_null(mh_kernel_input("BFS@mesh", &length));
    assert_ptr_equal(mh_kernel_find("spmv:x"), mh_kernel_find("SPMV"));
}
