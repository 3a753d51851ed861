/* Graphs as input data, and how a variant of a kernel is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "unit/workload_walk.h"
#include "workload/graph.h"
#include "workload/op_stats.h"

enum { SEED = 3 };

/* 10 vertices in rows of 3: the last row has one. */
static void test_grid(void **state)
{
    static const uint32_t degree[10] = {2, 3, 2, 3, 4, 3, 3, 3, 2, 1}, middle[] = {1, 3, 5, 7};
    struct mh_graph *g = mh_graph_mesh(10, NULL);

    (void)state;
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
static void test_uniform(void **state)
{
    enum { N = 60000 };
    struct mh_graph *g = mh_graph_uniform(N, SEED, NULL), *other = mh_graph_uniform(N, SEED + 1, NULL);
    uint64_t far = 0;
    uint32_t least = UINT32_MAX;

    (void)state;
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
static void test_powerlaw(void **state)
{
    enum { N = 1 << 14, ENDS = 2 * 1100000 / 16 };
    struct mh_graph *flat = mh_graph_rmat(N, SEED, NULL), *steep = mh_graph_powerlaw(N, SEED, NULL);

    (void)state;
    assert_true(flat && steep && flat->edges < ENDS && steep->edges < flat->edges);
    assert_true(flat->max_degree > 0.0037 * ENDS * 0.5 && flat->max_degree < 0.0037 * ENDS * 1.1);
    assert_true(steep->max_degree > 2 * flat->max_degree && steep->max_degree < 0.0215 * ENDS * 1.1);
    assert_true(lonely(steep) > lonely(flat));
    free(flat);
    free(steep);
}

/* Star 0, 1, 4 around 2, which is its own neighbour, and 3 alone: each line of its file counts both ways, and vertex 3
 * has no row. */
static void test_read_undirected(void **state)
{
    static const struct mh_arc arcs[] = {{0, 2}, {1, 2}, {2, 0}, {2, 1}, {2, 2}, {2, 4}, {4, 2}};
    static const uint32_t rows[6] = {0, 2, 4, 10, 12, 12}, cols[12] = {2, 2, 2, 2, 0, 1, 0, 1, 4, 4, 2, 2};
    struct mh_graph *g = mh_graph_read_undirected(mh_graph_build(5, arcs, 7));

    (void)state;
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

    (void)at;
    for (uint64_t m = op->pc == 6 ? op->mask : 0; m; m &= m - 1)
        s->times[(mh_op_address(op, addr, (unsigned)__builtin_ctzll(m)) - s->base) / 4]++;
}

/* A search from the first vertex with four neighbours, (1, 1), comes to every edge once; the far corner is 38 + 38
 * away. */
static void test_grid_search(void **state)
{
    struct mh_workload *w = mh_workload_create("BFS@mesh", 1600, SEED, 32, NULL);
    static struct looks s;

    (void)state;
    assert_non_null(w);
    s.base = w->buffers[1].base;
    walk_all(w, 32, look, &s);
    for (size_t e = 0; e < sizeof s.times / sizeof *s.times; e++)
        assert_int_equal(s.times[e], 1);
    assert_int_equal(w->launch_count, 2 * (38 + 38 + 1));
    w->destroy(w);
}

/* ---- names ---- */

static void rejects(const char *spec, uint64_t size, const char *text)
{
    struct mh_error err = {{0}};

    assert_null(mh_workload_create(spec, size, 1, 32, &err));
    if (!strstr(err.text, text))
        fail_msg("'%s' does not say '%s'", err.text, text);
}

static void test_names(void **state)
{
    const struct mh_kernel *bfs = mh_kernel_find("bfs2@MESH");

    (void)state;
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

int test_workload_graphs(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid),    cmocka_unit_test(test_read_undirected), cmocka_unit_test(test_powerlaw),
        cmocka_unit_test(test_uniform), cmocka_unit_test(test_grid_search),     cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
