/* Files of sweeps: what they may say, and which line is wrong. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "sweep/spec.h"
#include "unit/temp_dir.h"

static int load(struct sweep_spec *s, const char *text, struct mh_error *err)
{
    assert_int_equal(write_file(in_base("tlb.yaml"), text, strlen(text), err), 0);
    spec_init(s);
    return spec_load(s, in_base("tlb.yaml"), err);
}

static void all_keys(void **state)
{
    struct sweep_spec s;
    struct mh_error err = {""};
    (void)state;
    assert_int_equal(load(&s,
                          "preset: [mask, dws]\ndesign: none\nimage: baseline\nworkload: ['@mine', A+B]\n"
                          "lists: {mine: [C, D]}\nseeds: 2-4\ncycles: 2M\nset: [sm.count=4]\n"
                          "vary:\n  l2tlb.entries: [128, 256..1024*2]\n  walk.walkers: 1..3\n"
                          "sample: {latin: 5, seed: 7}\nmetrics: {w: weighted_speedup, i: ipc}\n"
                          "alone: whole\ntwin: true\n",
                          &err),
                     0);
    assert_string_equal(s.name, "tlb");
    assert_int_equal(s.presets.count, 2);
    assert_int_equal(s.axis_count, 2);
    assert_int_equal(s.axes[0].values.count, 4);
    assert_string_equal(s.axes[0].values.text[3], "1024");
    assert_int_equal(s.axes[1].values.count, 3);
    assert_true(s.seed_first == 2 && s.seed_last == 4 && s.cycles == 2000000);
    assert_true(s.sampling == SPEC_LATIN && s.samples == 5 && s.sample_seed == 7);
    assert_string_equal(s.metric_names.text[1], "i");
    assert_string_equal(s.metrics.text[1], "ipc");
    assert_true(s.alone_whole && s.twin);
    spec_free(&s);
}

static void points_have_what_they_name(void **state)
{
    struct sweep_spec s;
    struct mh_error err = {""};
    (void)state;
    assert_int_equal(load(&s, "points:\n- {l2tlb.entries: 128}\n- {walk.walkers: 8, l2tlb.entries: 64}\n", &err), 0);
    assert_true(s.sampling == SPEC_ZIP && s.axis_count == 2);
    assert_string_equal(s.axes[0].values.text[1], "64");
    assert_string_equal(s.axes[1].values.text[0], "");
    assert_string_equal(s.axes[1].values.text[1], "8");
    assert_int_equal(spec_vary(&s, "sm.count=4", &err), -1);
    assert_non_null(strstr(err.text, "lists its points"));
    spec_free(&s);
}

/* All of the preset's own values, beside another point. */
static void a_point_may_be_the_preset(void **state)
{
    struct sweep_spec s;
    struct mh_error err = {""};
    (void)state;
    assert_int_equal(load(&s, "points:\n- {l2tlb.entries: 128}\n- {}\n", &err), 0);
    assert_true(s.axis_count == 1 && s.axes[0].values.count == 2);
    assert_string_equal(s.axes[0].values.text[1], "");
    spec_free(&s);
}

/* What spec_json() writes is a file of the same sweep. */
static void written_and_read_again(void **state)
{
    static const char *const files[] = {
        "image: [a, b]\nworkload: ['A:b+C', 'it''s']\nseeds: 2-4\ncycles: 2M\nset: [sm.count=4]\n"
        "vary: {l2tlb.entries: 64..256*2}\nsample: {random: 2, seed: 3}\nmetrics: {w s: ipc}\nalone: whole\n",
        "points:\n- {l2tlb.entries: 128}\n- {walk.walkers: 8}\ntwin: true\nmetrics: ipc\npreset: dws\ndesign: none\n"
        "image: a\nworkload: b\n"};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct sweep_spec first, second;
        struct mh_error err = {""};
        assert_int_equal(load(&first, files[i], &err), 0);
        if (!first.presets.count)
            assert_int_equal(words_split(&first.presets, "mask") || words_split(&first.designs, "none"), 0);
        json_t *a = spec_json(&first);
        char *text = json_dumps(a, JSON_INDENT(2));
        if (load(&second, text, &err))
            fail_msg("%s: %s", text, err.text);
        json_t *b = spec_json(&second);
        assert_true(json_equal(a, b));
        json_decref(a);
        json_decref(b);
        free(text);
        spec_free(&first);
        spec_free(&second);
    }
}

static void line_and_remedy(void **state)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"preset: mask\nvery: {}\n", "tlb.yaml:2: a sweep has no key 'very'; nearest: vary; there are: preset"},
        {"vary:\n  l2tlb.entires: 4\n", "tlb.yaml:2: vary: 'l2tlb.entires=4': unknown key 'entires'"},
        {"vary:\n  l2tlb.entries: 9..4\n", "tlb.yaml:2: vary: l2tlb.entries: '9..4' is no range"},
        {"vary:\n  l2tlb.entries: many\n", "tlb.yaml:2: vary: l2tlb.entries: many is not a whole number"},
        {"vary: [1]\n", "tlb.yaml:1: "},
        {"set: [sm.count=4,\n  sm.cout=4]\n", "tlb.yaml:2: 'sm.cout=4'"},
        {"set: run.seed=4\n", "say `seeds`, `cycles` instead"},
        {"sample: {latin: 4, random: 4}\n", "one of random: N and latin: N"},
        {"sample: {seed: 4}\n", "one of random: N and latin: N"},
        {"sample: {latin: 0}\n", "tlb.yaml:1: "},
        {"points: [{sm.count: 4}]\nvary: {sm.count: 4}\n", "in the place of vary"},
        {"points:\n- {sm.count: 4}\n- {sm.cout: 4}\n", "tlb.yaml:3: 'sm.cout=4'"},
        {"points: []\n", "tlb.yaml:1: "},
        {"points:\n- {}\n- {}\n", "tlb.yaml:2: points: no key in any; write them such as {l2tlb.entries: 128}"},
        {"vary:\n  sm.count: 4\n  sm.count: 5\n", "tlb.yaml:3: vary: key 'sm.count' is given twice"},
        {"metrics: []\n", "tlb.yaml:1: metrics: none is there; name one"},
        {"seeds: 5-1\n", "tlb.yaml:1: seeds: '5-1'"},
        {"seeds: 1-\n", "tlb.yaml:1: seeds: '1-'; write one such as 1, or a range such as 1-5"},
        {"seeds: 1-1001\n", "tlb.yaml:1: seeds: '1-1001' are 1001; at most 1000 are allowed"},
        {"seeds: 1000001\n", "tlb.yaml:1: seeds: '1000001'; the greatest seed is 1000000"},
        {"cycles: 0\n", "tlb.yaml:1: cycles: '0'"},
        {"alone: never\n", "tlb.yaml:1: "},
        {"twin: maybe\n", "tlb.yaml:1: "},
        {"image: {a: b}\n", "tlb.yaml:1: expected a text or a list"},
        {"metrics: [[a]]\n", "tlb.yaml:1: "},
        {"", "is empty"},
        {"a: [", "tlb.yaml:"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct sweep_spec s;
        struct mh_error err = {""};
        assert_int_equal(load(&s, wrong[i].text, &err), -1);
        if (!strstr(err.text, wrong[i].says))
            fail_msg("%s: %s", wrong[i].text, err.text);
        spec_free(&s);
    }
}

static int no_lists(const char *name, struct words *out, struct mh_error *err)
{
    return strcmp(name, "mask:pairs") ? mh_fail(err, "no list %s", name) : words_split(out, "BP+HS,SCP");
}

/* Without an image there is no sweep, so what is complete needs a built one: the tests of the command have that. */
static void what_is_missing(void **state)
{
    struct sweep_spec s;
    struct mh_error err;
    (void)state;
    spec_init(&s);
    assert_int_equal(spec_complete(&s, no_lists, &err), -1);
    assert_non_null(strstr(err.text, "which image?"));
    spec_free(&s);
}

int test_sweep_spec(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_keys),
                                       cmocka_unit_test(points_have_what_they_name),
                                       cmocka_unit_test(a_point_may_be_the_preset),
                                       cmocka_unit_test(written_and_read_again),
                                       cmocka_unit_test(line_and_remedy),
                                       cmocka_unit_test(what_is_missing)};
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
