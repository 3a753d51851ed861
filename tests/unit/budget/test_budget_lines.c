/* Lines of instructions: of a program compiled here; what functions spent by line, and executed by class, by hand. */
#include "unit/test.h"

#include "budget/profile/line_costs.h"
#include "mcu/code.h"
#include "mcu/image.h"
#include "unit/temp_dir.h"
#include "budget/budget_report.h"

/* Line 3 is inlined into line 5's function, from a file that is included by a way around. */
static const char source[] = "#include \"sub/../inline.h\"\n"
                             "int other(int x);\n"
                             "int _start(int x)\n"
                             "{\n"
                             "    return other(\n"
                             "        twice(x));\n"
                             "}\n"
                             "int other(int x) { return x; }\n";
static const char header[] =
    "\n\nstatic inline __attribute__((always_inline)) int twice(int x) { __asm__ volatile(\"nop\"); return 2 * x; }\n";

static uint32_t address_of(const struct image *image, const char *name)
{
    uint32_t value = 0;
    assert_true(symbol_value(image->elf, name, &value));
    return value;
}

static void build(struct image *image)
{
    char command[4 * HOST_PATH];
    struct mh_error err;
    assert_int_equal(make_dirs(in_base("sub"), &err), 0);
    assert_int_equal(write_file(in_base("program.c"), source, strlen(source), &err), 0);
    assert_int_equal(write_file(in_base("inline.h"), header, strlen(header), &err), 0);
    snprintf(command, sizeof command,
             "cd %s && riscv64-unknown-elf-gcc -march=rv32imc_zicsr -mabi=ilp32 -nostdlib -g -O1 -fno-inline "
             "-ffile-prefix-map=%s=. -Wl,-N,--no-warn-rwx-segments,-Ttext=0x100000 -o program.elf program.c",
             base, base);
    assert_int_equal(system(command), 0);
    assert_good(!image_open(image, in_base("program.elf"), false, &err), err);
}

TEST(test_lines)
{
    struct image image;

    build(&image);
    struct lines *lines = lines_open(image.path);
    assert_non_null(lines);
    uint32_t start = address_of(&image, "_start"), other = address_of(&image, "other"), inlined = 0;
    struct place place = lines_function(lines, start);
    assert_string_equal(place.file, "program.c");
    assert_int_equal(place.line, 4);
    for (uint32_t a = start; elf_function(image.elf, a) && !strcmp(elf_function(image.elf, a), "_start"); a += 2) {
        place = lines_at(lines, a);
        assert_non_null(place.file);
        if (!strcmp(place.file, "inline.h")) {
            assert_int_equal(place.line, 3);
            inlined++;
        } else {
            assert_string_equal(place.file, "program.c");
            assert_in_range(place.line, 3, 7);
        }
    }
    assert_true(inlined > 0);
    assert_int_equal(lines_at(lines, other).line, 8);
    assert_null(lines_at(lines, 0x0ffffe).file);
    assert_null(lines_at(lines, 0x101000).file);
    assert_null(lines_function(lines, 0x200000).file);
    lines_close(lines);
    image_close(&image);
}

TEST(test_nothing)
{
    struct mh_error err;

    assert_null(lines_open(in_base("nonexistent.elf")));
    assert_int_equal(write_file(in_base("text.elf"), "no ELF", 6, &err), 0);
    assert_null(lines_open(in_base("text.elf")));
    assert_null(lines_at(NULL, 0x100000).file);
    assert_int_equal(lines_function(NULL, 0x100000).line, 0);
    lines_close(NULL);
}

/* --- Costs. */

#define LINE(at, bytes, class, target, owner, more, jump, land)                                                        \
    {                                                                                                                  \
        .address = at, .function = owner, .insn = {.cls = class, .size = bytes, .imm = (int32_t)((target) - (at))},    \
        .cost[CORE_CYCLES] = {                                                                                         \
            .extra = more,                                                                                             \
            .taken = jump,                                                                                             \
            .landing = land                                                                                            \
        }                                                                                                              \
    }

/* Function 0: a loop and a return; 1: a call and a return; 2: the trap's entry; 3: somebody jumps into its middle. */
static struct code_line code_lines[] = {
    LINE(0x100, 4, INSN_LOAD, 0x100, 0, 1, 0, 1), LINE(0x104, 2, INSN_BRANCH, 0x100, 0, 0, 2, 0),
    LINE(0x106, 2, INSN_JALR, 0, 0, 1, 0, 0),     LINE(0x108, 4, INSN_JAL, 0x100, 1, 1, 0, 0),
    LINE(0x10c, 2, INSN_JALR, 0, 1, 1, 0, 1),     LINE(0x10e, 2, INSN_STORE, 0, 2, 1, 0, 0),
    LINE(0x110, 4, INSN_JALR, 0, 2, 1, 0, 0),     LINE(0x114, 4, INSN_MRET, 0, 2, 2, 0, 1),
    LINE(0x118, 2, INSN_ALU, 0, 3, 0, 0, 0),      LINE(0x11a, 2, INSN_ALU, 0, 3, 0, 0, 0),
};
static const struct code code = {code_lines, sizeof code_lines / sizeof *code_lines};

static struct profile_at at[] = {
    {0x100, 10, 0, 3, 0x203380}, {0x104, 10, 8, 0, 0x203370}, {0x106, 2, 2, 0, 0}, {0x108, 2, 2, 0, 0},
    {0x10c, 2, 2, 0, 0},         {0x10e, 5, 0, 0, 0},         {0x110, 5, 5, 0, 0}, {0x114, 5, 5, 0, 0},
    {0x118, 1, 0, 0, 0},         {0x11a, 6, 0, 0, 0},
};

/* 0: 10 x 2, 10 x 1 + 8 x (2 + 1), 2 x 2: 58, and 2 behind its returns; 1: 2 x (2 + 1), 2 x 2; 2: 35, and 30. */
static struct profile_node nodes[] = {
    {.function = -1},
    {.function = 1, .calls = 2, .instructions = 4, .cycles = 10},
    {.parent = 1, .function = 0, .calls = 1, .instructions = 11, .cycles = 30, .mmio = 1},
    {.function = 0, .calls = 1, .instructions = 11, .cycles = 30, .mmio = 2},
    {.function = 2, .calls = 5, .instructions = 15, .cycles = 65},
    {.function = 3, .calls = 1, .instructions = 2, .cycles = 2},
};

static struct place place(const void *ctx, uint32_t address)
{
    (void)ctx;
    return address == 0x104 ? (struct place){"b.h", 9} : (struct place){"a.c", address < 0x10e ? 1 : address};
}

static void is(const struct line_cost *l, unsigned function, const char *file, unsigned line, uint64_t cycles,
               uint64_t instructions, uint64_t mmio)
{
    assert_int_equal(l->function, function);
    assert_string_equal(l->place.file, file);
    assert_int_equal(l->place.line, line);
    assert_int_equal(l->spent.cycles, cycles);
    assert_int_equal(l->spent.instructions, instructions);
    assert_int_equal(l->spent.mmio, mmio);
}

TEST(test_costs)
{
    const struct profile p = {.nodes = nodes, .node_count = 6, .at = at, .at_count = sizeof at / sizeof *at};
    struct line_costs costs;

    line_costs_find(&costs, &p, &code, 4, place, NULL);
    assert_int_equal(costs.count, 7);
    is(&costs.list[0], 0, "a.c", 1, 20 + 4 + 2, 12, 3); /* with what its returns land on */
    is(&costs.list[1], 0, "b.h", 9, 34, 10, 0);
    is(&costs.list[2], 1, "a.c", 1, 10, 4, 0);
    is(&costs.list[3], 2, "a.c", 0x10e, 10 + 30, 5, 0); /* with the mcu's entry of traps */
    is(&costs.list[4], 2, "a.c", 0x110, 10, 5, 0);
    is(&costs.list[5], 2, "a.c", 0x114, 15, 5, 0);
    is(&costs.list[6], 3, "a.c", 0x118, 2, 2, 0); /* as the tree has it */
    line_costs_free(&costs);
    assert_int_equal(line_costs_first(&code, 2), 0x10e);
    assert_int_equal(line_costs_first(&code, 9), 0);
}

TEST(test_counts)
{
    const struct profile p = {.nodes = nodes, .node_count = 6, .at = at, .at_count = sizeof at / sizeof *at};

    struct counts *c = counts_of(&p, &code, 4);
    assert_non_null(c);
    assert_int_equal(c[0].calls, 2);
    assert_int_equal(c[0].instructions, 22);
    assert_int_equal(c[0].cycles, 60);
    assert_int_equal(c[0].mmio, 3);
    assert_int_equal(c[0].stack_low, 0x203370);
    assert_int_equal(c[0].classes[CORE_LOAD], 10);
    assert_int_equal(c[0].classes[CORE_BRANCH_TAKEN], 8);
    assert_int_equal(c[0].classes[CORE_BRANCH_NOT_TAKEN], 2);
    assert_int_equal(c[0].classes[CORE_JALR], 2);
    assert_int_equal(c[0].classes[CORE_ALU], 0);
    assert_int_equal(c[2].classes[CORE_MRET], 5);
    assert_int_equal(c[2].stack_low, 0);
    assert_int_equal(c[3].instructions, 7); /* of its addresses, wherever the jump came from */
    free(c);
}

/* --- Baselines: what they keep, that equal figures give equal bytes, and the function named when something grew. */

static struct mh_error err_history;

/* 'first' and 'second' are freed by baseline_free() like any other. */
static struct baseline sample(uint32_t first, uint32_t second, uint32_t frame)
{
    struct baseline b = {.present = true, .needs = {5000, 400, 320, 6399, 0}, .core = "ipc1", .count = 2};
    b.functions = calloc(2, sizeof *b.functions);
    b.functions[0] = (struct baseline_function){"second", {second, frame, 900}};
    b.functions[1] = (struct baseline_function){"first", {first, 16, 0}};
    return b;
}

static const char *file(void)
{
    return in_base("baselines.json");
}

static json_t *read_all(void)
{
    json_t *images = baselines_read(file(), &err_history);
    assert_good(images, err_history);
    return images;
}

static struct baseline read_as(const char *image)
{
    struct baseline b;
    json_t *images = read_all();
    assert_good(!baseline_of_image(&b, images, image, &err_history), err_history);
    json_decref(images);
    return b;
}

static void write_as(const struct baseline *now, const char *image, const char *sha)
{
    json_t *images = read_all();
    struct baseline before = read_as(image);
    baseline_put(images, image, now, &before, sha);
    assert_good(!baselines_write(images, file(), &err_history), err_history);
    baseline_free(&before);
    json_decref(images);
}

static char *text_of_file(void)
{
    size_t length;
    char *text = read_file(file(), &length, &err_history);
    assert_non_null(text);
    return text;
}

TEST(test_round_trip)
{
    struct baseline b = sample(100, 200, 48), back = read_as("mask");

    assert_false(back.present);
    write_as(&b, "mask", "aa");
    back = read_as("mask");
    assert_true(back.present);
    assert_memory_equal(back.needs, b.needs, sizeof b.needs);
    assert_string_equal(back.core, "ipc1");
    assert_int_equal(back.count, 2);
    assert_int_equal(baseline_function(&back, "second")->parts[BASELINE_BYTES], 200);
    assert_int_equal(baseline_function(&back, "second")->parts[BASELINE_FRAME], 48);
    assert_null(baseline_function(&back, "third"));
    baseline_free(&back);
    baseline_free(&b);
}

/* Images and functions by name, whatever came first. */
TEST(test_same_again)
{
    struct baseline b = sample(100, 200, 48);

    write_as(&b, "same", "aa");
    write_as(&b, "mask", "aa");
    char *once = text_of_file();
    write_as(&b, "same", "aa");
    char *twice = text_of_file();
    assert_string_equal(once, twice);
    assert_true(strstr(once, "\"first\"") < strstr(once, "\"second\""));
    assert_true(strstr(once, "\n    \"mask\": {") < strstr(once, "\n    \"same\": {"));
    assert_non_null(strstr(once, "\n        \"second\": {\"bytes\": 200, \"frame\": 48, \"cycles\": 900}\n"));
    free(once);
    free(twice);
    baseline_free(&b);
}

static unsigned entries(const char *image)
{
    struct baseline b = read_as(image);
    unsigned n = (unsigned)json_array_size(json_object_get(b.json, "accepted"));
    baseline_free(&b);
    return n;
}

/* The newest is the last; the oldest go. */
TEST(test_history)
{
    struct baseline b = sample(100, 200, 48);

    for (unsigned i = 0; i < BASELINE_HISTORY + 3; i++) {
        b.needs[LIMIT_CODE] = 5000 + i;
        write_as(&b, "long", "aa");
        assert_int_equal(entries("long"), i + 1 < BASELINE_HISTORY ? i + 1 : BASELINE_HISTORY);
    }
    struct baseline back = read_as("long");
    assert_int_equal(back.needs[LIMIT_CODE], 5000 + BASELINE_HISTORY + 2);
    baseline_free(&back);
    baseline_free(&b);
}

TEST(test_growth)
{
    struct baseline before = sample(100, 200, 48), now = sample(130, 190, 64), none = {0};
    char text[200];

    growth_text(&now, &before, BASELINE_BYTES, text, sizeof text);
    assert_string_equal(text, "first grew 100 -> 130 B");
    growth_text(&now, &before, BASELINE_FRAME, text, sizeof text);
    assert_string_equal(text, "second grew 48 -> 64 B");
    growth_text(&before, &before, BASELINE_BYTES, text, sizeof text);
    assert_string_equal(text, "");
    growth_text(&now, &none, BASELINE_BYTES, text, sizeof text);
    assert_string_equal(text, "second has 190 B, first has 130 B");
    growth_text(&now, &before, BASELINE_CYCLES, text, sizeof text);
    assert_string_equal(text, "");
    before.functions[0].parts[BASELINE_CYCLES] = 850;
    growth_text(&now, &before, BASELINE_CYCLES, text, sizeof text);
    assert_string_equal(text, "second grew 850 -> 900 cycles");
    before.count = 1; /* 'first' was not there */
    growth_text(&now, &before, BASELINE_BYTES, text, sizeof text);
    assert_string_equal(text, "first is new with 130 B");
    growth_text(&now, &none, BASELINE_BYTES, text, 10); /* cut, not written beyond */
    assert_int_equal(strlen(text), 9);
    baseline_free(&before);
    baseline_free(&now);
}

static void refuse_file(const char *text, const char *part)
{
    assert_good(!write_file(file(), text, strlen(text), &err_history), err_history);
    assert_null(baselines_read(file(), &err_history));
    assert_has(err_history.text, part);
}

TEST(test_damaged_file)
{
    refuse_file("{", "baselines.json:1: ");
    refuse_file("[]", "baselines.json: no baselines of schema memhelm-baseline-2");
    refuse_file("{\"schema\": \"other\", \"images\": {}}", "no baselines of schema");
    refuse_file("{\"schema\": \"memhelm-baseline-2\"}", "no baselines of schema");
    assert_null(baselines_read("/nonexistent/baselines.json", &err_history));
    assert_has(err_history.text, "/nonexistent: no such folder: start at the top of the tree");
    remove(file());
}

static int parse(struct baseline *b, const char *accepted, const char *functions)
{
    json_t *images = json_pack("{s:{s:o, s:o}}", "mask", "accepted", json_loads(accepted, 0, NULL), "functions",
                               json_loads(functions, 0, NULL));
    int status = baseline_of_image(b, images, "mask", &err_history);
    json_decref(images);
    return status;
}

#define NEEDS "\"code\": 1, \"data\": 1, \"stack\": 1, \"epoch\": 1, "
#define ENTRY "[{" NEEDS "\"walk_epoch\": 0, \"core\": \"c\"}]"

/* An entry of before a limit came has none of it; what always was there must be. */
TEST(test_damaged_image)
{
    static const struct {
        const char *accepted, *functions;
        int status;
    } cases[] = {
        {ENTRY, "{}", 0},
        {"[{" NEEDS "\"core\": \"c\"}]", "{}", -1},
        {"[{" NEEDS "\"walk_epoch\": 0, \"tenant\": -1, \"core\": \"c\"}]", "{}", -1},
        {"[{" NEEDS "\"walk_epoch\": 0}]", "{}", -1},
        {"[]", "{}", -1},
        {ENTRY, "{\"f\": {\"bytes\": 1, \"frame\": 0, \"cycles\": 0}}", 0},
        {ENTRY, "{\"f\": {\"bytes\": -1, \"frame\": 0, \"cycles\": 0}}", -1},
    };

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct baseline b;
        assert_int_equal(parse(&b, cases[i].accepted, cases[i].functions), cases[i].status);
        assert_int_equal(b.present, !cases[i].status);
        assert_int_equal(b.needs[LIMIT_TENANT], 0);
        if (cases[i].status)
            assert_string_equal(err_history.text,
                                "mask: its baseline lacks something; remove it and `make budget-accept`");
        baseline_free(&b);
    }
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
