/* What an interrupt takes beside its decisions, of trees by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "budget/profile/trap.h"

/* The one mret, at 0x100010. */
static struct code_line lines[] = {
    {.address = 0x100000, .function = 0},
    {.address = 0x100010, .function = 0, .flags = CODE_MRET, .insn = {.cls = INSN_MRET, .size = 4}},
};
static const struct code code = {lines, 2};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Of epochs and of walk epochs: how many, and what they took together. */
static struct {
    unsigned count;
    double cycles;
} decided[2];

static struct series series_of(unsigned n)
{
    return (struct series){.count = decided[n].count, .cycles.mean = decided[n].cycles / decided[n].count};
}

static uint64_t cycles_of(struct profile_node *nodes, unsigned count, uint64_t returns)
{
    struct profile_at at[] = {{.address = 0x100000, .count = 77}, {.address = 0x100010, .count = returns}};
    const struct profile p = {.nodes = nodes,
                              .node_count = count,
                              .at = at,
                              .at_count = COUNT(at),
                              .sources = {[MH_SOURCE_EPOCH] = series_of(0), [MH_SOURCE_WALK_EPOCH] = series_of(1)}};
    return trap_cycles(&p, &code);
}

/* trap -> handler, which decides by itself and in a policy: 4 interrupts, 4 returns. */
static void test_handler(void **state)
{
    struct profile_node nodes[] = {
        {.function = -1},
        {.parent = 0, .function = 0, .calls = 4, .cycles = 400},
        {.parent = 1, .function = 1, .calls = 4, .cycles = 300, .decided = 100},
        {.parent = 2, .function = 2, .calls = 4, .cycles = 40},                  /* reads what is pending */
        {.parent = 2, .function = 3, .calls = 3, .cycles = 900, .decided = 900}, /* the policy */
        {.parent = 4, .function = 4, .calls = 4, .cycles = 80},                  /* whom it calls in short decisions */
        {.parent = 2, .function = 5, .calls = 1, .cycles = 5000},                /* what ends the run */
        {.parent = 0, .function = 6, .calls = 1, .cycles = 7000},                /* boot */
        {.parent = 7, .function = 2, .calls = 4, .cycles = 11},
    };
    (void)state;
    decided[0].count = 4;
    decided[0].cycles = 100 + 900 + 80;
    decided[1].count = 0;
    assert_int_equal(cycles_of(nodes, COUNT(nodes), 4), 400 / 4 + (300 - 100) / 4 + 40 / 4);
    nodes[1].cycles = 401; /* rounded up */
    assert_int_equal(cycles_of(nodes, COUNT(nodes), 4), 161);
    nodes[1].cycles = 400;
    /* One did not come back: 640 in 3.5. */
    assert_int_equal(cycles_of(nodes, COUNT(nodes), 3), 183);
    /* A function that decides elsewhere, in one interrupt of four: it counts, and its decision does not. */
    nodes[6].function = 3;
    decided[0].cycles += 4960;
    assert_int_equal(cycles_of(nodes, COUNT(nodes), 4), 160 + 40 / 4);
    decided[0].cycles = 1e6; /* more than was spent: nothing is left, not less */
    assert_int_equal(cycles_of(nodes, COUNT(nodes), 4), 0);
}

/* Two sources in functions of their own, one of which does something before or behind its decision. */
static void test_two_sources(void **state)
{
    struct profile_node nodes[] = {
        {.function = -1},
        {.parent = 0, .function = 0, .calls = 2, .cycles = 100},
        {.parent = 1, .function = 1, .calls = 2, .cycles = 50},
        {.parent = 2, .function = 2, .calls = 1, .cycles = 70, .decided = 60},
        {.parent = 2, .function = 3, .calls = 1, .cycles = 90, .decided = 90},
    };
    (void)state;
    decided[0].count = decided[1].count = 1;
    decided[0].cycles = 60;
    decided[1].cycles = 90;
    assert_int_equal(cycles_of(nodes, COUNT(nodes), 2), (100 + 50 + 10) / 2);
}

static void test_none(void **state)
{
    struct profile_node nodes[] = {{.function = -1}, {.parent = 0, .function = 0, .calls = 1, .cycles = 100}};
    (void)state;
    assert_int_equal(cycles_of(nodes, COUNT(nodes), 1), 0); /* nobody decided */
    nodes[1].decided = 40;
    decided[0].count = 1;
    decided[0].cycles = 40;
    decided[1].count = 0;
    assert_int_equal(cycles_of(nodes, COUNT(nodes), 0), 0); /* no interrupt came back */
    assert_int_equal(cycles_of(nodes, COUNT(nodes), 1), 60);
}

int test_budget_trap(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_handler),
        cmocka_unit_test(test_two_sources),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
