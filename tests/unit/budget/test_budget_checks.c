/* The compiler's checks of divisions: how many, how long, and for whom they ran. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "budget/checks.h"

#define CHECK(at, bytes, offset, owner, more, jump)                                                                    \
    {                                                                                                                  \
        .address = at, .function = owner, .flags = CODE_BRANCH | CODE_CHECK,                                           \
        .insn = {.cls = INSN_BRANCH, .size = bytes, .imm = offset}, .cost[CORE_CYCLES] = {                             \
            .extra = more,                                                                                             \
            .taken = jump                                                                                              \
        }                                                                                                              \
    }
#define LINE(at, bytes, class, owner, land)                                                                            \
    {                                                                                                                  \
        .address = at, .function = owner, .insn = {.cls = class, .size = bytes}, .cost[CORE_CYCLES] = {                \
            .landing = land                                                                                            \
        }                                                                                                              \
    }

/*
 * Function 0: two checks that go to one ebreak; function 1: one around its own, which lands on an odd half word;
 * function 2: a branch that is no check.
 */
static struct code_line lines[] = {
    CHECK(0x100, 2, 8, 0, 0, 2),
    CHECK(0x102, 4, 6, 0, 1, 2),
    LINE(0x106, 2, INSN_DIV, 0, 0),
    LINE(0x108, 2, INSN_EBREAK, 0, 0),
    CHECK(0x10a, 4, 8, 1, 0, 2),
    LINE(0x10e, 4, INSN_EBREAK, 1, 0),
    LINE(0x112, 4, INSN_DIV, 1, 1),
    {.address = 0x116, .function = 2, .flags = CODE_BRANCH, .insn = {.cls = INSN_BRANCH, .size = 2, .imm = -2}},
};
static const struct code code = {lines, sizeof lines / sizeof *lines};
static struct function list[] = {{"share", 0x100, 10}, {"owner", 0x10a, 12}, {"hook", 0x116, 2}, {"init", 0x200, 2}};
static const struct functions functions = {list, 4};
static const struct hooks hooks = {
    .count = 3, .list = {{"p", "on_epoch", 8, 0x116}, {"p", "init", 4, 0x200}, {"q", "init", 4, 0x200}}};

static struct profile_at at[] = {
    {0x100, 10, 0, 0, 0}, {0x102, 10, 0, 0, 0}, {0x10a, 4, 4, 0, 0}, {0x116, 50, 20, 0, 0}};

/* owner is called by the epoch's hook and by init, share by the epoch's alone. */
static struct profile_node nodes[] = {
    {.function = -1},
    {.parent = 0, .function = 2, .calls = 1},
    {.parent = 1, .function = 0, .calls = 9},
    {.parent = 1, .function = 1, .calls = 1},
    {.parent = 0, .function = 3, .calls = 1},
    {.parent = 4, .function = 1, .calls = 1},
};

static void test_bytes(void **state)
{
    (void)state;
    struct checks c = checks_of(&code);
    assert_int_equal(c.sites, 3);
    assert_int_equal(c.bytes, 2 + 4 + 2 + 4 + 4);
    assert_int_equal(checks_of(&(struct code){lines + 7, 1}).sites, 0);
}

static void test_cycles(void **state)
{
    (void)state;
    const struct profile p = {.nodes = nodes, .node_count = 6, .at = at, .at_count = 4};
    struct checks_run r = checks_executed(&code, &p, &functions, &hooks);
    /* 10 x 1 and 10 x 2, not taken; 4 taken: 1 + 2 and 1 for the odd half word */
    assert_int_equal(r.all.instructions, 24);
    assert_int_equal(r.all.cycles, 10 + 20 + 4 * 4);
    assert_int_equal(r.sources[MH_SOURCE_EPOCH].instructions, 20);
    assert_int_equal(r.sources[MH_SOURCE_EPOCH].cycles, 30);
    assert_int_equal(r.sources[MH_SOURCE_WALK_EPOCH].instructions, 0);
}

/* Without init, owner is the epoch's, too; one function for two sources is nobody's. */
static void test_owners(void **state)
{
    (void)state;
    const struct profile p = {.nodes = nodes, .node_count = 4, .at = at, .at_count = 4};
    struct hooks two = hooks;
    assert_int_equal(checks_executed(&code, &p, &functions, &hooks).sources[MH_SOURCE_EPOCH].instructions, 24);
    two.list[1] = (struct hook){"p", "on_event", 20, 0x116};
    assert_int_equal(checks_executed(&code, &p, &functions, &two).sources[MH_SOURCE_EPOCH].instructions, 0);
    assert_int_equal(checks_executed(&code, &p, &functions, &two).sources[MH_SOURCE_TENANT].instructions, 0);
    assert_int_equal(checks_executed(&code, &p, &functions, &two).all.instructions, 24);
}

int test_budget_checks(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_owners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
