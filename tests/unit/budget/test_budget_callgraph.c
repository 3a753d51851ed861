/* What the compiler says of functions (.ci), what the linker's map says of objects, and flame graphs. */
#include "unit/test.h"

#include "budget/code/build_files.h"
#include "unit/temp_dir.h"
#include "budget/profile/line_costs.h"

#define NODE(title, rest) "node: { title: \"" title "\" label: \"x\\n" rest "\" }\n"
#define EDGE(from, to)    "edge: { sourcename: \"" from "\" targetname: \"" to "\" label: \"fw.c:1:2\" }\n"

static const char good[] =
    "graph: { title: \"firmware/fw.c\"\n" NODE("firmware/fw.c:finish", "fw.c:18:23\\n48 bytes (static)")
        NODE("mcu_exit", "mcu.h:29:16") EDGE("firmware/fw.c:finish", "mcu_exit")
            NODE("fw_irq", "fw.c:206:6\\n0 bytes (static)") EDGE("fw_irq", "__indirect_call")
                NODE("__indirect_call", "Placeholder") NODE("wild", "fw.c:1:1\\n1024 bytes (dynamic)")
                    NODE("safe", "fw.c:1:1\\n32 bytes (dynamic,bounded)") "}\n";

TEST(test_functions)
{
    struct callgraph g = {0};
    struct mh_error err;

    assert_int_equal(callgraph_parse(&g, "fw.ci", good, strlen(good), &err), 0);
    assert_int_equal(g.count, 4); /* mcu_exit is another object's */
    const struct callgraph_function *f = callgraph_find(&g, "finish", 0);
    assert_non_null(f);
    assert_int_equal(f->frame, 48);
    assert_true(f->bounded);
    assert_false(f->indirect);
    f = callgraph_find(&g, "fw_irq", 0);
    assert_int_equal(f->frame, 0);
    assert_true(f->indirect);
    assert_null(callgraph_find(&g, "fw_irq", 1));
    assert_null(callgraph_find(&g, "mcu_exit", 0));
    assert_false(callgraph_find(&g, "wild", 0)->bounded);
    assert_false(callgraph_find(&g, "safe", 0)->bounded); /* a bound that the compiler does not print */
    callgraph_free(&g);
}

/* Members of an archive do not say from which folder they are. */
TEST(test_two_files)
{
    static const char other[] = "graph: { title: \"b.c\"\n" NODE("fw_irq", "b.c:1:1\\n16 bytes (static)") "}\n";
    struct callgraph g = {0};
    struct mh_error err;

    assert_int_equal(callgraph_parse(&g, "a.ci", good, strlen(good), &err), 0);
    assert_int_equal(callgraph_parse(&g, "b.ci", other, strlen(other), &err), 0);
    assert_int_equal(callgraph_find(&g, "fw_irq", 0)->frame, 0);
    assert_int_equal(callgraph_find(&g, "fw_irq", 1)->frame, 16);
    assert_false(callgraph_find(&g, "fw_irq", 1)->indirect); /* the other file's call */
    assert_int_equal(callgraph_parse(&g, "c.ci", "nonsense\n", 9, &err), -1);
    assert_int_equal(g.count, 5);
    callgraph_free(&g);
}

static void refuse_graph(const char *text, const char *part)
{
    struct callgraph g = {0};
    struct mh_error err = {""};
    assert_int_equal(callgraph_parse(&g, "x.ci", text, strlen(text), &err), -1);
    assert_int_equal(g.count, 0);
    assert_has(err.text, part);
}

TEST(test_bad_graphs)
{
    refuse_graph("", "x.ci:1: is empty");
    refuse_graph("int main;\n", "x.ci:1: neither a node nor an edge");
    refuse_graph("graph: {\nnode: { title: \"a }\n", "x.ci:2: a node without title and label");
    refuse_graph("graph: {\n\nnode: { title: \"a\" label: \"a bytes (static)\" }\n", "x.ci:3: a frame is no number");
    refuse_graph("graph: {\nnode: { title: \"a\" label: \"9999999999 bytes (static)\" }\n",
                 "x.ci:2: a frame is no number");
    refuse_graph("graph: {\nedge: { sourcename: \"a\" }\n", "x.ci:2: an edge without source and target");
}

static const char map_text[] = "Archive member included\n\n"
                               "Linker script and memory map\n\n"
                               "LOAD build/firmware/obj/boot/start.S.o\n"
                               ".text           0x00100000      0x100\n"
                               " *(.text.start)\n"
                               " .text.start    0x00100000       0xf0 build/firmware/obj/boot/start.S.o\n"
                               "                0x00100000                _start\n"
                               " .text.a_rather_long_name\n"
                               "                0x001000f0        0xe build/firmware/policies.a(mask_tokens.c.o)\n"
                               "                                  0x1a (size before relaxing)\n"
                               " *fill*         0x001000fe        0x2 \n"
                               " .text          0x00100100        0x0 build/newlib/lib/libc.a(lib_a-errno.o)\n"
                               "\n"
                               ".rodata         0x00100100       0x10\n"
                               " .rodata.x      0x00100100       0x10 /usr/lib/libgcc.a(_clz.o)\n"
                               ".bss            0x00200000        0x8 load address 0x00200000\n"
                               " COMMON         0x00200000        0x8 build/firmware/obj/image/common/fw.c.o\n"
                               ".debug_info     0x00000000       0x99\n"
                               " .debug_info    0x00000000       0x99 build/firmware/obj/boot/start.S.o\n";

TEST(test_map)
{
    struct map_file m;
    struct mh_error err;

    assert_good(!map_parse(&m, "x.map", strdup(map_text), &err), err);
    assert_int_equal(m.count, 5);
    assert_string_equal(map_object(&m, 0x100000), "build/firmware/obj/boot/start.S.o");
    assert_string_equal(map_object(&m, 0x1000ef), "build/firmware/obj/boot/start.S.o");
    assert_string_equal(map_object(&m, 0x1000f0), "build/firmware/policies.a(mask_tokens.c.o)");
    assert_string_equal(map_object(&m, 0x1000fe), ""); /* padding */
    assert_null(map_object(&m, 0x100110));
    map_free(&m);
}

TEST(test_owners)
{
    static const struct owner want[] = {{"boot", {0xf0, 0, 0, 0}},
                                        {"mask_tokens", {0xe, 0, 0, 0}},
                                        {"padding", {2, 0, 0, 0}},
                                        {"libgcc", {0, 0x10, 0, 0}},
                                        {"common", {0, 0, 0, 8}}};
    struct owner owners[OWNERS];
    struct map_file m;
    struct mh_error err;

    assert_int_equal(map_parse(&m, "x.map", strdup(map_text), &err), 0);
    assert_int_equal(map_owners(&m, owners), 5);
    for (unsigned i = 0; i < 5; i++) {
        assert_string_equal(owners[i].name, want[i].name);
        assert_memory_equal(owners[i].bytes, want[i].bytes, sizeof want[i].bytes);
    }
    map_free(&m);
}

TEST(test_bad_maps)
{
    struct map_file m;
    struct mh_error err;

    assert_int_equal(map_parse(&m, "x.map", strdup("a\nb\n"), &err), -1);
    assert_non_null(strstr(err.text, "x.map:1: no memory map"));
    assert_int_equal(
        map_parse(&m, "x.map", strdup("\nLinker script and memory map\n.text\n .text.a 12 nonsense\n"), &err), -1);
    assert_non_null(strstr(err.text, "x.map:4: expected address and size"));
}

static void write_text(const char *name, const char *text)
{
    struct mh_error err;
    assert_good(!write_file(in_base(name), text, strlen(text), &err), err);
}

/* The build that an image lies in has the .ci files of its objects and of newlib. */
TEST(test_compiler)
{
    static const char policy[] = "graph: {\n" NODE("f", "x:1:1\\n64 bytes (static)") "}\n";
    static const char small[] = "graph: {\n" NODE("memcpy", "x:1:1\\n16 bytes (static)") "}\n";
    struct compiler c;
    struct compiled f;
    struct mh_error err;

    assert_int_equal(make_dirs(in_base("firmware/obj/policy"), &err), 0);
    assert_int_equal(make_dirs(in_base("newlib/ci"), &err), 0);
    write_text("firmware/obj/policy/p.c.ci", policy);
    write_text("newlib/ci/libc-string-lib_a-memcpy.ci", small);
    compiler_init(&c, in_base("firmware/x.elf"));
    assert_int_equal(compiler_find(&c, "b/firmware/policies.a(p.c.o)", "f", &f, &err), 0);
    assert_true(f.known && f.bounded && f.frame == 64);
    assert_int_equal(compiler_find(&c, "b/firmware/policies.a(p.c.o)", "g", &f, &err), 0);
    assert_false(f.known);
    assert_int_equal(compiler_find(&c, "/lib/libc.a(lib_a-memcpy.o)", "memcpy", &f, &err), 0);
    assert_true(f.known && f.frame == 16);
    assert_int_equal(compiler_find(&c, "/lib/libc.a(lib_a-setjmp.o)", "setjmp", &f, &err), 0);
    assert_false(f.known);
    assert_int_equal(compiler_find(&c, "b/firmware/obj/boot/start.S.o", "_start", &f, &err), 0);
    assert_false(f.known);
    assert_int_equal(compiler_find(&c, "b/firmware/obj/boot/main.c.o", "main", &f, &err), -1);
    assert_non_null(strstr(err.text, "firmware/obj/boot/main.c.ci is missing"));
    compiler_free(&c);
}

/* --- Folded stacks and callgrind's format, of a tree by hand. */

/* trap -> irq -> {commit, policy -> commit}; and boot -> commit. Node 0 is the root. */
static struct profile_node nodes[] = {
    {0, -1, 0, 0, 0, 0, 0}, {0, 0, 3, 10, 20, 0, 0}, {1, 1, 3, 5, 9, 0, 0},   {2, 2, 3, 4, 6, 3, 0},
    {2, 3, 2, 7, 30, 1, 0}, {4, 2, 2, 2, 3, 2, 0},   {0, 4, 1, 50, 80, 0, 0}, {6, 2, 1, 1, 2, 1, 0},
};
static struct profile profile = {.nodes = nodes, .node_count = sizeof nodes / sizeof *nodes};

static const char *name_flame(const void *ctx, unsigned function)
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

/* The policy calls in what it has inlined; where trap calls irq is unknown. */
static struct place call(const void *ctx, unsigned caller, unsigned callee)
{
    (void)ctx;
    if (caller == 3)
        return (struct place){"gpu.h", 5};
    return caller ? (struct place){"fw.c", 10 * caller + callee} : (struct place){0};
}

static const struct flame_names names = {name_flame, place, call, NULL};

/* Of the policy, 10 cycles were inlined; boot has no lines. */
static struct line_cost lines_list[] = {
    {0, {"fw.c", 1}, {15, 9, 0}},   {0, {"fw.c", 2}, {5, 1, 0}},   {1, {"fw.c", 10}, {9, 5, 0}},
    {2, {"gpu.c", 71}, {11, 7, 6}}, {3, {"fw.c", 30}, {20, 6, 0}}, {3, {"gpu.h", 4}, {10, 1, 1}},
    {4, {0}, {80, 50, 0}},
};
static const struct line_costs line_costs = {.list = lines_list, .count = sizeof lines_list / sizeof *lines_list};

TEST(test_folded)
{
    char *text = PRINTED(f, flame_write_folded(&profile, &names, f));

    assert_string_equal(text, "trap 20\ntrap;irq 9\ntrap;irq;commit 6\ntrap;irq;policy 30\ntrap;irq;policy;commit 3\n"
                              "boot 80\nboot;commit 2\n");
    free(text);
}

TEST(test_callgrind)
{
    char *text = PRINTED(f, flame_write_callgrind(&profile, &line_costs, &names, f));

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
TEST(test_back)
{
    static struct line_cost list[] = {
        {3, {"a.h", 7}, {1, 1, 0}}, {3, {"b.h", 9}, {2, 2, 0}}, {3, {"fw.c", 30}, {3, 3, 0}}, {3, {0}, {4, 4, 0}}};
    const struct line_costs costs = {.list = list, .count = 4};
    char *text = PRINTED(f, flame_write_callgrind(&profile, &costs, &names, f));

    assert_non_null(strstr(text, "fn=policy\nfi=a.h\n7 1 1 0\nfi=b.h\n9 2 2 0\nfe=fw.c\n30 3 3 0\n0 4 4 0\nfi=gpu.h\n"
                                 "cfi=gpu.c\n"));
    free(text);
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
