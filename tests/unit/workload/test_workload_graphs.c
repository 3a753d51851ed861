/* Graphs and matrices as input, how a variant of a kernel is named, and what the programs that MASK publishes touch. */
#include "unit/test.h"
#include "unit/workload_walk.h"
#include "workload/graph.h"
#include "workload/op_stats.h"
#include "workload/graph.h"
#include "touches.h"

enum { SEED = 3 };

/* 10 vertices in rows of 3: the last row has one. */
TEST(test_grid)
{
    static const uint32_t degree[10] = {2, 3, 2, 3, 4, 3, 3, 3, 2, 1}, middle[] = {1, 3, 5, 7};
    struct mh_graph *g = mh_graph_mesh(10, NULL);

    assert_non_null(g);
    assert_true(g->edges == 26 && g->max_degree == 4);
    for (uint32_t v = 0; v < 10; v++)
        assert_int_equal(mh_graph_degree(g, v), degree[v]);
    assert_memory_equal(g->col + g->row[4], middle, sizeof middle);
    assert_int_equal(g->col[g->row[9]], 6);
    free(g);
    g = mh_graph_mesh(1000000, NULL); /* ecology1: 4 996 000 entries, 1 000 000 of them the diagonal */
    assert_int_equal(g->edges, 3996000);
    free(g);
}

/* Each vertex draws 2 to 4 edges, which its other ends have, too: six on average, the others' share Poisson. */
TEST(test_uniform)
{
    enum { N = 60000 };
    struct mh_graph *g = mh_graph_uniform(N, SEED, NULL), *other = mh_graph_uniform(N, SEED + 1, NULL);
    uint64_t far = 0;
    uint32_t least = UINT32_MAX;

    assert_true(g->edges > 5.95 * N && g->edges < 6.05 * N);
    for (uint32_t v = 0; v < N; v++)
        for (uint32_t e = g->row[v]; e < g->row[v + 1]; e++) {
            least = mh_graph_degree(g, v) < least ? mh_graph_degree(g, v) : least;
            far += (g->col[e] > v ? g->col[e] - v : v - g->col[e]) > N / 2;
        }
    assert_true(least >= 1 && least <= 2 && g->max_degree > 10 && g->max_degree < 30);
    assert_true(far > g->edges * 0.24 && far < g->edges * 0.26); /* of uniform pairs a quarter is that far apart */
    assert_true(memcmp(g->col, other->col, N) != 0);
    free(g);
    free(other);
}

static uint32_t lonely(const struct mh_graph *g)
{
    uint32_t count = 0;

    for (uint32_t v = 0; v < g->vertices; v++)
        count += mh_graph_degree(g, v) == 0;
    return count;
}

/* Each of 14 bits of an edge's end is 0 with probability .67 or .76 (a + b): the vertex drawn most often has .67^14 =
 * .0037 or .76^14 = .0215 of all ends, before duplicates go. */
TEST(test_powerlaw)
{
    enum { N = 1 << 14, ENDS = 2 * 1100000 / 16 };
    struct mh_graph *flat = mh_graph_rmat(N, SEED, NULL), *steep = mh_graph_powerlaw(N, SEED, NULL);

    assert_true(flat && steep && flat->edges < ENDS && steep->edges < flat->edges);
    assert_true(flat->max_degree > 0.0037 * ENDS * 0.5 && flat->max_degree < 0.0037 * ENDS * 1.1);
    assert_true(steep->max_degree > 2 * flat->max_degree && steep->max_degree < 0.0215 * ENDS * 1.1);
    assert_true(lonely(steep) > lonely(flat));
    free(flat);
    free(steep);
}

/* Star 0, 1, 4 around 2, which is its own neighbour, and 3 alone: each line of its file counts both ways, and vertex 3
 * has no row. */
TEST(test_read_undirected)
{
    static const struct mh_arc arcs[] = {{0, 2}, {1, 2}, {2, 0}, {2, 1}, {2, 2}, {2, 4}, {4, 2}};
    static const uint32_t rows[6] = {0, 2, 4, 10, 12, 12}, cols[12] = {2, 2, 2, 2, 0, 1, 0, 1, 4, 4, 2, 2};
    struct mh_graph *g = mh_graph_read_undirected(mh_graph_build(5, arcs, 7));

    assert_true(g && g->edges == 12);
    mh_graph_close_rows_up(g);
    assert_memory_equal(g->row, rows, sizeof rows);
    assert_memory_equal(g->col, cols, sizeof cols);
    free(g);
    assert_null(mh_graph_read_undirected(NULL));
}

struct looks {
    uint64_t base;
    uint32_t times[2 * 2 * 40 * 39]; /* edges of a mesh of 40 x 40, both ways */
};

static void look(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct looks *s = ctx;

    for (uint64_t m = op->pc == 6 ? op->mask : 0; m; m &= m - 1)
        s->times[(mh_op_address(op, addr, (unsigned)__builtin_ctzll(m)) - s->base) / 4]++;
}

/* A search from the first vertex with four neighbours, (1, 1), comes to every edge once; the far corner is 38 + 38
 * away. */
TEST(test_grid_search)
{
    LOCAL_WORKLOAD(w) = mh_workload_create("BFS@mesh", 1600, SEED, 32, NULL);
    static struct looks s;

    assert_non_null(w);
    s.base = w->buffers[1].base;
    walk_all(w, 32, look, &s);
    for (size_t e = 0; e < sizeof s.times / sizeof *s.times; e++)
        assert_int_equal(s.times[e], 1);
    assert_int_equal(w->launch_count, 2 * (38 + 38 + 1));
}

static void rejects(const char *spec, uint64_t size, const char *text)
{
    struct mh_error err = {{0}};

    assert_null(mh_workload_create(spec, size, 1, 32, &err));
    assert_has(err.text, text);
}

TEST(test_names)
{
    const struct mh_kernel *bfs = mh_kernel_find("bfs2@MESH");

    assert_ptr_equal(bfs, mh_kernel_find("BFS"));
    assert_int_equal(mh_kernel_variant(bfs, "BFS", NULL), 0);
    assert_int_equal(mh_kernel_variant(bfs, "BFS2@rmat", NULL), 0);
    assert_int_equal(mh_kernel_variant(bfs, "bfs@MESH", NULL), 1);
    assert_int_equal(mh_kernel_variant(bfs, "BFS@uniform", NULL), 2);
    assert_null(mh_kernel_find("BF@mesh"));
    assert_null(mh_kernel_find("@mesh"));
    rejects("SSSP@road", 0, "SSSP has no variant 'road': use one of SSSP@rmat SSSP@mesh SSSP@uniform SSSP@powerlaw");
    rejects("SSSP@", 0, "SSSP has no variant ''");
    rejects("SSSP@mesh@mesh", 0, "SSSP has no variant 'mesh@mesh'");
    rejects("MVT@mesh", 0, "MVT has no variants: leave out '@mesh'");
    rejects("Color", 1000,
            "Color: size 1000 is not a power of two (vertices of an R-MAT graph; @mesh and @uniform have "
            "any number): use 512 or 1024");
}

static bool has(const struct mh_graph *g, uint32_t row, uint32_t column)
{
    for (uint32_t e = g->row[row]; e < g->row[row + 1]; e++)
        if (g->col[e] == column)
            return true;
    return false;
}

/* Rows ascend without doubles, have themselves, and are columns, too. */
static void check_form(const struct mh_graph *g)
{
    uint32_t most = 0;

    for (uint32_t r = 0; r < g->vertices; r++) {
        assert_true(has(g, r, r));
        most = mh_graph_degree(g, r) > most ? mh_graph_degree(g, r) : most;
        for (uint32_t e = g->row[r]; e < g->row[r + 1]; e++) {
            assert_true(g->col[e] < g->vertices && (e == g->row[r] || g->col[e - 1] < g->col[e]));
            assert_true(has(g, g->col[e], r));
        }
    }
    assert_int_equal(g->row[g->vertices], g->edges);
    assert_int_equal(g->max_degree, most);
}

/*
 * Two by two elements, numbers by hand, the uppermost row last:
 *    3 | 2        23 24  8 19 20
 *   ---+---       21 22  7 17 18
 *    0 | 1         3  4  0  5  6
 *                 11 12  2 15 16
 *                  9 10  1 13 14
 */
TEST(test_by_hand)
{
    static const struct {
        uint32_t row, count, columns[25];
    } rows[] = {
        {0, 25, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24}},
        {1, 15, {0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15, 16}},
        {6, 15, {0, 1, 2, 5, 6, 7, 8, 13, 14, 15, 16, 17, 18, 19, 20}},
        {9, 9, {0, 1, 2, 3, 4, 9, 10, 11, 12}},
        {16, 9, {0, 1, 2, 5, 6, 13, 14, 15, 16}},
        {18, 9, {0, 5, 6, 7, 8, 17, 18, 19, 20}},
        {24, 9, {0, 3, 4, 7, 8, 21, 22, 23, 24}},
    };
    struct mh_graph *g = mh_matrix_mesh(5);

    assert_true(g && g->vertices == 25 && g->edges == 17 * 17);
    check_form(g);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(mh_graph_degree(g, rows[i].row), rows[i].count);
        assert_memory_equal(g->col + g->row[rows[i].row], rows[i].columns, rows[i].count * sizeof(uint32_t));
    }
    free(g);
}

/* 127 x 127 corners inside, two nodes on each of 2 x 127 x 128 sides, four in each of 128 x 128 elements. */
TEST(test_dubcova3)
{
    enum { CORNERS = 127 * 127, SIDES = 2 * 2 * 127 * 128, INSIDES = 4 * 128 * 128 };
    struct mh_graph *g = mh_matrix_mesh(383);
    uint32_t full[3] = {0, 0, 0};

    assert_true(g && g->vertices == 146689 && g->edges == 1907 * 1907 && g->max_degree == 49);
    assert_int_equal(CORNERS + SIDES, 81153);
    for (uint32_t r = 0; r < g->vertices; r++) {
        const uint32_t kind = r < CORNERS ? 0 : r < CORNERS + SIDES ? 1 : 2;

        assert_true(mh_graph_degree(g, r) <= (kind == 0 ? 49u : kind == 1 ? 28u : 16u));
        full[kind] += mh_graph_degree(g, r) == (kind == 0 ? 49u : kind == 1 ? 28u : 16u);
    }
    /* But for those in, or next to, an element at the rim. */
    assert_true(full[0] == 125 * 125 && full[1] == 2 * 2 * 125 * 126 && full[2] == 4 * 126 * 126);
    free(g);
}

/* Elements that are cut off. */
TEST(test_other_sizes)
{
    for (uint32_t n = 3; n < 20; n++) {
        struct mh_graph *g = mh_matrix_mesh(n);

        assert_true(g && g->vertices == n * n);
        check_form(g);
        free(g);
    }
}

TEST(test_random)
{
    enum { N = 40 };
    struct mh_graph *g = mh_matrix_random(N, 1), *again = mh_matrix_random(N, 1), *other = mh_matrix_random(N, 2);

    assert_true(g && again && other && g->vertices == N * N);
    check_form(g);
    for (uint32_t r = 0; r < g->vertices; r++)
        for (uint32_t e = g->row[r]; e < g->row[r + 1]; e++)
            assert_true(abs((int)(g->col[e] / N) - (int)(r / N)) <= 3 && abs((int)(g->col[e] % N) - (int)(r % N)) <= 3);
    /* Of 268 x 268 pairs within reach half, and each with itself. */
    assert_in_range(g->edges, 36700 - 1000, 36700 + 1000);
    assert_memory_equal(g->col, again->col, g->edges * sizeof *g->col);
    assert_true(g->edges != other->edges || memcmp(g->col, other->col, g->edges * sizeof *g->col) != 0);
    free(g);
    free(again);
    free(other);
}

/* Layer 1's windows start at 0, 2, .. 24 and are 5 wide; six maps look at each image. */
static uint32_t windows_over(uint64_t element, uint64_t size)
{
    uint32_t count[2] = {0};

    for (uint64_t start = 0; start < 26; start += 2) {
        count[0] += element % 29 >= start && element % 29 < start + 5;
        count[1] += element / 29 % 29 >= start && element / 29 % 29 < start + 5;
    }
    return 6 * count[0] * count[1];
}

static uint32_t by_each_output(uint64_t element, uint64_t size)
{
    return 100;
}

/* Of a map's 156 weights the source uses 1 + 6 * 25. */
static uint32_t by_25_lanes(uint64_t element, uint64_t size)
{
    return element % 156 < 151 ? 25 : 0;
}

TEST(test_neural_network)
{
    check_touches("NN", 1, 0, LOAD, 0, 0, 4, windows_over);
    check_touches("NN", 1, 1, LOAD, 0, 3, 4, by_25_lanes); /* weights of layer 2: a block each */
    check_touches("NN", 1, 2, LOAD, 0, 4, 4, by_each_output);
    check_touches("NN", 2, 2, LOAD, 0, 5, 4, twice); /* weights of layer 3: once an image */
    check_touches("NN", 2, 3, LOAD, 0, 7, 4, twice);
    for (uint32_t l = 0; l < 4; l++)
        check_touches("NN", 2, l, STORE, 0, 2 * l + 2, 4, once);
}

/* A is read by each of the 8 columns of blocks. */
static uint32_t eight_times(uint64_t element, uint64_t size)
{
    return 8 * once(element, size);
}

/* 512 x 496 by 496 x 528: of C 4 blocks of rows by 33 of columns. */
static uint32_t by_33_blocks(uint64_t element, uint64_t size)
{
    return 33 * once(element, size);
}

static uint32_t by_4_blocks(uint64_t element, uint64_t size)
{
    return 4 * once(element, size);
}

TEST(test_sums_and_passes)
{
    check_touches("HISTO256", 50000, 0, LOAD, 0, 0, 4, once);
    check_touches("HISTO256", 50000, 0, STORE, 0, 2, 4, once);
    check_touches("HISTO256", 50000, 1, LOAD, 0, 2, 4, once);
    check_touches("HISTO256", 50000, 1, STORE, 0, 1, 4, once);
    check_touches("SGEMM", 128, 0, LOAD, 0, 0, 4, eight_times);
    check_touches("SGEMM", 128, 0, LOAD, 0, 1, 4, once);
    check_touches("SGEMM", 128, 0, LOAD, 0, 2, 4, once);
    check_touches("SGEMM", 128, 0, STORE, 0, 2, 4, once);
    check_touches("SGEMM@medium", 512, 0, LOAD, 0, 0, 4, by_33_blocks);
    check_touches("SGEMM@medium", 512, 0, LOAD, 0, 1, 4, by_4_blocks);
    check_touches("SGEMM@medium", 512, 0, STORE, 0, 2, 4, once);
    for (uint32_t l = 0; l < 8; l++) {
        check_touches("FFT256", 3, l, LOAD, 0, l % 2, 4, once);
        check_touches("FFT256", 3, l, STORE, 0, 1 - l % 2, 4, once);
    }
}

/* 3DS8: rows of 2n, planes of n rows; planes 4 .. n - 13 are written, from planes 8 on one more is read each time. */
static uint32_t in_planes(uint64_t element, uint64_t size, uint64_t from, uint64_t to)
{
    const uint64_t plane = element / (2 * size * size);

    return plane >= from && plane < to;
}

static uint32_t written(uint64_t element, uint64_t size)
{
    return in_planes(element, size, 4, size - 12);
}

static uint32_t ahead(uint64_t element, uint64_t size)
{
    return in_planes(element, size, 8, size - 8);
}

static uint32_t above(uint64_t element, uint64_t size)
{
    return written(element + 8 * 2 * size, size);
}

static uint32_t right_of_block(uint64_t element, uint64_t size)
{
    return element >= 32 && element % 32 < 8 && written(element - 32, size);
}

TEST(test_stencil_order8)
{
    check_touches("3DS8", 32, 0, STORE, 0, 1, 4, written);
    check_touches("3DS8", 32, 0, LOAD, 10, 0, 4, ahead);
    check_touches("3DS8", 32, 0, LOAD, 12, 0, 4, above);
    check_touches("3DS8", 32, 0, LOAD, 15, 0, 4, right_of_block);
}
