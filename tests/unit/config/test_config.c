/* Reading configurations: every class of bad input has its line and says what is allowed. */
#include "memhelm/text.h"
#include "unit/config_text.h"

static struct mh_error err;

/* One bad file: its text and what the error starts with and contains. */
struct bad {
    const char *text, *start, *part;
};

static void check_bad(const struct bad *rows, size_t count)
{
    struct mh_config cfg, before;
    for (size_t i = 0; i < count; i++) {
        preset(&cfg);
        memcpy(&before, &cfg, sizeof cfg);
        if (load_text(&cfg, rows[i].text, &err) != -1)
            fail_msg("accepted:\n%s", rows[i].text);
        if (strncmp(err.text, rows[i].start, strlen(rows[i].start)))
            fail_msg("error is:\n  %s\nand should start with %s for:\n%s", err.text, rows[i].start, rows[i].text);
        assert_has(err.text, rows[i].part);
        assert_memory_equal(&cfg, &before, sizeof cfg);
    }
}

#define CHECK_BAD(rows) check_bad(rows, sizeof rows / sizeof *rows)

TEST(test_unknown_keys)
{
    static const struct bad rows[] = {
        {"sm:\n  count: 4\n  cuont: 5\n", "F:3: unknown key 'cuont' in sm",
         "nearest: sm.count; allowed: scheduler scheduler_alone group fault_last schedulers"},
        {"# x\n\nl3:\n  bytes: 1\n", "F:3: unknown key 'l3'", "allowed: base preset design clock mcu sm"},
        {"cycles: 5\n", "F:1: unknown key 'cycles'", "nearest: run.cycles"},
        {"sm.count: 5\n", "F:1: unknown key 'sm.count'", "; write `sm: {count: ..}`; allowed: base"},
        {"tenants:\n- kernel: MVT\n  sizes: 4\n", "F:3: unknown key 'sizes'",
         "nearest: size; allowed: kernel size asid"},
        {"{dram: {cl: 3,\n  zz: 4}}", "F:2: unknown key 'zz' in dram", "allowed: channels banks"},
    };
    CHECK_BAD(rows);
}

TEST(test_duplicates)
{
    static const struct bad rows[] = {
        {"sm:\n  count: 4\n  lanes: 32\n  count: 5\n", "F:4: key 'count' of sm is given twice", "first in line 2"},
        {"sm: {count: 4}\nl2: {banks: 8}\nsm: {lanes: 32}\n", "F:3: key 'sm' is given twice", "first in line 1"},
        {"tenants:\n- kernel: A\n  kernel: B\n", "F:3: key 'kernel' of tenants[0]", "first in line 2"},
    };
    CHECK_BAD(rows);
}

TEST(test_values)
{
    static const struct bad rows[] = {
        {"l2:\n  ways: 0\n", "F:2: l2.ways: 0 is out of range", "allowed: 1..64 ways"},
        {"walk:\n  walkers: 1025\n", "F:2: walk.walkers: 1025 is out of range", "allowed: 1..1024 walks, or unlimited"},
        {"walk:\n  walkers: 0\n", "F:2: walk.walkers: 0 means that no walk could ever run; allowed: 1..1024 walks, or",
         "or unlimited (running at once; unlimited: one"},
        {"walk: {walkers: 0x0}\n", "F:1: walk.walkers: 0 means that no walk", "or unlimited"},
        {"walk: {walkers: inf}\n", "F:1: walk.walkers: inf is not a whole number", "1..1024 walks, or unlimited"},
        {"mcu: {hz: unlimited}\n", "F:1: mcu.hz: unlimited is no clock in Hz", "0..10000000000 Hz, or inf"},
        {"l2: {ways: unlimited}\n", "F:1: l2.ways: unlimited is not", "allowed: 1..64"},
        {"mcu: {quantum: 65}\n", "F:1: mcu.quantum: 65 is out of range", "allowed: 1..64 instructions"},
        {"walk:\n  levels: 2\n", "F:2: walk.levels: 2", "allowed: 3..6 levels"},
        {"sm:\n  count: -1\n", "F:2: sm.count: -1 is not a whole number", "allowed: 1..256 SMs"},
        {"sm:\n  count: 4.5\n", "F:2: sm.count: 4.5 is not a whole number", "1..256"},
        {"sm:\n  count: ten\n", "F:2: sm.count: ten is not", "1..256"},
        {"sm:\n  count:\n", "F:2: sm.count", "1..256"},
        {"sm:\n  count: \"4\"\n", "F:2: sm.count is a number: write 4 without quotes", ""},
        {"sm:\n  count: inf\n", "F:2: sm.count: inf is not", ""},
        {"run: {seed: 99999999999999999999}\n", "F:1: run.seed", "fits 64 bits"},
        {"run: {epoch: 99}\n", "F:1: run.epoch: 99 is out of range", "100..2147483647"},
        {"tenants:\n- kernel: MVT\n- kernel: GUPS\n  asid: 9\n", "F:4: tenants[1].asid: 9", "0..8"},
        {"mcu: {hz: fast}\n", "F:1: mcu.hz: fast", "allowed: 0..10000000000 Hz, or inf"},
    };
    CHECK_BAD(rows);
}

TEST(test_shapes)
{
    static const struct bad rows[] = {
        {"- a\n- b\n", "F:1: a configuration is a mapping", ""},
        {"just words\n", "F:1: a configuration is a mapping", ""},
        {"\nsm: 4\n", "F:2: sm is a section", ""},
        {"sm:\n  count: [4]\n", "F:2: sm.count takes one value", ""},
        {"sm:\n  count:\n    deep: 4\n", "F:3: sm.count takes one value", ""},
        {"tenants: MVT\n", "F:1: tenants takes a list", "- {kernel: MVT}"},
        {"tenants:\n- MVT\n", "F:2: tenants[0] takes a mapping", ""},
        {"tenants:\n- size: 4\n", "F:2: tenants[0] has no kernel", ""},
        {"sm:\n  ? [a, b]\n  : 4\n", "F:2: a key must be plain text", ""},
        {"sm: {count: 4}\n---\nsm: {count: 5}\n", "F:3: a second YAML document", ""},
        {"sm: {\"cou\\0nt\": 4}\n", "F:1: a key must be plain text", ""},
    };
    CHECK_BAD(rows);
}

TEST(test_syntax)
{
    static const struct bad rows[] = {
        {"sm:\n  count: 4\n bad\n", "F:3: not YAML:", ""}, {"sm: {count: 4\n", "F:2: not YAML:", ""},
        {"sm:\n\tcount: 4\n", "F:2: not YAML:", ""},       {"a: *nowhere\n", "F:1: not YAML:", ""},
        {"sm: {count: \"\xff\"}\n", "F:1: not YAML:", ""},
    };
    CHECK_BAD(rows);
}

/* 64 of lists and mappings, and not one more. */
TEST(test_depth)
{
    static const char open[] = "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[";
    char text[256];
    assert_int_equal(strlen(open), MH_YAML_DEPTH);
    assert_int_equal(mh_yaml_depth(open, strlen(open), "F", &err), 0);
    snprintf(text, sizeof text, "a:\n  - 1\n  - %s", open);
    assert_int_equal(mh_yaml_depth(text, strlen(text), "F", &err), -1);
    assert_string_equal(err.text, "F:3: lists and mappings in each other, more than 64 deep: close some");
    snprintf(text, sizeof text, "[[], {}]\n");
    assert_int_equal(mh_yaml_depth(text, strlen(text), "F", &err), 0);
}

TEST(test_too_many_tenants)
{
    char text[256] = "tenants:\n";
    struct mh_config cfg;
    preset(&cfg);
    for (int i = 0; i < 9; i++)
        strcat(text, "- {kernel: MVT}\n");
    assert_int_equal(load_text(&cfg, text, &err), -1);
    assert_string_equal(err.text, "F:10: more than 8 tenants");
}

TEST(test_files)
{
    struct mh_config cfg;
    preset(&cfg);
    assert_int_equal(mh_config_load(&cfg, "/nonexistent/a.yaml", &err), -1);
    assert_has(err.text, "/nonexistent/a.yaml: cannot open: No such file");
    assert_int_equal(mh_config_load(&cfg, "/", &err), -1);
    assert_has(err.text, "/: cannot read");
    assert_int_equal(load_text(&cfg, "", &err), 0);
    assert_int_equal(load_text(&cfg, "# nothing\n", &err), 0);
}

TEST(test_preset_in_file)
{
    struct mh_config cfg;
    memset(&cfg, 0, sizeof cfg);
    assert_int_equal(load_text(&cfg, "l2tlb: {entries: 0x100}\npreset: mask\nmcu: {hz: inf}\n", &err), 0);
    assert_string_equal(cfg.preset, "mask");
    assert_int_equal(cfg.l2tlb.entries, 256); /* the key before `preset` stays */
    assert_int_equal(cfg.sm.count, 30);
    assert_int_equal(cfg.mcu.hz, 0);
    assert_int_equal(load_text(&cfg, "sm: {count: 4}\npreset: musk\n", &err), -1);
    assert_has(err.text, "F:2: unknown preset 'musk'; there are: mask fermi integrated simt dws etc ccbp");
}

static void load_ok(struct mh_config *cfg, const char *text)
{
    assert_good(!load_text(cfg, text, &err), err);
}

/* The preset, then the design, then the other keys, wherever they stand. */
TEST(test_design_in_file)
{
    struct mh_config cfg;
    memset(&cfg, 0, sizeof cfg);
    load_ok(&cfg, "walk: {pwc_bytes: 4096}\ndesign: PWCache\npreset: dws\n");
    assert_string_equal(cfg.preset, "dws");
    assert_string_equal(cfg.design, "PWCache");
    assert_int_equal(cfg.l2tlb.entries, 0);
    assert_int_equal(cfg.walk.pwc_bytes, 4096); /* the file's own key, before `design` */
    assert_int_equal(cfg.walk.pwc_ways, 16);
    assert_int_equal(cfg.walk.walkers, 16); /* the preset's */
}

/* A design that was chosen first counts for a file's preset; a file that wants another is refused. */
TEST(test_design_before_file)
{
    struct mh_config cfg;
    preset(&cfg);
    assert_int_equal(mh_config_design(&cfg, "Ideal", &err), 0);
    load_ok(&cfg, "preset: fermi\n");
    assert_string_equal(cfg.design, "Ideal");
    assert_int_equal(cfg.l1tlb.ideal, 1);
    load_ok(&cfg, "design: Ideal\nl1tlb: {ideal: 0}\n");
    assert_int_equal(cfg.l1tlb.ideal, 0);
    assert_int_equal(load_text(&cfg, "sm: {count: 4}\ndesign: PWCache\n", &err), -1);
    assert_string_equal(err.text, "F:2: design 'PWCache', but --design Ideal: leave out one of them");
    assert_int_equal(load_text(&cfg, "preset: fermi\ndesign: PWCache\n", &err), -1);
    assert_string_equal(err.text, "F:2: design 'PWCache', but --design Ideal: leave out one of them");
    assert_int_equal(load_text(&cfg, "preset: fermi\ndesign: \"\"\n", &err), -1);
    assert_string_equal(err.text, "F:2: design '', but --design Ideal: leave out one of them");
    preset(&cfg);
    assert_int_equal(load_text(&cfg, "preset: mask\ndesign: pwcache\n", &err), -1);
    assert_string_equal(err.text, "F:2: unknown design 'pwcache'; there are: SharedTLB PWCache Ideal Static "
                                  "unlimited-walkers simulator S-TLB S-TLB+PTW");
}

/* What each of them is, and that the others' keys stay the preset's. */
TEST(test_designs)
{
    struct mh_config mask, cfg;
    preset(&mask);
    for (const char *const *n = mh_design_names(); *n; n++) {
        preset(&cfg);
        assert_non_null(mh_design_summary(*n));
        assert_int_equal(mh_config_design(&cfg, *n, &err), 0);
        assert_int_equal(cfg.l2tlb.entries, strcmp(*n, "PWCache") ? 512 : 0);
        assert_int_equal(cfg.walk.pwc_bytes, strcmp(*n, "PWCache") ? 0 : 8192);
        assert_int_equal(cfg.l1tlb.ideal, !strcmp(*n, "Ideal"));
        assert_int_equal(cfg.l2.partition, !strcmp(*n, "Static"));
        assert_int_equal(cfg.dram.partition, !strcmp(*n, "Static"));
        assert_int_equal(cfg.walk.walkers, strcmp(*n, "unlimited-walkers") && strcmp(*n, "simulator") ? 64 : 0);
        assert_int_equal(cfg.l1tlb.on_miss, strcmp(*n, "simulator") ? MH_ON_MISS_PASS : MH_ON_MISS_HOLD);
        assert_int_equal(cfg.l2.queue_latency, strcmp(*n, "simulator") ? 0 : 85);
        assert_int_equal(cfg.sm.lanes, strcmp(*n, "simulator") ? 64 : 32);
        assert_int_equal(cfg.sm.warps, strcmp(*n, "simulator") ? 32 : 48);
        assert_int_equal(cfg.sm.lanes * cfg.sm.schedulers, 64);
        assert_int_equal(cfg.walk.pte_bytes, 8);
        assert_int_equal(cfg.l2tlb.private, !strncmp(*n, "S-TLB", 5));
        assert_int_equal(cfg.walk.private, !strcmp(*n, "S-TLB+PTW"));
        assert_string_equal(cfg.design, *n);
        memset(cfg.design, 0, sizeof cfg.design);
        assert_int_equal(memcmp(&cfg, &mask, sizeof cfg) == 0, !strcmp(*n, "SharedTLB"));
    }
    assert_null(mh_design_summary("Statics"));
    assert_int_equal(mh_config_design(&cfg, "Statics", &err), -1);
}

TEST(test_tenants_replace)
{
    struct mh_config cfg;
    preset(&cfg);
    assert_int_equal(mh_config_workload(&cfg, "A+B+C", &err), 0);
    assert_int_equal(load_text(&cfg, "tenants:\n- {kernel: \"trace:a b,c.gmt\", size: 7, sm_count: 3}\n", &err), 0);
    assert_int_equal(cfg.tenants_count, 1);
    assert_string_equal(cfg.tenants[0].kernel, "trace:a b,c.gmt");
    assert_int_equal(cfg.tenants[0].size, 7);
    assert_string_equal(cfg.tenants[1].kernel, "");
}

static void check_workload(const char *spec, const char *part)
{
    struct mh_config cfg;
    preset(&cfg);
    if (mh_config_workload(&cfg, spec, &err) != -1)
        fail_msg("accepted: %s", spec);
    assert_has(err.text, part);
    assert_int_equal(cfg.tenants_count, 0);
}

TEST(test_workload)
{
    char longest[600] = "trace:";
    struct mh_config cfg;
    preset(&cfg);
    assert_int_equal(mh_config_workload(&cfg, "MVT:1024+trace:dir/a:b.gmt+GUPS", &err), 0);
    assert_int_equal(cfg.tenants_count, 3);
    assert_string_equal(cfg.tenants[0].kernel, "MVT");
    assert_int_equal(cfg.tenants[0].size, 1024);
    assert_string_equal(cfg.tenants[1].kernel, "trace:dir/a:b.gmt");
    assert_string_equal(cfg.tenants[2].kernel, "GUPS");
    assert_int_equal(cfg.tenants[2].size, 0);
    assert_int_equal(mh_config_workload(&cfg, "b+tree+MVT+B+Tree:40000+B", &err), 0); /* a name with a plus */
    assert_int_equal(cfg.tenants_count, 4);
    assert_string_equal(cfg.tenants[0].kernel, "b+tree");
    assert_string_equal(cfg.tenants[1].kernel, "MVT");
    assert_string_equal(cfg.tenants[2].kernel, "B+Tree");
    assert_int_equal(cfg.tenants[2].size, 40000);
    assert_string_equal(cfg.tenants[3].kernel, "B");
    assert_int_equal(mh_config_workload(&cfg, "B+Tree@x+SSSP@mesh:1000+BFS@uniform", &err), 0);
    assert_int_equal(cfg.tenants_count, 3);
    assert_string_equal(cfg.tenants[0].kernel, "B+Tree@x");
    assert_string_equal(cfg.tenants[1].kernel, "SSSP@mesh");
    assert_int_equal(cfg.tenants[1].size, 1000);
    check_workload("", "an empty part");
    check_workload("B+Tree+", "an empty part");
    check_workload("MVT++GUPS", "an empty part");
    check_workload("MVT+", "an empty part");
    check_workload(":4", "an empty part");
    check_workload("trace:", "an empty part");
    check_workload("MVT:", "size: '' is not a whole number");
    check_workload("MVT:big", "size: big is not a whole number");
    check_workload("A+A+A+A+A+A+A+A+A", "more than 8 tenants");
    memset(longest + 6, 'x', 520);
    check_workload(longest, "kernel: text of 526 bytes; at most 511");
}
