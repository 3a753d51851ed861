/* The deepest path through a call graph. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "budget/code/stack.h"

static struct stack_path path;
static struct mh_error err;

#define EDGES(...)                                                                                                     \
    .edges = (struct stack_edge[]){__VA_ARGS__},                                                                       \
    .count = sizeof((struct stack_edge[]){__VA_ARGS__}) / sizeof(struct stack_edge)

static const char *text(void)
{
    static char names[400];
    stack_path_text(&path, names, sizeof names);
    return names;
}

static void test_deepest(void **state)
{
    /* 80 + 16 + 100 is deeper than 80 + 40, though the first step is shorter */
    const struct stack_function g[] = {{.name = "root", .bytes = 80, EDGES({1, 80, 0}, {2, 80, 0}, {3, 80, 0})},
                                       {.name = "wide", .bytes = 40},
                                       {.name = "narrow", .bytes = 16, EDGES({4, 16, 0})},
                                       {.name = "twice", .bytes = 0, EDGES({4, 0, 0})},
                                       {.name = "leaf", .bytes = 100}};
    (void)state;
    assert_int_equal(stack_deepest(g, 5, 0, &path, &err), 0);
    assert_int_equal(path.bytes, 196);
    assert_string_equal(text(), "root 80, narrow 16, leaf 100");
}

/* A tail call has given the frame back; what was deeper before it counts all the same. */
static void test_tail_call(void **state)
{
    const struct stack_function g[] = {{.name = "root", .bytes = 48, EDGES({1, 0, 0})},
                                       {.name = "next", .bytes = 32},
                                       {.name = "long", .bytes = 8, EDGES({3, 0, 0})},
                                       {.name = "end", .bytes = 64}};
    (void)state;
    assert_int_equal(stack_deepest(g, 4, 0, &path, &err), 0);
    assert_int_equal(path.bytes, 48);
    assert_string_equal(text(), "root 48");
    assert_int_equal(stack_deepest(g, 4, 2, &path, &err), 0);
    assert_int_equal(path.bytes, 64);
    assert_string_equal(text(), "end 64");
}

static void refuse(const struct stack_function *g, unsigned count, const char *part)
{
    assert_int_equal(stack_deepest(g, count, 0, &path, &err), -1);
    if (!strstr(err.text, part))
        fail_msg("error is '%s', without '%s'", err.text, part);
}

static void test_recursion(void **state)
{
    const struct stack_function self[] = {{.name = "root", .bytes = 0, EDGES({1, 0, 0})},
                                          {.name = "deeper", .bytes = 16, EDGES({1, 16, 0})}};
    const struct stack_function circle[] = {{.name = "root", .bytes = 0, EDGES({1, 0, 0})},
                                            {.name = "a", .bytes = 16, EDGES({2, 16, 0})},
                                            {.name = "b", .bytes = 16, EDGES({3, 0, 0})},
                                            {.name = "c", .bytes = 16, EDGES({1, 16, 0})}};
    (void)state;
    refuse(self, 2, "deeper calls itself: deeper -> deeper;");
    refuse(circle, 4, "a calls itself: a -> b -> c -> a;");
}

/* Two ways to one function are no circle. */
static void test_diamond(void **state)
{
    const struct stack_function g[] = {{.name = "root", .bytes = 0, EDGES({1, 0, 0}, {2, 0, 0})},
                                       {.name = "a", .bytes = 16, EDGES({3, 16, 0})},
                                       {.name = "b", .bytes = 32, EDGES({3, 32, 0})},
                                       {.name = "c", .bytes = 8}};
    (void)state;
    assert_int_equal(stack_deepest(g, 4, 0, &path, &err), 0);
    assert_int_equal(path.bytes, 40);
}

static void test_problem(void **state)
{
    const struct stack_function g[] = {{.name = "root", .bytes = 0, EDGES({1, 0, 0})},
                                       {.name = "wild", .bytes = 0, .problem = "its frame is not known"},
                                       {.name = "unreached", .bytes = 0, .problem = "x"}};
    (void)state;
    refuse(g, 3, "wild, called by root: its frame is not known");
    assert_int_equal(stack_deepest(g + 2, 1, 0, &path, &err), -1);
    assert_string_equal(err.text, "unreached: x");
}

/* What nobody calls does no harm; a stack of its own is not its caller's. */
static void test_not_counted(void **state)
{
    const struct stack_function g[] = {{.name = "root", .bytes = 80, EDGES({1, 80, 0})},
                                       {.name = "fault", .bytes = 500, .switches = true},
                                       {.name = "unreached", .bytes = 9000, .problem = "x"}};
    (void)state;
    assert_int_equal(stack_deepest(g, 3, 0, &path, &err), 0);
    assert_int_equal(path.bytes, 80);
    assert_int_equal(stack_deepest(g, 3, 1, &path, &err), 0);
    assert_int_equal(path.bytes, 500);
}

/* More functions than a path has room for: the sum is whole. */
static void test_long_path(void **state)
{
    struct stack_function g[PATH_FUNCTIONS + 8];
    struct stack_edge edges[PATH_FUNCTIONS + 8];
    const unsigned n = PATH_FUNCTIONS + 8;
    (void)state;
    memset(g, 0, sizeof g);
    for (unsigned i = 0; i < n; i++) {
        edges[i] = (struct stack_edge){i + 1, 16, 0};
        g[i] = (struct stack_function){.name = "f", .bytes = 16, .edges = &edges[i], .count = i + 1 < n};
    }
    assert_int_equal(stack_deepest(g, n, 0, &path, &err), 0);
    assert_int_equal(path.bytes, 16 * n);
    assert_int_equal(path.count, PATH_FUNCTIONS);
}

int test_budget_stack(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deepest),   cmocka_unit_test(test_tail_call), cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_diamond),   cmocka_unit_test(test_problem),   cmocka_unit_test(test_not_counted),
        cmocka_unit_test(test_long_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
