/* The longest interrupt around a decision, and the constants that say where decisions begin: code by hand. */
#include "unit/test.h"

#include "budget/profile/interrupt.h"
#include "memhelm/registers.h"
#include "code_by_hand.h"

enum { ENTRY = 4, JUMPS = 2 };
#define BLOCK              0x10001 /* upper half of the machine block's address */
#define BEGIN(reg, source) LUI(A5, BLOCK), LI(reg, source), SW(reg, A5, MH_MACHINE_BEGIN)
#define END(register)      LUI(A5, BLOCK), SW(A0, A5, MH_MACHINE_##register)

static struct by_hand h;
static uint64_t cycles[MH_SOURCES], counts[MH_SOURCES];

/* A new program, whose first function is this. */
#define BEGIN_CODE(...)                                                                                                \
    do {                                                                                                               \
        h = (struct by_hand){0};                                                                                       \
        CODE_ADD(&h, 0, __VA_ARGS__);                                                                                  \
    } while (0)

static void find(void)
{
    struct interrupt found[MH_SOURCES];
    interrupt_longest(found, &h.code, &h.p, CODE_AT, ENTRY);
    for (unsigned s = 0; s < MH_SOURCES; s++) {
        cycles[s] = found[s].cycles;
        counts[s] = found[s].count;
    }
}

/* Cycles of the longest interrupt of one source. */
static uint64_t longest(enum mh_source source)
{
    find();
    return cycles[source];
}

static void never(unsigned line)
{
    h.at[line] = (struct profile_at){.address = h.at[line].address + 1};
}

/* One decision in straight line: what lies between the two stores, 2 of 9 lines, is not in it. */
TEST(test_straight)
{
    BEGIN_CODE(JUMPS, NOP, BEGIN(A4, MH_SOURCE_EPOCH), NOP, END(DECISION), NOP, MRET);
    /* 4 lines up to BEGIN, then NOP and mret */
    assert_int_equal(longest(MH_SOURCE_EPOCH), ENTRY + 4 + 1 + 1 + JUMPS);
    assert_int_equal(cycles[MH_SOURCE_WALK_EPOCH], 0);
    assert_int_equal(cycles[MH_SOURCE_TENANT], 0);
    h.lines[3].cost[CORE_CYCLES].extra = 10;  /* the store to BEGIN */
    h.lines[5].cost[CORE_CYCLES].extra = 100; /* within */
    h.lines[0].cost[CORE_CYCLES].landing = 1;
    assert_int_equal(longest(MH_SOURCE_EPOCH), ENTRY + 1 + 4 + 10 + 1 + 1 + JUMPS);
    h.lines[2].insn.imm = 7; /* no source */
    assert_int_equal(longest(MH_SOURCE_EPOCH), 0);
}

/* Of two ways the longer, if the run took it; one that ends nowhere is none. */
TEST(test_branches)
{
    BEGIN_CODE(JUMPS, BEGIN(A4, MH_SOURCE_EPOCH), END(DECISION), BRANCH(A0, 5), NOP, NOP, NOP, NOP, BRANCH(A0, 2), MRET,
               JUMP(0));
    assert_int_equal(longest(MH_SOURCE_EPOCH), ENTRY + 3 + 1 + 4 + 1 + 1 + JUMPS);
    h.at[5].taken = h.at[5].count; /* the branch always jumped */
    assert_int_equal(longest(MH_SOURCE_EPOCH), ENTRY + 3 + (1 + JUMPS) + 1 + 1 + JUMPS);
    h.at[10].taken = h.at[10].count; /* into the loop that does not end */
    assert_int_equal(longest(MH_SOURCE_EPOCH), 0);
}

/* A call, there and back, and one that the code computes. */
TEST(test_calls)
{
    BEGIN_CODE(JUMPS, CALL(4), AUIPC(RA, 0), JALR(RA, RA, 20), MRET);
    CODE_ADD(&h, 1, JUMPS, NOP, RET);
    CODE_ADD(&h, 2, JUMPS, BEGIN(A4, MH_SOURCE_WALK_EPOCH), END(WALK_DECISION), RET);
    /* call, NOP, return; auipc, call, three lines, return; mret */
    assert_int_equal(longest(MH_SOURCE_WALK_EPOCH),
                     ENTRY + (3 + 2 * JUMPS) + (1 + 1 + JUMPS + 3 + 1 + JUMPS) + 1 + JUMPS);
    h.lines[6].cost[CORE_CYCLES].landing = 5;
    assert_int_equal(longest(MH_SOURCE_WALK_EPOCH),
                     ENTRY + (3 + 2 * JUMPS) + (1 + 1 + JUMPS + 5 + 3 + 1 + JUMPS) + 1 + JUMPS);
    insn_decode(JALR(RA, A0, 0), &h.lines[4].insn); /* to an unknown target, on the way */
    h.lines[4].flags = CODE_JUMP | CODE_CALL;
    assert_int_equal(longest(MH_SOURCE_WALK_EPOCH), 0);
    insn_decode(NOP, &h.lines[4].insn);
    h.lines[4].flags = 0;
    insn_decode(JALR(RA, A0, 0), &h.lines[2].insn); /* .. or instead of it */
    assert_int_equal(longest(MH_SOURCE_WALK_EPOCH), 0);
}

/* Others come before a decision without their own cycles, and not behind it. */
TEST(test_two_sources)
{
    BEGIN_CODE(JUMPS, BRANCH(A0, 7), BEGIN(A4, MH_SOURCE_WALK_EPOCH), NOP, END(WALK_DECISION), BRANCH(A0, 7),
               BEGIN(A4, MH_SOURCE_EPOCH), NOP, END(DECISION), NOP, MRET);
    /* line 0, BEGIN; line 7 jumps to NOP (14) and mret */
    assert_int_equal(longest(MH_SOURCE_WALK_EPOCH), ENTRY + 1 + 3 + (1 + JUMPS) + 1 + 1 + JUMPS);
    /* both: line 0, three lines, line 7, three lines, NOP, mret */
    assert_int_equal(cycles[MH_SOURCE_EPOCH], ENTRY + 1 + 3 + 1 + 3 + 1 + 1 + JUMPS);
    never(1); /* no walk epoch in this run */
    h.at[0].taken = h.at[0].count;
    assert_int_equal(longest(MH_SOURCE_WALK_EPOCH), 0);
    assert_int_equal(cycles[MH_SOURCE_EPOCH], ENTRY + (1 + JUMPS) + 1 + 3 + 1 + 1 + JUMPS);
}

static void ran(unsigned first, unsigned last, uint64_t count, uint64_t taken)
{
    for (unsigned line = first; line <= last; line++) {
        h.at[line].count = count;
        h.at[line].taken = taken;
    }
}

/* How many interrupts can have ended with a source: as many as the rarest jump on the way, of the way with most. */
TEST(test_count)
{
    BEGIN_CODE(JUMPS, BRANCH(A0, 7), BEGIN(A4, MH_SOURCE_WALK_EPOCH), NOP, END(WALK_DECISION), BRANCH(A0, 7),
               BEGIN(A4, MH_SOURCE_EPOCH), NOP, END(DECISION), NOP, MRET);
    ran(0, 0, 10, 1); /* nine walk epochs */
    ran(1, 6, 9, 0);
    ran(7, 7, 10, 2); /* eight epochs */
    ran(8, 13, 8, 0);
    ran(14, 15, 10, 0);
    find();
    assert_int_equal(counts[MH_SOURCE_WALK_EPOCH], 2);
    assert_int_equal(counts[MH_SOURCE_EPOCH], 8); /* behind a walk epoch; by itself at most one */
    assert_int_equal(counts[MH_SOURCE_TENANT], 0);
    ran(7, 7, 10, 0); /* behind each walk epoch an epoch */
    ran(8, 13, 10, 0);
    find();
    assert_int_equal(counts[MH_SOURCE_WALK_EPOCH], 0);
    assert_int_equal(cycles[MH_SOURCE_WALK_EPOCH], 0);
    assert_int_equal(counts[MH_SOURCE_EPOCH], 9);
    ran(14, 15, 5, 0); /* five came back */
    find();
    assert_int_equal(counts[MH_SOURCE_EPOCH], 5);
}

/* In a function that is called: what is rarer there counts. */
TEST(test_count_of_callee)
{
    BEGIN_CODE(JUMPS, CALL(2), MRET);
    CODE_ADD(&h, 1, JUMPS, BRANCH(A0, 4), BEGIN(A4, MH_SOURCE_EPOCH), END(DECISION), RET);
    ran(0, 1, 30, 0);
    ran(2, 2, 30, 23); /* past BEGIN, to the store that ends a decision */
    ran(3, 5, 7, 0);
    ran(6, 8, 30, 0);
    find();
    assert_int_equal(counts[MH_SOURCE_EPOCH], 7);
    ran(0, 0, 3, 0); /* others call it more often */
    find();
    assert_int_equal(counts[MH_SOURCE_EPOCH], 3);
}

/* Where the stores are not found they can be anywhere: all decisions count. */
TEST(test_count_without_stores)
{
    BEGIN_CODE(JUMPS, BEGIN(A4, MH_SOURCE_EPOCH), END(DECISION), MRET);
    h.p.sources[MH_SOURCE_EPOCH].count = 2;
    h.p.sources[MH_SOURCE_TENANT].count = 6; /* nowhere */
    ran(5, 5, 1, 0);
    find();
    assert_int_equal(counts[MH_SOURCE_EPOCH], 1);
    assert_int_equal(counts[MH_SOURCE_TENANT], 6);
    h.p.sources[MH_SOURCE_EPOCH].count = 3; /* one of them elsewhere */
    find();
    assert_int_equal(counts[MH_SOURCE_EPOCH], 3);
    h.p.sources[MH_SOURCE_EPOCH].count = 2;
    h.lines[4].insn.imm = MH_MACHINE_WALK_DECISION; /* no end */
    find();
    assert_int_equal(counts[MH_SOURCE_EPOCH], 2);
    assert_int_equal(cycles[MH_SOURCE_EPOCH], 0);
}

/* A loop around decisions is passed for one; a loop without has no longest way. */
TEST(test_loops)
{
    BEGIN_CODE(JUMPS, NOP, BRANCH(A0, 7), BEGIN(A4, MH_SOURCE_TENANT), END(EVENT_DECISION), JUMP(-7), MRET);
    /* NOP, branch, BEGIN; jump, NOP, branch, mret */
    assert_int_equal(longest(MH_SOURCE_TENANT), ENTRY + 2 + 3 + (1 + JUMPS) + 1 + (1 + JUMPS) + 1 + JUMPS);
    BEGIN_CODE(JUMPS, BEGIN(A4, MH_SOURCE_TENANT), END(EVENT_DECISION), NOP, BRANCH(A0, -1), MRET);
    assert_int_equal(longest(MH_SOURCE_TENANT), 0);
    assert_int_equal(counts[MH_SOURCE_TENANT], 1);
    h.at[6].taken = 0; /* it was never gone back */
    assert_int_equal(longest(MH_SOURCE_TENANT), ENTRY + 3 + 1 + 1 + 1 + JUMPS);
}

/* Behind a decision for another the handler looks again: one lap counts, however many events there may be. */
TEST(test_look_between_events)
{
    BEGIN_CODE(JUMPS, NOP, BRANCH(A0, 13), BEGIN(A4, MH_SOURCE_TENANT), END(EVENT_DECISION), BRANCH(A0, 6),
               BEGIN(A4, MH_SOURCE_WALK_EPOCH), END(WALK_DECISION), JUMP(-12), MRET);
    /* NOP, branch, BEGIN of the event; branch, BEGIN; jump, branch, mret */
    assert_int_equal(longest(MH_SOURCE_WALK_EPOCH), ENTRY + 2 + 3 + 1 + 3 + (1 + JUMPS) + (1 + JUMPS) + (1 + JUMPS));
    /* the event by itself: NOP, branch, BEGIN; branch, jump, branch, mret */
    assert_int_equal(cycles[MH_SOURCE_TENANT], ENTRY + 2 + 3 + 4 * (1 + JUMPS));
}

/* Decisions for others may be those of a function that is called on the way. */
TEST(test_callee_for_another)
{
    BEGIN_CODE(JUMPS, CALL(8), BEGIN(A4, MH_SOURCE_EPOCH), NOP, END(DECISION), MRET);
    CODE_ADD(&h, 1, JUMPS, BEGIN(A4, MH_SOURCE_WALK_EPOCH), NOP, END(WALK_DECISION), NOP, RET);
    /* call, BEGIN of the other, NOP and return; BEGIN; mret */
    assert_int_equal(longest(MH_SOURCE_EPOCH), ENTRY + (1 + JUMPS) + 3 + 1 + (1 + JUMPS) + 3 + 1 + JUMPS);
}

/* An interrupt returns to what stands behind wfi. */
TEST(test_landing)
{
    BEGIN_CODE(JUMPS, BEGIN(A4, MH_SOURCE_EPOCH), END(DECISION), MRET);
    CODE_ADD(&h, 1, JUMPS, NOP, JUMP(-1));
    h.lines[6].flags = CODE_WFI;
    h.lines[7].cost[CORE_CYCLES].landing = 9;
    assert_int_equal(longest(MH_SOURCE_EPOCH), ENTRY + 3 + 1 + JUMPS + 9);
}

static unsigned found;

/* The address of the store or jump of line `line`; 0: not known. */
static uint32_t address_of(unsigned line, uint32_t *value)
{
    struct constant_use *list;
    uint32_t address = 0;
    constants_find(&h.code, &h.p, 0, h.code.count, &list, &found);
    for (unsigned i = 0; i < found; i++)
        if (list[i].line == line) {
            address = list[i].address;
            *value = list[i].known ? list[i].value : 0xdead;
        }
    free(list);
    return address;
}

TEST(test_constants)
{
    uint32_t value = 0;

    BEGIN_CODE(0, LUI(S0, 5), ADDI(S1, S0, 8), LI(A4, 3), CALL(9), SW(A4, S1, 4), SW(X0, A4, 0), JALR(0, S0, 0));
    assert_int_equal(address_of(4, &value), 0x500c);
    assert_int_equal(value, 0xdead); /* a call changes a4 and not s1 */
    assert_int_equal(address_of(5, &value), 0);
    assert_int_equal(address_of(6, &value), 0x5000);
    h.lines[4].insn.rs2 = 0;
    (void)address_of(4, &value);
    assert_int_equal(value, 0);
    /* Two ways that agree, and two that do not. */
    BEGIN_CODE(0, LUI(S0, 5), LI(A4, 1), BRANCH(A0, 2), LI(A4, 2), SW(A4, S0, 0), RET);
    assert_int_equal(address_of(4, &value), 0x5000);
    assert_int_equal(value, 0xdead);
    never(3);
    assert_int_equal(address_of(4, &value), 0x5000);
    assert_int_equal(value, 1);
}

/* --- Cycles of an interrupt outside its decisions, of trees by hand. */

/* The one mret, at 0x100010. */
static struct code_line lines[] = {
    {.address = 0x100000, .function = 0},
    {.address = 0x100010, .function = 0, .flags = CODE_MRET, .insn = {.cls = INSN_MRET, .size = 4}},
};
static const struct code code = {lines, 2};

/* Function n is at 0x1000 * n; of these a hook is known. */
static struct function functions_by_hand[] = {{"f0", 0, 16},      {"f1", 0x1000, 16}, {"f2", 0x2000, 16},
                                              {"f3", 0x3000, 16}, {"f4", 0x4000, 16}, {"f5", 0x5000, 16}};
static const struct functions functions = {functions_by_hand, 6};
static struct hooks hooks = {.list = {{.policy = "p", .kind = "on_epoch", .address = 0x3000}}};

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
    return trap_cycles(&p, &(const struct image_code){&code, &functions, &hooks});
}

/* trap -> handler, which decides by itself and in a policy: 4 interrupts, 4 returns. */
TEST(test_handler)
{
    struct profile_node nodes[] = {
        {.function = -1},
        {.parent = 0, .function = 0, .calls = 4, .cycles = 400},
        {.parent = 1, .function = 1, .calls = 4, .cycles = 300, .decided = 100},
        {.parent = 2, .function = 2, .calls = 4, .cycles = 40},                  /* reads what is pending */
        {.parent = 2, .function = 3, .calls = 3, .cycles = 900, .decided = 900}, /* the policy */
        {.parent = 4, .function = 4, .calls = 4, .cycles = 80},                  /* its callee in short decisions */
        {.parent = 2, .function = 5, .calls = 1, .cycles = 5000},                /* what ends the run */
        {.parent = 0, .function = 6, .calls = 1, .cycles = 7000},                /* boot */
        {.parent = 7, .function = 2, .calls = 4, .cycles = 11},
    };

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

/* What a hook calls in one decision of four, and not in the longest, is of that decision all the same. */
TEST(test_seldom_in_a_hook)
{
    struct profile_node nodes[] = {
        {.function = -1},
        {.parent = 0, .function = 0, .calls = 4, .cycles = 400},
        {.parent = 1, .function = 1, .calls = 4, .cycles = 300, .decided = 100},
        {.parent = 2, .function = 3, .calls = 4, .cycles = 900, .decided = 900}, /* the hook */
        {.parent = 3, .function = 4, .calls = 1, .cycles = 600},
    };

    decided[0].count = 4;
    decided[0].cycles = 100 + 900 + 600;
    decided[1].count = 0;
    hooks.count = 1;
    assert_int_equal(cycles_of(nodes, COUNT(nodes), 4), 600 / 4);
    hooks.count = 0;
    assert_int_equal(cycles_of(nodes, COUNT(nodes), 4), 0); /* 1300 of what took 1600 */
}

/* Two sources in functions of their own, one of which does something before or behind its decision. */
TEST(test_two_sources_trap)
{
    struct profile_node nodes[] = {
        {.function = -1},
        {.parent = 0, .function = 0, .calls = 2, .cycles = 100},
        {.parent = 1, .function = 1, .calls = 2, .cycles = 50},
        {.parent = 2, .function = 2, .calls = 1, .cycles = 70, .decided = 60},
        {.parent = 2, .function = 3, .calls = 1, .cycles = 90, .decided = 90},
    };

    decided[0].count = decided[1].count = 1;
    decided[0].cycles = 60;
    decided[1].cycles = 90;
    assert_int_equal(cycles_of(nodes, COUNT(nodes), 2), (100 + 50 + 10) / 2);
}

TEST(test_none)
{
    struct profile_node nodes[] = {{.function = -1}, {.parent = 0, .function = 0, .calls = 1, .cycles = 100}};

    assert_int_equal(cycles_of(nodes, COUNT(nodes), 1), 0); /* no decision */
    nodes[1].decided = 40;
    decided[0].count = 1;
    decided[0].cycles = 40;
    decided[1].count = 0;
    assert_int_equal(cycles_of(nodes, COUNT(nodes), 0), 0); /* no interrupt came back */
    assert_int_equal(cycles_of(nodes, COUNT(nodes), 1), 60);
}
