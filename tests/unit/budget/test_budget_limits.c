/* Limits, and the compiler's checks of divisions: number, cycles, and the source for which they ran. */
#include "unit/test.h"

#include "budget/limits.h"
#include "base/words.h"

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

TEST(test_bytes)
{
    struct checks c = checks_of(&code);
    assert_int_equal(c.sites, 3);
    assert_int_equal(c.bytes, 2 + 4 + 2 + 4 + 4);
    assert_int_equal(checks_of(&(struct code){lines + 7, 1}).sites, 0);
}

TEST(test_cycles)
{
    const struct profile p = {.nodes = nodes, .node_count = 6, .at = at, .at_count = 4};
    struct checks_run r = checks_executed(&code, &p, &functions, &hooks);
    /* 10 x 1 and 10 x 2, not taken; 4 taken: 1 + 2 and 1 for the odd half word */
    assert_int_equal(r.all.instructions, 24);
    assert_int_equal(r.all.cycles, 10 + 20 + 4 * 4);
    assert_int_equal(r.sources[MH_SOURCE_EPOCH].instructions, 20);
    assert_int_equal(r.sources[MH_SOURCE_EPOCH].cycles, 30);
    assert_int_equal(r.sources[MH_SOURCE_WALK_EPOCH].instructions, 0);
}

/* Without init, owner is the epoch's, too; one function for two sources counts for none. */
TEST(test_owners)
{
    const struct profile p = {.nodes = nodes, .node_count = 4, .at = at, .at_count = 4};
    struct hooks two = hooks;
    assert_int_equal(checks_executed(&code, &p, &functions, &hooks).sources[MH_SOURCE_EPOCH].instructions, 24);
    two.list[1] = (struct hook){"p", "on_event", 20, 0x116};
    assert_int_equal(checks_executed(&code, &p, &functions, &two).sources[MH_SOURCE_EPOCH].instructions, 0);
    assert_int_equal(checks_executed(&code, &p, &functions, &two).sources[MH_SOURCE_TENANT].instructions, 0);
    assert_int_equal(checks_executed(&code, &p, &functions, &two).all.instructions, 24);
}

/* --- Limits and the reference set: the built-in files, what each key does, and that a mistake is named with its line.
 */

static struct mh_error err;

static void said(int status, const char *part)
{
    assert_int_equal(status, -1);
    assert_has(err.text, part);
}

TEST(test_patterns)
{
    assert_true(patterns_fit("mask", "mask"));
    assert_false(patterns_fit("mask", "mask-tlb"));
    assert_true(patterns_fit("dws* mask-*", "mask-tlb"));
    assert_true(patterns_fit("  mask+dws  ", "mask+dws"));
    assert_false(patterns_fit("", "mask"));
    assert_false(patterns_fit("dws*", "mask+dws"));
}

#define NUMBERS "code: 100, data: 50, stack: 30, epoch: 20, walk_epoch: 10, arrival: 7"
#define LAST    ", tenant: 8, page_fault: 9, timer: 6, timer_2: 5}\n"
#define VALUES  "limits: {" NUMBERS LAST "core: ibex\n"

static struct limits limits;

static int load(const char *text)
{
    return limits_load(&limits, "l.yaml", text, strlen(text), &err);
}

TEST(test_limits)
{
    const struct exception *why;

    assert_int_equal(load(VALUES
                          "exceptions:\n"
                          "- {images: 'dws*', workload: crowd eig*, limit: walk_epoch, value: 12, core: c, reason: r}\n"
                          "- {images: 'dwspp', limit: walk_epoch, value: 11, core: c, reason: every}\n"
                          "- {images: '*', limit: stack, value: 31, core: c, reason: s}\n"),
                     0);
    assert_string_equal(limits.core, "ibex");
    assert_int_equal(limits_of(&limits, "mask", "eight", LIMIT_WALK_EPOCH, &why), 10);
    assert_null(why);
    assert_int_equal(limits_of(&limits, "dws", "eight", LIMIT_WALK_EPOCH, &why), 12);
    assert_string_equal(why->reason, "r");
    assert_int_equal(limits_of(&limits, "dws", "crowd", LIMIT_WALK_EPOCH, &why), 12);
    assert_int_equal(limits_of(&limits, "dws", "two", LIMIT_WALK_EPOCH, &why), 10);
    assert_int_equal(limits_of(&limits, "dws", "two", LIMIT_ARRIVAL, &why), 7);
    assert_int_equal(limits_of(&limits, "dws", "two", LIMIT_TENANT, &why), 8);
    assert_int_equal(limits_of(&limits, "dws", "two", LIMIT_PAGE_FAULT, &why), 9);
    assert_int_equal(limits_of(&limits, "dws", "two", LIMIT_TIMER, &why), 6);
    assert_int_equal(limits_of(&limits, "dws", "two", LIMIT_TIMER_2, &why), 5);
    assert_int_equal(limits_of(&limits, "dwspp", "two", LIMIT_WALK_EPOCH, &why), 11);
    assert_string_equal(why->reason, "every");
    assert_int_equal(limits_of(&limits, "mask", NULL, LIMIT_STACK, &why), 31);
    assert_int_equal(limits_of(&limits, "mask", NULL, LIMIT_CODE, &why), 100);
    limits_close(&limits);
}

TEST(test_bad_limits)
{
    said(load("core: x\n"), "l.yaml:1: limits is missing");
    said(load("limits: {code: 1, data: 1, stack: 1, epoch: 1}\ncore: x\n"), "l.yaml:1: limits: walk_epoch is missing");
    said(load("limits: {" NUMBERS "}\ncore: x\n"), "l.yaml:1: limits: tenant is missing");
    said(load("limits: {" NUMBERS ", tenant: 8}\n"), "l.yaml:1: limits: page_fault is missing");
    said(load("limits: {" NUMBERS ", tenant: 8, page_fault: 9, timer: 6}\n"), "l.yaml:1: limits: timer_2 is missing");
    said(load("limits: {" NUMBERS LAST), "core is missing");
    said(load("limits: {code: 0}\n"), "code is a whole number");
    said(load(VALUES "more: 1\n"), "l.yaml:3: the limits has no key 'more'");
    said(load(VALUES "exceptions: 5\n"), "l.yaml:3: exceptions: a list");
    said(load(VALUES "exceptions:\n- {images: a, limit: code, value: 1, core: c}\n"), "l.yaml:4: reason is missing");
    said(load(VALUES "exceptions:\n- {images: a, limit: code, value: 1, reason: r}\n"), "l.yaml:4: core is missing");
    said(load(VALUES "exceptions:\n- {images: a, limit: rodata, value: 1, core: c, reason: r}\n"), "limit is one of");
    said(load(VALUES "exceptions:\n- {images: a, limit: code, core: c, reason: r}\n"), "value is missing");
    said(load(VALUES "exceptions:\n- {images: a, workload: two, limit: code, value: 1, core: c, reason: r}\n"),
         "code does not depend on a workload");
    said(load(""), "l.yaml: is empty");
}

/* The limits of the repository hold what its issue asks for; every exception is explained. */
TEST(test_built_in_limits)
{
    assert_int_equal(limits_open(&limits, NULL, &err), 0);
    assert_int_equal(limits.values[LIMIT_CODE], 24 * 1024);
    assert_int_equal(limits.values[LIMIT_DATA], 8 * 1024);
    assert_int_equal(limits.values[LIMIT_STACK], 1024);
    assert_int_equal(limits.values[LIMIT_EPOCH], 10000);
    assert_int_equal(limits.values[LIMIT_WALK_EPOCH], 500);
    /* All tenants at once behind an epoch and a walk epoch, in CAP_EPOCH cycles of preset dws at 500 MHz. */
    uint64_t tenants = limits.values[LIMIT_TENANT] * 8 + limits.values[LIMIT_EPOCH] + limits.values[LIMIT_WALK_EPOCH];
    assert_in_range(tenants, 40000, 100000ull * 500 / 1137);
    /* What the FIFO holds, as fast as walks end in preset simt: 6608 in 300 000 cycles at 2 GHz. */
    assert_in_range(limits.values[LIMIT_ARRIVAL], 700, 300000ull * 64 / 6608 * 500 / 2000);
    /* Half of a fault's latency, 20 us, at 500 MHz; a tenth of the shortest of ETC's epochs, 50 us. */
    assert_in_range(limits.values[LIMIT_PAGE_FAULT], 1, 5000);
    assert_in_range(limits.values[LIMIT_TIMER], 1, 2500);
    for (unsigned i = 0; i < limits.exception_count; i++)
        assert_true(limits.exceptions[i].value > limits.values[limits.exceptions[i].limit]);
    limits_close(&limits);
    said(limits_open(&limits, "/nonexistent/limits.yaml", &err), "/nonexistent/limits.yaml");
}

#define PRESETS                                                                                                        \
    "cycles: 100\npresets:\n- {images: 'dws*', preset: dws, set: [a=1, b=2]}\n- {images: 'mask*', preset: mask}\n"
#define WORKLOADS                                                                                                      \
    "workloads:\n- {name: two, tenants: A+B}\n- {name: four, tenants: C, set: ['x=1', 'y=2'], check: yes}\n"

static struct reference reference;

static int load_reference(const char *text)
{
    return reference_load(&reference, "r.yaml", text, strlen(text), &err);
}

TEST(test_reference)
{
    assert_int_equal(load_reference(PRESETS WORKLOADS), 0);
    assert_int_equal(reference.cycles, 100);
    assert_int_equal(reference.workload_count, 2);
    assert_string_equal(reference.workloads[0].tenants, "A+B");
    assert_int_equal(reference.workloads[0].set_count, 0);
    assert_false(reference.workloads[0].check);
    assert_string_equal(reference.workloads[1].sets[1], "y=2");
    assert_true(reference.workloads[1].check);
    assert_string_equal(reference_preset(&reference, "dwspp")->preset, "dws");
    assert_int_equal(reference_preset(&reference, "dwspp")->set_count, 2);
    assert_string_equal(reference_preset(&reference, "dwspp")->sets[1], "b=2");
    assert_int_equal(reference_preset(&reference, "mask+dws")->set_count, 0);
    assert_string_equal(reference_preset(&reference, "mask+dws")->preset, "mask");
    assert_null(reference_preset(&reference, "simt"));
    reference_close(&reference);
}

TEST(test_bad_reference)
{
    said(load_reference(PRESETS), "r.yaml:1: workloads: a list of 1 to 8");
    said(load_reference(PRESETS "workloads: []\n"), "r.yaml:5: workloads: a list of 1 to 8");
    said(load_reference("presets: []\ncycles: 5\n"), "r.yaml:1: presets: a list");
    said(load_reference("presets: 1\n"), "cycles is missing");
    said(load_reference(PRESETS "workloads:\n- {name: a, tenants: b}\n"), "no workload has `check: yes`");
    said(load_reference(PRESETS "workloads:\n- {name: a, check: yes}\n"), "r.yaml:6: tenants is missing");
    said(load_reference(PRESETS "workloads:\n- {name: a, tenants: b, check: maybe}\n"), "check is one of: no yes");
}

/* Checked are as many tenants as the firmware has room for, and the papers' two; every image has a preset. */
TEST(test_built_in_reference)
{
    unsigned most = 0, least = 8;

    assert_int_equal(reference_open(&reference, NULL, &err), 0);
    assert_string_equal(reference_preset(&reference, "mask+dws")->preset, "dws");
    assert_string_equal(reference_preset(&reference, "walk-static")->preset, "dws");
    assert_string_equal(reference_preset(&reference, "walk-fcfs")->preset, "simt");
    assert_string_equal(reference_preset(&reference, "anything")->preset, "mask");
    for (unsigned i = 0; i < reference.workload_count; i++) {
        unsigned tenants = 1;
        for (const char *c = reference.workloads[i].tenants; *c; c++)
            tenants += *c == '+';
        if (!reference.workloads[i].check)
            continue;
        most = tenants > most ? tenants : most;
        least = tenants < least ? tenants : least;
    }
    assert_int_equal(most, 8);
    assert_int_equal(least, 2);
    reference_close(&reference);
}
