/* Timing tables: the built-in ones against their documents and the published counters, and files that are refused. */
#include "unit/test.h"

#include "mcu/timing.h"
#include "unit/temp_dir.h"

static void open_core(struct core *c, const char *what)
{
    struct mh_error err;
    assert_good(!core_open(c, what, &err), err);
}

/* --- The built-in tables. */

TEST(test_all_open)
{
    unsigned count = 0;

    for (const char *const *n = core_names(); *n; n++, count++) {
        struct core c;
        open_core(&c, *n);
        assert_string_equal(c.name, *n);
        for (unsigned row = 0; row < CORE_ROWS; row++) {
            const struct core_value *v = &c.values[row];
            assert_true(v->given || row >= CORE_CLASS_ROWS);
            assert_in_range(v->cycles[CORE_CYCLES], v->cycles[CORE_MIN], v->cycles[CORE_MAX]);
            assert_true(!v->given || (v->kind == CORE_ASSUMED ? v->note : v->source) != NULL);
        }
        core_close(&c);
    }
    assert_int_equal(count, 7);
}

/* Results name a core by its bytes. */
TEST(test_digest)
{
    char digits[HASH_TEXT];
    struct mh_error err;
    struct core c;

    for (const char *const *name = core_names(); *name; name++) {
        char path[128];
        snprintf(path, sizeof path, "host/mcu/cores/%s.yaml", *name);
        assert_int_equal(hash_file(path, digits, &err), 0);
        assert_int_equal(core_open(&c, *name, &err), 0);
        assert_string_equal(c.sha256, digits);
        core_close(&c);
    }
}

/* What is not documented says so. */
TEST(test_kinds)
{
    struct core c;

    open_core(&c, "ibex");
    assert_int_equal(c.values[CORE_MUL].kind, CORE_DOC);
    assert_int_equal(c.values[CORE_TARGET_UNALIGNED32].kind, CORE_RTL);
    assert_int_equal(c.values[CORE_FENCE].kind, CORE_ASSUMED);
    assert_false(c.values[CORE_LOAD_USE_1].given);
    core_close(&c);
    open_core(&c, "ibex-max");
    assert_int_equal(c.values[CORE_LOAD].kind, CORE_RTL);
    core_close(&c);
    open_core(&c, "inorder5");
    assert_int_equal(c.values[CORE_DIV].kind, CORE_ASSUMED);
    core_close(&c);
}

/* --- Published counters. */

static uint64_t instructions(const struct core_check *check)
{
    uint64_t sum = 0;
    for (unsigned row = 0; row < CORE_CLASS_ROWS; row++)
        sum += check->counts[row];
    return sum;
}

TEST(test_checks)
{
    unsigned count = 0;

    for (const char *const *n = core_names(); *n; n++) {
        struct core c;
        open_core(&c, *n);
        for (unsigned i = 0; i < c.check_count; i++, count++) {
            assert_int_equal(instructions(&c.checks[i]), c.checks[i].instructions);
            assert_int_equal(core_check_cycles(&c, &c.checks[i]), c.checks[i].cycles);
        }
        core_close(&c);
    }
    assert_int_equal(count, 2);
}

/* The counters again, from the places where they were published, so that changing a check does not make it pass.
 */
TEST(test_published)
{
    static const struct {
        uint64_t cycles, instructions, loads, stores, jumps, branches, taken, divisions, fetch_wait;
    } rows[] = {
        {483, 266, 21, 38, 46, 53, 48, 0, 16},
        {8835, 4367, 1272, 708, 348, 361, 260, 1440 / 36, 440 - 260},
    };
    struct core c;

    open_core(&c, "ibex");
    assert_int_equal(c.check_count, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t *n = c.checks[i].counts;
        assert_int_equal(c.checks[i].cycles, rows[i].cycles);
        assert_int_equal(c.checks[i].instructions, rows[i].instructions);
        assert_int_equal(n[CORE_LOAD], rows[i].loads);
        assert_int_equal(n[CORE_STORE], rows[i].stores);
        assert_int_equal(n[CORE_JAL] + n[CORE_JALR], rows[i].jumps);
        assert_int_equal(n[CORE_BRANCH_TAKEN] + n[CORE_BRANCH_NOT_TAKEN], rows[i].branches);
        assert_int_equal(n[CORE_BRANCH_TAKEN], rows[i].taken);
        assert_int_equal(n[CORE_DIV], rows[i].divisions);
        assert_int_equal(n[CORE_TARGET_UNALIGNED32], rows[i].fetch_wait);
    }
    core_close(&c);
}

/* --- Files that are refused. Line 1 is `core`, 2 `title`, 3 `isa`, 4 `assumes`, 5 `sources`, 6 the source, 7
 * `classes`. */

#define HEAD "core: mine\ntitle: t\nisa: rv32imc\nassumes: nothing\nsources:\n- {key: S, document: d}\nclasses:\n"
enum { FIRST_CLASS_LINE = 8, TEXT = 4096 };

/* A file whose class number `changed` has the text `row` instead; the end of the file is `tail`. */
static void write_classes(char text[TEXT], unsigned changed, const char *row, const char *tail)
{
    size_t n = (size_t)snprintf(text, TEXT, HEAD);
    for (unsigned i = 0; i < CORE_CLASS_ROWS; i++)
        n += i == changed ? (size_t)snprintf(text + n, TEXT - n, "%s\n", row)
                          : (size_t)snprintf(text + n, TEXT - n, "- {name: %s, cycles: 2, kind: assumed, note: n}\n",
                                             core_row_name((enum core_row)i));
    snprintf(text + n, TEXT - n, "%s", tail);
}

static void refuse(const char *text, const char *error)
{
    struct core c;
    struct mh_error err = {""};
    if (!core_load(&c, "f.yaml", text, strlen(text), &err)) {
        core_close(&c);
        fail_msg("accepted, but should say: %s", error);
    }
    assert_has(err.text, error);
}

TEST(test_good)
{
    char text[TEXT];
    struct core c;
    struct mh_error err;

    write_classes(text, CORE_ROWS, "",
                  "events:\n- {name: irq_entry, cycles: 0, max: 4, kind: doc, source: S, quote: q}\n");
    assert_good(!core_load(&c, "f.yaml", text, strlen(text), &err), err);
    assert_string_equal(c.name, "mine");
    assert_int_equal(c.values[CORE_DIV].cycles[CORE_CYCLES], 2);
    assert_int_equal(c.values[CORE_IRQ_ENTRY].cycles[CORE_MIN], 0);
    assert_int_equal(c.values[CORE_IRQ_ENTRY].cycles[CORE_MAX], 4);
    assert_false(c.values[CORE_IRQ_WAKE].given);
    core_close(&c);
}

TEST(test_bad_values)
{
    static const struct {
        const char *row, *error;
    } rows[] = {
        {"- {name: alu, cycles: 3, min: 4, kind: assumed, note: n}",
         "f.yaml:8: min <= cycles <= max does not hold: 4, 3, 3"},
        {"- {name: alu, cycles: 3, max: 2, kind: assumed, note: n}",
         "f.yaml:8: min <= cycles <= max does not hold: 3, 3, 2"},
        {"- {name: alu, cycles: 0, kind: assumed, note: n}", "f.yaml:8: an instruction takes at least 1 cycle"},
        {"- {name: alu, cycles: 2, min: 0, kind: assumed, note: n}", "f.yaml:8: an instruction takes at least 1 cycle"},
        {"- {name: alu, cycles: 1001, kind: assumed, note: n}",
         "f.yaml:8: cycles is a whole number, 0..1000, not '1001'"},
        {"- {name: alu, cycles: -1, kind: assumed, note: n}", "f.yaml:8: cycles is a whole number"},
        {"- {name: alu, cycles: 1.5, kind: assumed, note: n}", "f.yaml:8: cycles is a whole number"},
        {"- {name: alu, cycles: 99999999999999999999, kind: assumed, note: n}", "f.yaml:8: cycles is a whole number"},
        {"- {name: alu, cycles: [1], kind: assumed, note: n}", "f.yaml:8: expected a text"},
        {"- {name: alu, kind: assumed, note: n}", "f.yaml:8: cycles is missing"},
        {"- {cycles: 1, kind: assumed, note: n}", "f.yaml:8: name is missing"},
        {"- {name: alu, cycles: 1, note: n}", "f.yaml:8: kind is missing: doc, rtl, measured or assumed"},
        {"- {name: alu, cycles: 1, kind: guess, note: n}",
         "f.yaml:8: kind is one of: doc rtl measured assumed; not 'guess'"},
        {"- {name: alu, cycles: 1, kind: doc, source: S}", "f.yaml:8: a value of kind doc needs source and quote"},
        {"- {name: alu, cycles: 1, kind: doc, quote: q}", "f.yaml:8: a value of kind doc needs source and quote"},
        {"- {name: alu, cycles: 1, kind: measured, source: S}",
         "f.yaml:8: a value of kind measured needs source and quote"},
        {"- {name: alu, cycles: 1, kind: rtl, source: S}",
         "f.yaml:8: a value of kind rtl needs source, and quote or note"},
        {"- {name: alu, cycles: 1, kind: rtl, note: n}",
         "f.yaml:8: a value of kind rtl needs source, and quote or note"},
        {"- {name: alu, cycles: 1, kind: assumed}", "f.yaml:8: a value of kind assumed needs a note: why this value"},
        {"- {name: alu, cycles: 1, kind: doc, source: X, quote: q}", "f.yaml:8: no source 'X': add it to `sources`"},
        {"- {name: alu, cycles: 1, kind: assumed, note: n, cycle: 2}",
         "f.yaml:8: a value has no key 'cycle'; nearest: cycles; there are: name"},
        {"- {name: alu, cycles: 1, cycles: 2, kind: assumed, note: n}",
         "f.yaml:8: a value: key 'cycles' is given twice"},
        {"- {name: add, cycles: 1, kind: assumed, note: n}", "f.yaml:8: no class 'add'; there are: alu shift_imm"},
        {"- {name: irq_entry, cycles: 1, kind: assumed, note: n}", "f.yaml:8: no class 'irq_entry'"},
        {"- {name: div, cycles: 1, kind: assumed, note: n}", "f.yaml:13: 'div' is given twice"},
        {"- alu", "f.yaml:8: a value takes keys and values"},
        {"#", "f.yaml:1: class 'alu' (arithmetic, logic, compares, lui, auipc) is missing"},
    };
    char text[TEXT];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_classes(text, CORE_ALU, rows[i].row, "");
        refuse(text, rows[i].error);
    }
    write_classes(text, CORE_BRANCH_TAKEN, "- {name: branch_taken, cycles: 1, kind: assumed, note: n}", "");
    refuse(text, "f.yaml:1: branch_taken is shorter than branch_not_taken, in min");
    write_classes(text, CORE_BRANCH_NOT_TAKEN, "- {name: branch_not_taken, cycles: 2, max: 3, kind: assumed, note: n}",
                  "");
    refuse(text, "f.yaml:1: branch_taken is shorter than branch_not_taken, in max");
}

TEST(test_bad_ends)
{
    static const struct {
        const char *tail, *error;
    } rows[] = {
        {"events:\n- {name: alu, cycles: 1, kind: assumed, note: n}\n",
         "f.yaml:29: no event 'alu'; there are: target_unaligned32"},
        {"events: 3\n", "f.yaml:28: events takes a list of at most 11 rows"},
        {"event: []\n", "f.yaml:28: a core has no key 'event'; nearest: events; there are: core title"},
        {"checks:\n- {name: n, source: S, instructions: 1, cycles: 1}\n", "f.yaml:29: a check needs counts"},
        {"checks:\n- {name: n, source: S, counts: [1], instructions: 1, cycles: 1}\n",
         "f.yaml:29: a check needs counts"},
        {"checks:\n- {name: n, source: S, counts: {x: 1}, instructions: 1, cycles: 1}\n",
         "f.yaml:29: no class or event 'x'; there are: alu "},
        {"checks:\n- {name: n, source: S, counts: {alu: -1}, instructions: 1, cycles: 1}\n", "alu is a whole number"},
        {"checks:\n- {name: n, source: S, counts: {alu: 1, alu: 1}, instructions: 1, cycles: 1}\n", "given twice"},
        {"checks:\n- {name: n, source: X, counts: {alu: 1}, instructions: 1, cycles: 1}\n", "f.yaml:29: no source 'X'"},
        {"checks:\n- {name: n, source: S, counts: {alu: 1}, cycles: 1}\n",
         "f.yaml:29: a check needs instructions and cycles"},
        {"checks:\n- {name: n, counts: {alu: 1}, instructions: 1, cycles: 1}\n", "f.yaml:29: source is missing"},
        {"checks:\n- {name: n, source: S, counts: {alu: 3}, instructions: 4, cycles: 6}\n",
         "f.yaml:29: the counts of classes sum up to 3 instructions, not 4"},
        {"checks:\n- {name: n, source: S, counts: {alu: 3}, instructions: 3, cycles: 7}\n",
         "f.yaml:29: the table gives 6 cycles, published are 7"},
        {"core: again\n", "f.yaml:28: a core: key 'core' is given twice"},
        {"  - broken: [\n", "f.yaml:"},
    };
    char text[TEXT];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_classes(text, CORE_ROWS, "", rows[i].tail);
        refuse(text, rows[i].error);
    }
}

TEST(test_bad_heads)
{
    refuse("", "f.yaml: is empty");
    refuse("- 1\n", "f.yaml:1: a core takes keys and values");
    refuse("core: a b\ntitle: t\nisa: i\nassumes: a\n", "f.yaml:1: core: a name of at most 31 letters");
    refuse("core: a234567890123456789012345678901x\ntitle: t\nisa: i\nassumes: a\n",
           "f.yaml:1: core: a name of at most 31");
    refuse("title: t\n", "f.yaml:1: core is missing");
    refuse("core: c\n", "f.yaml:1: title is missing");
    refuse("core: c\ntitle: t\n", "f.yaml:1: isa is missing");
    refuse("core: c\ntitle: t\nisa: i\n", "f.yaml:1: assumes is missing");
    refuse("core: c\ntitle: t\nisa: i\nassumes: a\nsources:\n- {key: S}\n", "f.yaml:6: a source has either repo");
    refuse("core: c\ntitle: t\nisa: i\nassumes: a\nsources:\n- {key: S, repo: r, path: p}\n",
           "f.yaml:6: a source has either");
    refuse("core: c\ntitle: t\nisa: i\nassumes: a\nsources:\n- {key: S, repo: r, path: p, commit: c, document: d}\n",
           "f.yaml:6: a source has either");
    refuse("core: c\ntitle: t\nisa: i\nassumes: a\nsources:\n- {key: S, document: d}\n- {key: S, document: d}\n",
           "f.yaml:7: source 'S' is given twice");
}

/* --- Names and paths. */

TEST(test_path)
{
    const char *path = in_base("mine.yaml");
    char text[TEXT];
    struct core c;
    struct mh_error err;

    assert_int_equal(core_open(&c, path, &err), -1);
    assert_non_null(strstr(err.text, path));
    write_classes(text, CORE_ROWS, "", "");
    assert_int_equal(write_file(path, text, strlen(text), &err), 0);
    open_core(&c, path);
    assert_string_equal(c.name, "mine");
    core_close(&c);
    assert_int_equal(write_file(path, text, 20, &err), 0);
    assert_int_equal(core_open(&c, path, &err), -1);
    assert_memory_equal(err.text, path, strlen(path));
}

TEST(test_unknown)
{
    struct core c;
    struct mh_error err;

    assert_int_equal(core_open(&c, "ibx", &err), -1);
    assert_non_null(strstr(
        err.text, "unknown core 'ibx'; nearest: ibex; there are: ipc1 ibex ibex-slow ibex-max picorv32 picorv32-fast "
                  "inorder5; or give the path of a YAML file"));
    assert_int_equal(core_open(&c, "", &err), -1);
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
