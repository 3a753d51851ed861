/*
 * Who said a value that is refused: an assignment, the workload, the design, the file and its line, or nobody. Options
 * are those of the command line; configurations are made without kernels, which are not needed for it.
 */
#include "unit/config_text.h"

#include "run/origin.h"
#include "unit/temp_dir.h"

/* As `memhelm run` does; a tenant's kernel may have any name. */
static int make(const struct options *o, struct mh_config *cfg, struct mh_error *err)
{
    memset(cfg, 0, sizeof *cfg);
    if (mh_config_preset(cfg, o->preset ? o->preset : "mask", err) ||
        (o->design && mh_config_design(cfg, o->design, err)) || (o->config && mh_config_load(cfg, o->config, err)) ||
        (o->workload && mh_config_workload(cfg, o->workload, err)))
        return -1;
    for (unsigned i = 0; i < o->set_count; i++)
        if (mh_config_set(cfg, o->sets[i], err))
            return -1;
    return mh_config_resolve(cfg, err);
}

/* Options with the assignments of `sets`, parted by blanks, and a file that holds `yaml`; NULL = none. */
static void tell(struct options *o, const char *yaml, const char *workload, const char *sets)
{
    static char copy[400];
    static char path[HOST_PATH];
    struct mh_error err;
    memset(o, 0, sizeof *o);
    o->workload = workload;
    snprintf(copy, sizeof copy, "%s", sets);
    for (char *set = strtok(copy, " "); set; set = strtok(NULL, " "))
        o->sets[o->set_count++] = set;
    if (!yaml)
        return;
    snprintf(path, sizeof path, "%s", in_base("a.yaml"));
    assert_int_equal(write_file(path, yaml, strlen(yaml), &err), 0);
    o->config = path;
}

/* `o` is refused with a text that starts with `expected`, in which the path of the file is F. */
static void assert_blames(const struct options *o, const char *expected)
{
    struct mh_config cfg;
    struct mh_error err;
    char text[sizeof err.text];
    if (!make(o, &cfg, &err))
        fail_msg("accepted, without: %s", expected);
    assert_int_equal(origin_name(o, make, &cfg, &err), -1);
    const char *path = o->config ? strstr(err.text, o->config) : NULL;
    if (path)
        snprintf(text, sizeof text, "%.*sF%s", (int)(path - err.text), err.text, path + strlen(o->config));
    else
        snprintf(text, sizeof text, "%s", err.text);
    if (strncmp(text, expected, strlen(expected)))
        fail_msg("says:\n  %s\nand should start with:\n  %s", text, expected);
}

static void test_assignments(void **state)
{
    struct options o;
    (void)state;
    tell(&o, NULL, "A+B", "l2.latency=9 l2tlb.ways=17 l2.ports=1");
    assert_blames(&o, "--set l2tlb.ways=17: l2tlb.entries: 512 entries do not make");
    tell(&o, "l2tlb:\n  entries: 512\n", "A", "l2tlb.ways=17"); /* the file's value is not to blame */
    assert_blames(&o, "--set l2tlb.ways=17: l2tlb.entries: 512 entries");
    tell(&o, "l2tlb:\n  entries: 512\n", "A", "l2tlb.entries=500"); /* nor is its line, which does not count */
    assert_blames(&o, "--set l2tlb.entries=500: l2tlb.entries: 500 entries");
    tell(&o, NULL, "A", "l2tlb.ways=17 l2tlb.ways=19");
    assert_blames(&o, "--set l2tlb.ways=19: l2tlb.entries");
    tell(&o, NULL, "A", "l2tlb.ways=many l2tlb.ways=19"); /* not the last one: it is no number, whoever replaces it */
    assert_blames(&o, "--set l2tlb.ways=many: l2tlb.ways: many is not a whole number");
    tell(&o, NULL, "A", "l2.wayz=3"); /* said once */
    assert_blames(&o, "--set l2.wayz=3: unknown key 'wayz' in l2;");
}

/* Leaving out one alone does not make it pass: the one that gives the key of the message is to blame, if there is one.
 */
static void test_two_assignments(void **state)
{
    struct options o;
    (void)state;
    tell(&o, NULL, "A", "l2.banks=3 l2tlb.ways=17");
    assert_blames(&o, "l2tlb.entries: 512 entries");
    tell(&o, NULL, "A", "l2tlb.entries=500 l2.banks=3 dram.row_bytes=300");
    assert_blames(&o, "--set l2tlb.entries=500: l2tlb.entries: 500 entries");
}

/* Options that stand for an assignment are called by their own names. */
static void test_short_options(void **state)
{
    struct options o;
    (void)state;
    tell(&o, NULL, "A", "tenants[0].arrive=100");
    assert_int_equal(options_add_short(&o, SHORT_CYCLES, "99"), 0);
    assert_blames(&o, "--cycles 99: tenants[0].arrive: cycle 100, but the run ends at 99");
    tell(&o, NULL, "A", "");
    assert_int_equal(options_add_short(&o, SHORT_CYCLES, "0"), 0);
    assert_blames(&o, "--cycles 0: run.cycles: 0 is out of range");
    tell(&o, NULL, "A", "run.cycles=ten");
    assert_int_equal(options_add_short(&o, SHORT_CYCLES, "99"), 0);
    assert_blames(&o, "--set run.cycles=ten: run.cycles: ten is not a whole number");
}

static void test_lines_of_a_file(void **state)
{
    struct options o;
    (void)state;
    tell(&o, "sm:\n  count: 30\n  lanes: 48\n", "A", "");
    assert_blames(&o, "F:3: sm.lanes: 48; allowed: 32 or 64");
    tell(&o, "sm:\n  count: 30\n  lanes: 48\n", "A", "l2.latency=9"); /* an assignment that has nothing to do with it */
    assert_blames(&o, "F:3: sm.lanes: 48");
    tell(&o, "sm:\n  count: ten\n", "A", "l2.latency=9"); /* the reader has said the line already */
    assert_blames(&o, "F:2: sm.count: ten is not a whole number");
    tell(&o, "tenants:\n- kernel: A\n- kernel: B\n  leave: 5\n  arrive: 6\n", NULL, "");
    assert_blames(&o, "F:4: tenants[1].leave: cycle 5, but it arrives at 6");
}

/* The assignment, and the line of the tenant that it does not go with. */
static void test_assignment_and_line(void **state)
{
    struct options o;
    static const char yaml[] = "tenants:\n- {kernel: A, sm_count: 15}\n- {kernel: B, sm_count: 15}\n";
    (void)state;
    tell(&o, yaml, NULL, "sm.count=20");
    assert_blames(&o, "--set sm.count=20, F:3: tenants[1]: SMs 15..29, but sm.count is 20");
    tell(&o, yaml, NULL, "tenants[1].sm_count=16");
    assert_blames(&o, "--set tenants[1].sm_count=16, F:3: tenants[1]: SMs 15..30, but sm.count is 30");
}

static void test_workload(void **state)
{
    struct options o;
    (void)state;
    tell(&o, NULL, "A+B+C", "");
    assert_int_equal(make(&o, &(struct mh_config){0}, &(struct mh_error){""}), 0);
    tell(&o, "sm:\n  count: 2\n", "A+B+C", "");
    assert_blames(&o, "--workload A+B+C: tenants: 3 tenants on 2 SMs");
    tell(&o, "tenants:\n- kernel: X\n", "A+B", "l2.latency=9 sm.count=1"); /* the file's tenants are not those */
    assert_blames(&o, "--set sm.count=1: tenants: 2 tenants on 1 SMs");
}

static void test_designs(void **state)
{
    struct options o;
    (void)state;
    tell(&o, NULL, "A+B+C", "");
    o.preset = "simt"; /* two channels */
    o.design = "Static";
    assert_blames(&o, "--design Static: dram.partition: 3 tenants, but dram.channels is 2");
    tell(&o, "preset: simt\ndesign: Static\n", "A+B+C", "");
    assert_blames(&o, "F:2: dram.partition: 3 tenants");
    tell(&o, NULL, "A+B+C", "dram.channels=2"); /* the preset has eight: not the design's fault */
    o.design = "Static";
    assert_blames(&o, "--set dram.channels=2: dram.partition: 3 tenants");
}

/* Nobody said what is missing. */
static void test_nobody(void **state)
{
    struct options o;
    (void)state;
    tell(&o, NULL, NULL, "");
    assert_blames(&o, "tenants: 0; a run needs 1..8: choose a workload");
    tell(&o, NULL, NULL, "l2.latency=9");
    assert_blames(&o, "tenants: 0; a run needs 1..8");
}

static void test_set_at_once(void **state)
{
    struct mh_config cfg;
    struct mh_error err;
    (void)state;
    preset(&cfg);
    assert_int_equal(origin_set(&cfg, "l2.ways=8", &err), 0);
    assert_int_equal(cfg.l2.ways, 8);
    assert_int_equal(origin_set(&cfg, "l2.wayz=3", &err), -1);
    assert_says(&err, "--set l2.wayz=3: unknown key 'wayz' in l2; nearest: l2.ways");
    assert_int_equal(origin_set(&cfg, "l2.ways=0", &err), -1);
    assert_says(&err, "--set l2.ways=0: l2.ways: 0 is out of range");
    assert_null(strstr(err.text, "'l2.ways=0'"));
}

int test_host_origin(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assignments),
        cmocka_unit_test(test_two_assignments),
        cmocka_unit_test(test_short_options),
        cmocka_unit_test(test_lines_of_a_file),
        cmocka_unit_test(test_assignment_and_line),
        cmocka_unit_test(test_workload),
        cmocka_unit_test(test_designs),
        cmocka_unit_test(test_nobody),
        cmocka_unit_test(test_set_at_once),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
