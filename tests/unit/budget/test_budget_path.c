/* The path of the longest decision: order, cycles, and calls as far as what was recorded says how many. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "budget/profile/path.h"
#include "code_by_hand.h"

static struct by_hand h;
static struct functions functions;
static struct function function[8];
static struct hooks hooks;

/* trap, handler, hook, leaf, branchy */
enum { TRAP, HANDLER, HOOK, LEAF, BRANCHY, FUNCTIONS };

static void begin(void)
{
    h = (struct by_hand){0};
    hooks = (struct hooks){.count = 1};
    functions = (struct functions){function, FUNCTIONS};
}

static void add(unsigned number, uint32_t first_line)
{
    function[number] = (struct function){.name = "f", .address = CODE_AT + 4 * first_line};
    if (number == HOOK)
        hooks.list[0].address = function[number].address;
}

static struct path path_now(const struct series *s)
{
    struct path path;
    assert_int_equal(path_of(&path, &h.p, s, &h.code, &functions, &hooks), 0);
    return path;
}

static void is(const struct path_step *step, unsigned depth, unsigned f, uint64_t cycles, uint64_t own)
{
    assert_int_equal(step->depth, depth);
    assert_int_equal(step->function, f);
    assert_int_equal(step->cycles, cycles);
    assert_int_equal(step->own, own);
}

/* Handler: calls the hook through a pointer. Hook: the leaf in a loop, the branchy one once. */
static void two_decisions(void)
{
    begin();
    add(TRAP, 0);
    CODE_ADD(&h, TRAP, 0, CALL(2), MRET);
    add(HANDLER, 2);
    CODE_ADD(&h, HANDLER, 0, JALR(RA, A5, 0), RET);
    add(HOOK, 4);
    CODE_ADD(&h, HOOK, 0, CALL(4), BRANCH(A0, -1), CALL(5), RET);
    add(LEAF, 8);
    CODE_ADD(&h, LEAF, 0, NOP, NOP, RET);
    add(BRANCHY, 11);
    CODE_ADD(&h, BRANCHY, 0, BRANCH(A0, 3), NOP, NOP, RET);
}

static struct profile_node nodes[] = {
    {.function = -1},
    {.parent = 0, .function = TRAP, .calls = 3, .instructions = 6, .cycles = 60},
    {.parent = 1, .function = HANDLER, .calls = 3, .instructions = 30, .cycles = 40},
    {.parent = 2, .function = HOOK, .calls = 2, .instructions = 24, .cycles = 50},
    {.parent = 3, .function = BRANCHY, .calls = 2, .instructions = 6, .cycles = 12},
    {.parent = 3, .function = LEAF, .calls = 9, .instructions = 27, .cycles = 45},
};

/* In the order in which they were first left: the leaf is a later node and was called first. */
static struct part parts[] = {{2, 10, 15}, {3, 14, 30}, {5, 18, 30}, {4, 4, 8}};

static void test_path(void **state)
{
    const struct series s = {.parts = parts, .part_count = 4};
    (void)state;
    two_decisions();
    h.p.nodes = nodes;
    h.p.node_count = 6;
    struct path path = path_now(&s);
    assert_int_equal(path.count, 4);
    is(&path.steps[0], 0, HANDLER, 83, 15); /* the trap did nothing for the decision */
    assert_int_equal(path.steps[0].kind, PATH_BEGINS);
    is(&path.steps[1], 1, HOOK, 68, 30);
    assert_int_equal(path.steps[1].kind, PATH_EXACT);
    assert_true(path.steps[1].calls == 1);
    is(&path.steps[2], 2, LEAF, 30, 30);
    assert_int_equal(path.steps[2].kind, PATH_EXACT); /* 18 instructions of 3 each; 27 - 18 are three more */
    assert_true(path.steps[2].calls == 6);
    is(&path.steps[3], 2, BRANCHY, 8, 8);
    assert_int_equal(path.steps[3].kind, PATH_EXACT); /* of 2 to 4 instructions, but called in one place */
    assert_true(path.steps[3].calls == 1);
    free(path.steps);
}

/* The same in a loop, with ways of two lengths: only a mean is known. */
static void test_mean(void **state)
{
    struct part longest[4];
    struct series s = {.parts = longest, .part_count = 4};
    struct profile_node changed[6];
    (void)state;
    two_decisions();
    memcpy(changed, nodes, sizeof nodes);
    memcpy(longest, parts, sizeof parts);
    h.p.nodes = changed;
    h.p.node_count = 6;
    insn_decode(JUMP(-2), &h.lines[7].insn); /* back to the loop */
    h.lines[7].flags = CODE_JUMP;
    changed[4].calls = 5;
    changed[4].instructions = 14;
    longest[3].instructions = 8;
    struct path path = path_now(&s);
    assert_int_equal(path.steps[3].kind, PATH_MEAN);
    assert_true(path.steps[3].calls == 2.5);
    free(path.steps);
    /* The run never took the short way: four instructions each, so it is two. */
    changed[4].instructions = 20;
    h.at[11].taken = 0;
    path = path_now(&s);
    assert_int_equal(path.steps[3].kind, PATH_EXACT);
    assert_true(path.steps[3].calls == 2);
    free(path.steps);
    h.at[11].taken = 1;
    /* Without a hook above it nothing is known. */
    hooks.count = 0;
    path = path_now(&s);
    assert_int_equal(path.steps[3].kind, PATH_UNKNOWN);
    free(path.steps);
}

static void test_shortest(void **state)
{
    (void)state;
    two_decisions();
    assert_int_equal(path_shortest(&h.p, &h.code, function[LEAF].address), 3);
    assert_int_equal(path_shortest(&h.p, &h.code, function[BRANCHY].address), 2);
    h.at[11].taken = 0;
    assert_int_equal(path_shortest(&h.p, &h.code, function[BRANCHY].address), 4);
    assert_int_equal(path_shortest(&h.p, &h.code, function[HOOK].address), 4);
    assert_int_equal(path_shortest(&h.p, &h.code, CODE_AT - 4), 0);
    insn_decode(JUMP(0), &h.lines[10].insn); /* never returns */
    h.lines[10].flags = CODE_JUMP;
    assert_int_equal(path_shortest(&h.p, &h.code, function[LEAF].address), 0);
}

static void test_nothing(void **state)
{
    const struct series s = {.parts = NULL};
    (void)state;
    two_decisions();
    h.p.nodes = nodes;
    h.p.node_count = 6;
    struct path path = path_now(&s);
    assert_int_equal(path.count, 0);
    free(path.steps);
}

int test_budget_path(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_mean),
        cmocka_unit_test(test_shortest),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
