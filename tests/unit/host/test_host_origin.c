/*
 * The origin of a refused value: an assignment, the workload, the design, the file and its line, or none. Options
 * are those of the command line; configurations are made without kernels, which are not needed for it.
 */
#include "unit/config_text.h"

#include "run/setup.h"
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

/* A run, and how the refusal starts. */
static const struct {
    const char *preset, *design, *yaml, *workload, *sets, *cycles, *blames;
} refused[] = {
    /* Assignments: the last one counts, and a file that it replaces is not to blame. */
    {.workload = "A+B",
     .sets = "l2.latency=9 l2tlb.ways=17 l2.ports=1",
     .blames = "--set l2tlb.ways=17: l2tlb.entries: 512 entries do not make"},
    {.yaml = "l2tlb:\n  entries: 512\n",
     .sets = "l2tlb.ways=17",
     .blames = "--set l2tlb.ways=17: l2tlb.entries: 512 entries"},
    {.yaml = "l2tlb:\n  entries: 512\n",
     .sets = "l2tlb.entries=500",
     .blames = "--set l2tlb.entries=500: l2tlb.entries: 500 entries"},
    {.sets = "l2tlb.ways=17 l2tlb.ways=19", .blames = "--set l2tlb.ways=19: l2tlb.entries"},
    /* Not the last one: it is no number, whatever replaces it. */
    {.sets = "l2tlb.ways=many l2tlb.ways=19",
     .blames = "--set l2tlb.ways=many: l2tlb.ways: many is not a whole number"},
    {.sets = "l2.wayz=3", .blames = "--set l2.wayz=3: unknown key 'wayz' in l2;"},
    /* Leaving out one of two does not make it pass: the one that gives the key of the message, if there is one. */
    {.sets = "l2.banks=3 l2tlb.ways=17", .blames = "l2tlb.entries: 512 entries"},
    {.sets = "l2tlb.entries=500 l2.banks=3 dram.row_bytes=300",
     .blames = "--set l2tlb.entries=500: l2tlb.entries: 500 entries"},
    /* Options that stand for an assignment are called by their own names. */
    {.sets = "tenants[0].arrive=100",
     .cycles = "99",
     .blames = "--cycles 99: tenants[0].arrive: cycle 100, but the run ends at 99"},
    {.cycles = "0", .blames = "--cycles 0: run.cycles: 0 is out of range"},
    {.sets = "run.cycles=ten", .cycles = "99", .blames = "--set run.cycles=ten: run.cycles: ten is not a whole number"},
    /* Lines of a file; the reader has said one already. */
    {.yaml = "sm:\n  count: 30\n  lanes: 48\n", .blames = "F:3: sm.lanes: 48; allowed: 32 or 64"},
    {.yaml = "sm:\n  count: 30\n  lanes: 48\n", .sets = "l2.latency=9", .blames = "F:3: sm.lanes: 48"},
    {.yaml = "sm:\n  count: ten\n", .sets = "l2.latency=9", .blames = "F:2: sm.count: ten is not a whole number"},
    {.yaml = "tenants:\n- kernel: A\n- kernel: B\n  leave: 5\n  arrive: 6\n",
     .workload = "",
     .blames = "F:4: tenants[1].leave: cycle 5, but it arrives at 6"},
    /* The assignment, and the line of the tenant that it does not go with. */
    {.yaml = "tenants:\n- {kernel: A, sm_count: 15}\n- {kernel: B, sm_count: 15}\n",
     .workload = "",
     .sets = "sm.count=20",
     .blames = "--set sm.count=20, F:3: tenants[1]: SMs 15..29, but sm.count is 20"},
    {.yaml = "tenants:\n- {kernel: A, sm_count: 15}\n- {kernel: B, sm_count: 15}\n",
     .workload = "",
     .sets = "tenants[1].sm_count=16",
     .blames = "--set tenants[1].sm_count=16, F:3: tenants[1]: SMs 15..30, but sm.count is 30"},
    /* The workload; the file's tenants are not those. */
    {.yaml = "sm:\n  count: 2\n", .workload = "A+B+C", .blames = "--workload A+B+C: tenants: 3 tenants on 2 SMs"},
    {.yaml = "tenants:\n- kernel: X\n",
     .workload = "A+B",
     .sets = "l2.latency=9 sm.count=1",
     .blames = "--set sm.count=1: tenants: 2 tenants on 1 SMs"},
    /* simt has two channels; the preset of a run without one has eight. */
    {.preset = "simt",
     .design = "Static",
     .workload = "A+B+C",
     .blames = "--design Static: dram.partition: 3 tenants, but dram.channels is 2"},
    {.yaml = "preset: simt\ndesign: Static\n", .workload = "A+B+C", .blames = "F:2: dram.partition: 3 tenants"},
    {.design = "Static",
     .workload = "A+B+C",
     .sets = "dram.channels=2",
     .blames = "--set dram.channels=2: dram.partition: 3 tenants"},
    /* A missing value has no origin. */
    {.workload = "", .blames = "tenants: 0; a run needs 1..8: choose a workload"},
    {.workload = "", .sets = "l2.latency=9", .blames = "tenants: 0; a run needs 1..8"},
};

/* One tenant, A, where nothing is said; "" = no workload. */
TEST(test_refused)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const char *workload = refused[i].workload ? refused[i].workload : "A";
        struct options o;

        tell(&o, refused[i].yaml, *workload ? workload : NULL, refused[i].sets ? refused[i].sets : "");
        o.preset = refused[i].preset;
        o.design = refused[i].design;
        if (refused[i].cycles)
            assert_int_equal(options_add_short(&o, SHORT_CYCLES, refused[i].cycles), 0);
        assert_blames(&o, refused[i].blames);
    }
}

TEST(test_accepted)
{
    struct options o;

    tell(&o, NULL, "A+B+C", "");
    assert_int_equal(make(&o, &(struct mh_config){0}, &(struct mh_error){""}), 0);
}

TEST(test_set_at_once)
{
    struct mh_config cfg;
    struct mh_error err;

    preset(&cfg);
    assert_int_equal(origin_set(&cfg, "l2.ways=8", &err), 0);
    assert_int_equal(cfg.l2.ways, 8);
    assert_int_equal(origin_set(&cfg, "l2.wayz=3", &err), -1);
    assert_has(err.text, "--set l2.wayz=3: unknown key 'wayz' in l2; nearest: l2.ways");
    assert_int_equal(origin_set(&cfg, "l2.ways=0", &err), -1);
    assert_has(err.text, "--set l2.ways=0: l2.ways: 0 is out of range");
    assert_null(strstr(err.text, "'l2.ways=0'"));
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
