/* Folded stacks and callgrind's format, of a tree by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget/profile/flame.h"

/* trap -> irq -> {commit, policy -> commit}; and boot -> commit. Node 0 is the root. */
static struct profile_node nodes[] = {
    {0, -1, 0, 0, 0, 0, 0}, {0, 0, 3, 10, 20, 0, 0}, {1, 1, 3, 5, 9, 0, 0},   {2, 2, 3, 4, 6, 3, 0},
    {2, 3, 2, 7, 30, 1, 0}, {4, 2, 2, 2, 3, 2, 0},   {0, 4, 1, 50, 80, 0, 0}, {6, 2, 1, 1, 2, 1, 0},
};
static struct profile profile = {.nodes = nodes, .node_count = sizeof nodes / sizeof *nodes};

static const char *name(const void *ctx, unsigned function)
{
    static const char *const names[] = {"trap", "irq", "commit", "policy", "boot"};
    (void)ctx;
    return names[function];
}

static struct place place(const void *ctx, unsigned function)
{
    (void)ctx;
    return function == 2 ? (struct place){"gpu.c", 70} : (struct place){"fw.c", 10 * function};
}

/* The policy calls in what it has inlined; where trap calls irq nobody knows. */
static struct place call(const void *ctx, unsigned caller, unsigned callee)
{
    (void)ctx;
    if (caller == 3)
        return (struct place){"gpu.h", 5};
    return caller ? (struct place){"fw.c", 10 * caller + callee} : (struct place){0};
}

static const struct flame_names names = {name, place, call, NULL};

/* Of the policy, 10 cycles were inlined; boot has no lines. */
static struct line_cost lines_list[] = {
    {0, {"fw.c", 1}, {15, 9, 0}},   {0, {"fw.c", 2}, {5, 1, 0}},   {1, {"fw.c", 10}, {9, 5, 0}},
    {2, {"gpu.c", 71}, {11, 7, 6}}, {3, {"fw.c", 30}, {20, 6, 0}}, {3, {"gpu.h", 4}, {10, 1, 1}},
    {4, {0}, {80, 50, 0}},
};
static const struct line_costs line_costs = {.list = lines_list, .count = sizeof lines_list / sizeof *lines_list};

static void test_folded(void **state)
{
    char *text;
    size_t size;
    (void)state;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    flame_write_folded(&profile, &names, f);
    fclose(f);
    assert_string_equal(text, "trap 20\ntrap;irq 9\ntrap;irq;commit 6\ntrap;irq;policy 30\ntrap;irq;policy;commit 3\n"
                              "boot 80\nboot;commit 2\n");
    free(text);
}

static void test_callgrind(void **state)
{
    char *text;
    size_t size;
    (void)state;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    assert_int_equal(flame_write_callgrind(&profile, &line_costs, &names, f), 0);
    fclose(f);
    assert_string_equal(text, "# callgrind format\nversion: 1\ncreator: memhelm\npositions: line\n"
                              "events: Cycles Instructions Mmio\nsummary: 150 79 7\n"
                              "\nfl=fw.c\nfn=trap\n1 15 9 0\n2 5 1 0\n"
                              "cfi=fw.c\ncfn=irq\ncalls=3 10\n0 48 18 6\n"
                              "\nfl=fw.c\nfn=irq\n10 9 5 0\n"
                              "cfi=gpu.c\ncfn=commit\ncalls=3 70\n12 6 4 3\n"
                              "cfi=fw.c\ncfn=policy\ncalls=2 30\n13 33 9 3\n"
                              "\nfl=gpu.c\nfn=commit\n71 11 7 6\n"
                              "\nfl=fw.c\nfn=policy\n30 20 6 0\nfi=gpu.h\n4 10 1 1\n"
                              "cfi=gpu.c\ncfn=commit\ncalls=2 70\n5 3 2 2\n"
                              "\nfl=fw.c\nfn=boot\n0 80 50 0\n"
                              "cfi=gpu.c\ncfn=commit\ncalls=1 70\n42 2 1 1\n");
    free(text);
}

/* Back from what was inlined, the function's own file is named again. */
static void test_back(void **state)
{
    static struct line_cost list[] = {
        {3, {"a.h", 7}, {1, 1, 0}}, {3, {"b.h", 9}, {2, 2, 0}}, {3, {"fw.c", 30}, {3, 3, 0}}, {3, {0}, {4, 4, 0}}};
    const struct line_costs costs = {.list = list, .count = 4};
    char *text;
    size_t size;
    (void)state;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    assert_int_equal(flame_write_callgrind(&profile, &costs, &names, f), 0);
    fclose(f);
    assert_non_null(strstr(text, "fn=policy\nfi=a.h\n7 1 1 0\nfi=b.h\n9 2 2 0\nfe=fw.c\n30 3 3 0\n0 4 4 0\nfi=gpu.h\n"
                                 "cfi=gpu.c\n"));
    free(text);
}

int test_budget_flame(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folded),
        cmocka_unit_test(test_callgrind),
        cmocka_unit_test(test_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
