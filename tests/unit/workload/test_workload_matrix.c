/* The matrices of SPMV: who is coupled to whom, under which numbers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "workload/matrix.h"

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
static void test_by_hand(void **state)
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

    (void)state;
    assert_true(g && g->vertices == 25 && g->edges == 17 * 17);
    check_form(g);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(mh_graph_degree(g, rows[i].row), rows[i].count);
        assert_memory_equal(g->col + g->row[rows[i].row], rows[i].columns, rows[i].count * sizeof(uint32_t));
    }
    free(g);
}

/* 127 x 127 corners inside, two nodes on each of 2 x 127 x 128 sides, four in each of 128 x 128 elements. */
static void test_dubcova3(void **state)
{
    enum { CORNERS = 127 * 127, SIDES = 2 * 2 * 127 * 128, INSIDES = 4 * 128 * 128 };
    struct mh_graph *g = mh_matrix_mesh(383);
    uint32_t full[3] = {0, 0, 0};

    (void)state;
    assert_true(g && g->vertices == 146689 && g->edges == 1907 * 1907 && g->max_degree == 49);
    assert_int_equal(CORNERS + SIDES, 81153);
    for (uint32_t r = 0; r < g->vertices; r++) {
        const uint32_t kind = r < CORNERS ? 0 : r < CORNERS + SIDES ? 1 : 2;

        assert_true(mh_graph_degree(g, r) <= (kind == 0 ? 49u : kind == 1 ? 28u : 16u));
        full[kind] += mh_graph_degree(g, r) == (kind == 0 ? 49u : kind == 1 ? 28u : 16u);
    }
    /* But for those in, or beside, an element at the rim. */
    assert_true(full[0] == 125 * 125 && full[1] == 2 * 2 * 125 * 126 && full[2] == 4 * 126 * 126);
    free(g);
}

/* Elements that are cut off. */
static void test_other_sizes(void **state)
{
    (void)state;
    for (uint32_t n = 3; n < 20; n++) {
        struct mh_graph *g = mh_matrix_mesh(n);

        assert_true(g && g->vertices == n * n);
        check_form(g);
        free(g);
    }
}

static void test_random(void **state)
{
    enum { N = 40 };
    struct mh_graph *g = mh_matrix_random(N, 1), *again = mh_matrix_random(N, 1), *other = mh_matrix_random(N, 2);

    (void)state;
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

int test_workload_matrix(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_dubcova3),
        cmocka_unit_test(test_other_sizes),
        cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
