/* The linker's map, stacks and paths, of code by hand. */
#include "unit/test.h"

#include "budget/code/build_files.h"
#include "budget/code/program.h"
#include "budget/profile/line_costs.h"
#include "code_by_hand.h"

static unsigned owners_of(const char *text, struct owner owners[OWNERS])
{
    struct map_file m;
    struct mh_error err;
    assert_int_equal(map_parse(&m, "toy.map", strdup(text), &err), 0);
    unsigned count = map_owners(&m, owners);
    map_free(&m);
    return count;
}

/* Two texts of the policy are equal to one of the image: the linker keeps one, and says the size of all three. */
TEST(test_merged_texts)
{
    struct owner owners[OWNERS];
    assert_int_equal(owners_of("\nLinker script and memory map\n\n"
                               ".rodata         0x00000100       0x20\n"
                               " .rodata.str1.4\n"
                               "                0x00000100        0x4 build/firmware/obj/image/toy.c.o\n"
                               " .rodata.image  0x00000104       0x10 build/firmware/obj/image/toy.c.o\n"
                               " .rodata.str1.4\n"
                               "                0x00000114        0x4 build/firmware/policies.a(toy.c.o)\n"
                               " .rodata.policy 0x00000114        0xc build/firmware/policies.a(toy.c.o)\n"
                               " .rodata.str1.4\n"
                               "                0x00000120        0x4 build/firmware/policies.a(toy.c.o)\n\n"
                               ".data           0x00000200        0x8\n"
                               " .data.state    0x00000200        0x8 build/firmware/policies.a(toy.c.o)\n",
                               owners),
                     2);
    assert_string_equal(owners[0].name, "image");
    assert_int_equal(owners[0].bytes[MAP_RODATA], 0x14);
    assert_string_equal(owners[1].name, "toy");
    assert_int_equal(owners[1].bytes[MAP_RODATA], 0xc);
    assert_int_equal(owners[1].bytes[MAP_DATA], 0x8);
}

TEST(test_no_map)
{
    struct map_file m;
    struct mh_error err;
    assert_int_equal(map_parse(&m, "toy.map", strdup("a text\n"), &err), -1);
    assert_string_equal(err.text, "toy.map:1: no memory map; link with -Wl,-Map=toy.map");
}

/* --- The deepest path through a call graph. */

static struct stack_path path_stack;
static struct mh_error err_stack;

#define EDGES(...)                                                                                                     \
    .edges = (struct stack_edge[]){__VA_ARGS__},                                                                       \
    .count = sizeof((struct stack_edge[]){__VA_ARGS__}) / sizeof(struct stack_edge)

static const char *text_stack(void)
{
    static char names[400];
    stack_path_text(&path_stack, names, sizeof names);
    return names;
}

TEST(test_deepest)
{
    /* 80 + 16 + 100 is deeper than 80 + 40, though the first step is shorter */
    const struct stack_function g[] = {{.name = "root", .bytes = 80, EDGES({1, 80, 0}, {2, 80, 0}, {3, 80, 0})},
                                       {.name = "wide", .bytes = 40},
                                       {.name = "narrow", .bytes = 16, EDGES({4, 16, 0})},
                                       {.name = "twice", .bytes = 0, EDGES({4, 0, 0})},
                                       {.name = "leaf", .bytes = 100}};

    assert_int_equal(stack_deepest(g, 5, 0, &path_stack, &err_stack), 0);
    assert_int_equal(path_stack.bytes, 196);
    assert_string_equal(text_stack(), "root 80, narrow 16, leaf 100");
}

/* A tail call has given the frame back; what was deeper before it counts all the same. */
TEST(test_tail_call)
{
    const struct stack_function g[] = {{.name = "root", .bytes = 48, EDGES({1, 0, 0})},
                                       {.name = "next", .bytes = 32},
                                       {.name = "long", .bytes = 8, EDGES({3, 0, 0})},
                                       {.name = "end", .bytes = 64}};

    assert_int_equal(stack_deepest(g, 4, 0, &path_stack, &err_stack), 0);
    assert_int_equal(path_stack.bytes, 48);
    assert_string_equal(text_stack(), "root 48");
    assert_int_equal(stack_deepest(g, 4, 2, &path_stack, &err_stack), 0);
    assert_int_equal(path_stack.bytes, 64);
    assert_string_equal(text_stack(), "end 64");
}

static void refuse(const struct stack_function *g, unsigned count, const char *part)
{
    assert_int_equal(stack_deepest(g, count, 0, &path_stack, &err_stack), -1);
    assert_has(err_stack.text, part);
}

TEST(test_recursion)
{
    const struct stack_function self[] = {{.name = "root", .bytes = 0, EDGES({1, 0, 0})},
                                          {.name = "deeper", .bytes = 16, EDGES({1, 16, 0})}};
    const struct stack_function circle[] = {{.name = "root", .bytes = 0, EDGES({1, 0, 0})},
                                            {.name = "a", .bytes = 16, EDGES({2, 16, 0})},
                                            {.name = "b", .bytes = 16, EDGES({3, 0, 0})},
                                            {.name = "c", .bytes = 16, EDGES({1, 16, 0})}};

    refuse(self, 2, "deeper calls itself: deeper -> deeper;");
    refuse(circle, 4, "a calls itself: a -> b -> c -> a;");
}

/* Two ways to one function are no circle. */
TEST(test_diamond)
{
    const struct stack_function g[] = {{.name = "root", .bytes = 0, EDGES({1, 0, 0}, {2, 0, 0})},
                                       {.name = "a", .bytes = 16, EDGES({3, 16, 0})},
                                       {.name = "b", .bytes = 32, EDGES({3, 32, 0})},
                                       {.name = "c", .bytes = 8}};

    assert_int_equal(stack_deepest(g, 4, 0, &path_stack, &err_stack), 0);
    assert_int_equal(path_stack.bytes, 40);
}

TEST(test_problem)
{
    const struct stack_function g[] = {{.name = "root", .bytes = 0, EDGES({1, 0, 0})},
                                       {.name = "wild", .bytes = 0, .problem = "its frame is not known"},
                                       {.name = "unreached", .bytes = 0, .problem = "x"}};

    refuse(g, 3, "wild, called by root: its frame is not known");
    assert_int_equal(stack_deepest(g + 2, 1, 0, &path_stack, &err_stack), -1);
    assert_string_equal(err_stack.text, "unreached: x");
}

/* A function that is never called does no harm; a stack of its own is not its caller's. */
TEST(test_not_counted)
{
    const struct stack_function g[] = {{.name = "root", .bytes = 80, EDGES({1, 80, 0})},
                                       {.name = "fault", .bytes = 500, .switches = true},
                                       {.name = "unreached", .bytes = 9000, .problem = "x"}};

    assert_int_equal(stack_deepest(g, 3, 0, &path_stack, &err_stack), 0);
    assert_int_equal(path_stack.bytes, 80);
    assert_int_equal(stack_deepest(g, 3, 1, &path_stack, &err_stack), 0);
    assert_int_equal(path_stack.bytes, 500);
}

/* More functions than a path has room for: the sum is whole. */
TEST(test_long_path)
{
    struct stack_function g[PATH_FUNCTIONS + 8];
    struct stack_edge edges[PATH_FUNCTIONS + 8];
    const unsigned n = PATH_FUNCTIONS + 8;

    memset(g, 0, sizeof g);
    for (unsigned i = 0; i < n; i++) {
        edges[i] = (struct stack_edge){i + 1, 16, 0};
        g[i] = (struct stack_function){.name = "f", .bytes = 16, .edges = &edges[i], .count = i + 1 < n};
    }
    assert_int_equal(stack_deepest(g, n, 0, &path_stack, &err_stack), 0);
    assert_int_equal(path_stack.bytes, 16 * n);
    assert_int_equal(path_stack.count, PATH_FUNCTIONS);
}

/* --- The path of the longest decision: order, cycles, and calls as far as what was recorded says how many. */

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
    path_of(&path, &h.p, s, &h.code, &functions, &hooks);
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

TEST(test_path)
{
    const struct series s = {.parts = parts, .part_count = 4};

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

/* A call in a loop, with paths of two lengths: only a mean is known. */
TEST(test_mean)
{
    struct part longest[4];
    struct series s = {.parts = longest, .part_count = 4};
    struct profile_node changed[6];

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

TEST(test_shortest)
{
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

TEST(test_nothing)
{
    const struct series s = {.parts = NULL};

    two_decisions();
    h.p.nodes = nodes;
    h.p.node_count = 6;
    struct path path = path_now(&s);
    assert_int_equal(path.count, 0);
    free(path.steps);
}
