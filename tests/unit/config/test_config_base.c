/* The key `base:` of files and the assignments of the command line: precedence, refusals. */
#include "unit/test.h"
#include "unit/config_text.h"
#include "config/internal.h"

static struct mh_error err;

/* Files of a test, in the place of the built-in ones. */
static const struct mh_preset_set *files(size_t count, const char *const texts[][2])
{
    static struct mh_preset preset[8];
    static struct mh_preset_set set = {"preset", preset, 0, &mh_dram_presets};
    static char paths[8][32];
    assert_true(count <= 8);
    for (size_t i = 0; i < count; i++) {
        const char *text = texts[i][1];
        snprintf(paths[i], sizeof paths[i], "%s.yaml", texts[i][0]);
        preset[i] = (struct mh_preset){texts[i][0], "", paths[i], text, text + strlen(text)};
    }
    set.count = count;
    return &set;
}

#define FILES(texts) files(sizeof(texts) / sizeof *(texts), texts)

static void read_ok(struct mh_config *cfg, const struct mh_preset_set *set, const char *name)
{
    memset(cfg, 0, sizeof *cfg);
    assert_good(!mh_load_named(cfg, set, name, NULL, &err), err);
}

/* Nothing of a file that is refused is left. */
static void check_refused(const struct mh_preset_set *set, const char *name, const char *text)
{
    struct mh_config cfg, before;
    preset(&cfg);
    memcpy(&before, &cfg, sizeof cfg);
    assert_int_equal(mh_load_named(&cfg, set, name, NULL, &err), -1);
    assert_string_equal(err.text, text);
    assert_memory_equal(&cfg, &before, sizeof cfg);
}

/* The file's own keys before its bases', wherever `base` stands; a later base before an earlier one. */
TEST(test_order)
{
    static const char *const texts[][2] = {
        {"root", "l2: {ways: 16, banks: 8}\nsm: {count: 4, lanes: 32}\n"},
        {"child", "l2: {ways: 8}\nbase: root\n"},
        {"other", "l2: {ways: 4, ports: 2}\n"},
        {"both", "base: [child, other]\nsm: {count: 5}\n"},
        {"twice", "base: [child, root]\n"},
        {"hbm", "base: [root, hbm2]\n"},
    };
    const struct mh_preset_set *set = FILES(texts);
    struct mh_config cfg, sheet = {0};
    read_ok(&cfg, set, "child");
    assert_int_equal(cfg.l2.ways, 8);
    assert_int_equal(cfg.l2.banks, 8);
    read_ok(&cfg, set, "both");
    assert_int_equal(cfg.l2.ways, 4);
    assert_int_equal(cfg.l2.banks, 8);
    assert_int_equal(cfg.l2.ports, 2);
    assert_int_equal(cfg.sm.count, 5);
    assert_int_equal(cfg.sm.lanes, 32);
    read_ok(&cfg, set, "twice"); /* no circle, and the root's own words count last */
    assert_int_equal(cfg.l2.ways, 16);
    read_ok(&cfg, set, "hbm");
    assert_int_equal(mh_config_dram_preset(&sheet, "hbm2", &err), 0);
    assert_memory_equal(&cfg.dram, &sheet.dram, sizeof cfg.dram);
    assert_string_equal(cfg.preset, "");
}

TEST(test_circles)
{
    static const char *const texts[][2] = {
        {"self", "# alone\nbase: self\n"},
        {"a", "base: b\n"},
        {"b", "sm: {count: 4}\nbase: [hbm2,\n  c]\n"},
        {"c", "\n\nbase: a\n"},
        {"outside", "base: a\n"},
    };
    const struct mh_preset_set *set = FILES(texts);
    check_refused(set, "self", "self.yaml:2: base 'self' closes a circle: self -> self");
    check_refused(set, "a", "c.yaml:3: base 'a' closes a circle: a -> b -> c -> a");
    check_refused(set, "outside", "c.yaml:3: base 'a' closes a circle: a -> b -> c -> a");
}

TEST(test_refused)
{
    static const char *const texts[][2] = {
        {"root", "l2:\n  banks: 8\n  ways: 65\n"},
        {"child", "l2: {ways: 8}\nbase: root\n"}, /* root's 65 would not count, and is wrong all the same */
        {"grandchild", "base: child\n"},
        {"typo", "base: roof\n"},
        {"list", "base:\n- root\n- []\n"},
        {"map", "base: {root: 1}\n"},
        {"key", "\nbase: bad\n"},
        {"bad", "l2:\n  wayz: 8\n"},
    };
    const struct mh_preset_set *set = FILES(texts);
    const char *ways = "root.yaml:3: l2.ways: 65 is out of range; allowed: 1..64 ways (associativity)";
    struct mh_config cfg;
    check_refused(set, "child", ways);
    check_refused(set, "grandchild", ways);
    check_refused(set, "typo",
                  "typo.yaml:1: unknown base 'roof'; there are: root child grandchild typo list map key bad gddr5 "
                  "ddr3-1600 gddr6 hbm2 gddr5-8gb hbm2e hbm3");
    check_refused(set, "map", "map.yaml:1: base takes a name, or a list of names: base: mask");
    memset(&cfg, 0, sizeof cfg);
    assert_int_equal(mh_load_named(&cfg, set, "key", NULL, &err), -1);
    assert_has(err.text, "bad.yaml:2: unknown key 'wayz' in l2; nearest: l2.ways; allowed:");
    assert_int_equal(mh_load_named(&cfg, set, "list", NULL, &err), -1);
    assert_string_equal(err.text, ways);
}

/* A set of one channel has such sets as bases, and not a whole GPU. */
TEST(test_dram_bases)
{
    static const char text[] = "base: mask\n";
    static const struct mh_preset file = {"mine", "", "mine.yaml", text, text + sizeof text - 1};
    const struct mh_load load = {.file = &file, .bases = &mh_dram_presets};
    struct mh_config cfg = {0};
    assert_int_equal(mh_load(&cfg, &load, &err), -1);
    assert_string_equal(err.text,
                        "mine.yaml:1: unknown base 'mask'; there are: gddr5 ddr3-1600 gddr6 hbm2 gddr5-8gb hbm2e hbm3");
}

/* As if the base's keys stood in the file: after `preset` and `design`, before its own. */
TEST(test_users_file)
{
    struct mh_config cfg, sheet;
    preset(&cfg);
    assert_int_equal(load_text(&cfg, "dram: {queue: 32}\nbase: hbm2\npreset: dws\ndesign: Static\n", &err), 0);
    assert_int_equal(mh_config_preset(&sheet, "dws", &err), 0);
    assert_int_equal(mh_config_design(&sheet, "Static", &err), 0);
    assert_int_equal(mh_config_dram_preset(&sheet, "hbm2", &err), 0);
    sheet.dram.queue = 32;
    assert_memory_equal(&cfg, &sheet, sizeof cfg);
    assert_int_equal(load_text(&cfg, "# mine\nbase: hbm9\n", &err), -1);
    assert_has(err.text, "F:2: unknown base 'hbm9'; there are: mask fermi integrated simt dws etc ccbp ");
    assert_non_null(strstr(err.text, " gddr5 ddr3-1600 gddr6 hbm2 gddr5-8gb hbm2e hbm3"));
    assert_int_equal(load_text(&cfg, "base: [hbm2, {a: b}]\n", &err), -1);
    assert_string_equal(err.text, "F:1: base takes a name, or a list of names: base: mask");
    assert_int_equal(load_text(&cfg, "base: hbm2\nbase: gddr6\n", &err), -1);
    assert_string_equal(err.text, "F:2: key 'base' is given twice; first in line 1: remove one");
    assert_int_equal(load_text(&cfg, "dram:\n  base: hbm2\n", &err), -1);
    assert_has(err.text, "F:2: unknown key 'base' in dram");
    assert_int_equal(mh_config_set(&cfg, "base=hbm2", &err), -1);
    assert_string_equal(err.text, "'base=hbm2': a base comes before all other keys of a file: name it there");
    assert_memory_equal(&cfg, &sheet, sizeof cfg);
}

/* The list has a line for each key, with the value, the unit, the place and the source. */
TEST(test_sources)
{
    char *text = PRINTED(list, assert_int_equal(mh_config_describe_sources("simt", "PWCache", list, &err), 0));
    assert_memory_equal(text, "key  ", 5);
    assert_non_null(strstr(text, "\npreset                 simt         -                       chosen\n"));
    assert_non_null(strstr(text, "\nwalk.walkers           8            walks                   presets/simt.yaml:"));
    assert_non_null(strstr(text, "\nwalk.pwc_bytes         8192         bytes                   designs/PWCache.yaml:6"
                                 ": [T1] 8 KB\n"));
    assert_non_null(strstr(text, "\nmcu.hz                 500000000    Hz                      presets/mask.yaml:"));
    assert_non_null(strstr(text, ": [ours] a small core on an uncore clock | 100000000, 2000000000\n"));
    assert_non_null(strstr(text, "\ndram.cl                11           DRAM cycles             "
                                 "presets/dram/ddr3-1600.yaml:22: [Micron] 13.75 ns\n"));
    assert_non_null(strstr(text, "\ndram.mapping           row rank bank column -                       "
                                 "presets/dram/ddr3-1600.yaml:49: [ours] | row column rank bank\n"));
    free(text);
    assert_int_equal(mh_config_describe_sources("sim", NULL, stdout, &err), -1);
    assert_has(err.text, "unknown preset 'sim'; there are: mask fermi integrated simt dws etc ccbp");
    assert_int_equal(mh_config_describe_sources("simt", "none", stdout, &err), -1);
    assert_has(err.text, "unknown design 'none'; there are: SharedTLB");
}

static void check_set(const char *assignment, const char *part)
{
    struct mh_config cfg;
    preset(&cfg);
    assert_int_equal(mh_config_workload(&cfg, "MVT+GUPS", &err), 0);
    if (mh_config_set(&cfg, assignment, &err) != -1)
        fail_msg("accepted: %s", assignment);
    assert_has(err.text, part);
}

TEST(test_set)
{
    struct mh_config cfg;
    preset(&cfg);
    assert_int_equal(mh_config_workload(&cfg, "MVT+GUPS", &err), 0);
    assert_int_equal(mh_config_set(&cfg, "l2tlb.entries=128", &err), 0);
    assert_int_equal(cfg.l2tlb.entries, 128);
    assert_int_equal(mh_config_set(&cfg, "run.cycles=5000000000", &err), 0);
    assert_int_equal(cfg.run.cycles, 5000000000);
    assert_int_equal(mh_config_set(&cfg, "tenants[1].size=99", &err), 0);
    assert_int_equal(cfg.tenants[1].size, 99);
    assert_int_equal(mh_config_set(&cfg, "mcu.hz=inf", &err), 0);
    assert_int_equal(cfg.mcu.hz, 0);
    assert_int_equal(mh_config_set(&cfg, "mcu.hz=500M", &err), 0);
    assert_int_equal(cfg.mcu.hz, 500000000);
    assert_int_equal(mh_config_set(&cfg, "mcu.hz=32k", &err), 0);
    assert_int_equal(cfg.mcu.hz, 32000);
    assert_int_equal(mh_config_set(&cfg, "clock.gpu_hz=2G", &err), 0);
    assert_int_equal(cfg.clock.gpu_hz, 2000000000);
    check_set("mcu.hz=500MM", "mcu.hz: 500MM is no clock in Hz, such as 25000000, 25M or 2G");
    check_set("mcu.hz=500m", "mcu.hz: 500m is no clock");
    check_set("mcu.hz=M", "mcu.hz: M is no clock");
    check_set("mcu.hz=11G", "mcu.hz: 11000000000 is out of range");
    check_set("mcu.hz=99999999999999999G", "mcu.hz: 99999999999999999G is no clock");
    check_set("run.cycles=5M", "run.cycles: 5M is not a whole number");
    check_set("mcu.core=\x1b[31m", "mcu.core: a text with a control character (0x1b) in it");
    check_set("l2tlb.entires=4", "'l2tlb.entires=4': unknown key 'entires' in l2tlb; nearest: l2tlb.entries");
    check_set("run.cycles=0", "run.cycles: 0 is out of range");
    check_set("walk.walkers=0",
              "walk.walkers: 0 means that no walk could ever run; allowed: 1..1024 walks, or unlimited");
    check_set("walk.walkers=Unlimited", "walk.walkers: Unlimited is not a whole number");
    check_set("run.cycles=", "run.cycles: '' is not a whole number");
    check_set("run.cycles", "an assignment looks like");
    check_set("=5", "an assignment looks like");
    check_set("sm=4", "unknown key 'sm'");
    check_set("tenants[2].size=1", "there are 2 tenants");
    check_set("tenants[0]=MVT", "tenants[0].size");
    check_set("tenants[0].siz=1", "unknown key 'siz'; nearest: size");
    check_set("preset=mask", "--preset");
    check_set("design=Ideal", "--design");
}

/* Keys with a word for 0 and numbers otherwise: meaning, writing and reading. */
TEST(test_words_for_zero)
{
    struct mh_config cfg;
    size_t length;
    preset(&cfg);
    assert_int_equal(mh_config_set(&cfg, "walk.walkers=1", &err), 0);
    assert_int_equal(mh_config_walkers(&cfg), 1);
    assert_int_equal(mh_config_set(&cfg, "walk.walkers=unlimited", &err), 0);
    assert_int_equal(mh_config_walkers(&cfg), cfg.l2tlb.mshrs);
    assert_int_equal(mh_config_set(&cfg, "mcu.hz=0", &err), 0); /* the number is its documented meaning */
    char *text = written(&cfg, &length);
    assert_non_null(strstr(text, "\n  walkers: unlimited\n"));
    assert_non_null(strstr(text, "\n  hz: inf\n"));
    preset(&cfg);
    assert_int_equal(load_bytes(&cfg, text, length, &err), 0);
    assert_int_equal(mh_config_walkers(&cfg), cfg.l2tlb.mshrs);
    free(text);
}

TEST(test_list_has_words_for_zero)
{
    struct mh_config cfg;
    size_t length;
    char *text;
    preset(&cfg);
    assert_int_equal(mh_config_set(&cfg, "walk.walkers=unlimited", &err), 0);
    FILE *list = open_memstream(&text, &length);
    mh_config_describe(&cfg, list);
    fclose(list);
    assert_non_null(
        strstr(text, "walk.walkers           unlimited    1..1024 or unlimited     walks; running at once"));
    assert_non_null(strstr(text, "mcu.hz                 500000000    0..10000000000 or inf    Hz; "));
    free(text);
}
