/* Loops of graphs that are drawn here: block -> blocks that follow it. Blocks are in reverse post-order. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "record/loops.h"

/* edges[b]: up to three followers, 0 ends (nothing leads to the entry). */
static void find(struct loops *l, uint32_t blocks, const uint32_t edges[][3])
{
    uint32_t first[17], edge[48], count = 0;

    for (uint32_t b = 0; b < blocks; b++) {
        first[b] = count;
        for (int i = 0; i < 3 && edges[b][i]; i++)
            edge[count++] = edges[b][i];
    }
    first[blocks] = count;
    assert_true(loops_find(l, &(struct loop_graph){blocks, first, edge}));
}

static void test_none(void **state)
{
    static const uint32_t edges[][3] = {{1, 2}, {3}, {3}, {0}};
    struct loops l;

    (void)state;
    find(&l, 4, edges);
    assert_int_equal(l.count, 0);
    for (int b = 0; b < 4; b++)
        assert_int_equal(l.innermost[b], LOOP_NONE);
    loops_free(&l);
}

static void test_block_of_its_own(void **state)
{
    static const uint32_t edges[][3] = {{1}, {1, 2}, {0}};
    struct loops l;

    (void)state;
    find(&l, 3, edges);
    assert_int_equal(l.count, 1);
    assert_int_equal(l.loop[0].header, 1);
    assert_int_equal(l.innermost[0], LOOP_NONE);
    assert_int_equal(l.innermost[1], 0);
    assert_int_equal(l.innermost[2], LOOP_NONE);
    loops_free(&l);
}

/* 1 { 2 { 3 } 4 } 5, with a `continue` of the outer one from 3. */
static void test_nested(void **state)
{
    static const uint32_t edges[][3] = {{1}, {2, 5}, {3, 4}, {2, 1}, {1}, {0}};
    struct loops l;

    (void)state;
    find(&l, 6, edges);
    assert_int_equal(l.count, 2);
    assert_int_equal(l.loop[0].header, 1);
    assert_int_equal(l.loop[0].parent, LOOP_NONE);
    assert_int_equal(l.loop[1].header, 2);
    assert_int_equal(l.loop[1].parent, 0);
    assert_int_equal(l.loop[1].depth, 2);
    assert_int_equal(l.innermost[3], 1);
    assert_int_equal(l.innermost[4], 0);
    assert_int_equal(l.innermost[5], LOOP_NONE);
    loops_free(&l);
}

/* Two ways back to one header are one loop. */
static void test_two_latches(void **state)
{
    static const uint32_t edges[][3] = {{1}, {2, 3, 4}, {1}, {1}, {0}};
    struct loops l;

    (void)state;
    find(&l, 5, edges);
    assert_int_equal(l.count, 1);
    assert_true(l.loop[0].has[2] && l.loop[0].has[3]);
    assert_false(l.loop[0].has[4] || l.loop[0].has[0]);
    loops_free(&l);
}

/* A circle that is entered in two places, 1 and 2: neither dominates the other. */
static void test_irreducible(void **state)
{
    static const uint32_t edges[][3] = {{1, 2}, {2}, {1, 3}, {0}};
    struct loops l;

    (void)state;
    find(&l, 4, edges);
    assert_int_equal(l.count, 0);
    loops_free(&l);
}

int test_record_loops(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_none), cmocka_unit_test(test_block_of_its_own),
                                       cmocka_unit_test(test_nested), cmocka_unit_test(test_two_latches),
                                       cmocka_unit_test(test_irreducible)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
