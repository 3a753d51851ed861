/* Sweeps: values of axes as people write them, choices, specifications. */
#include "unit/test.h"

#include "sweep/spec.h"
#include "unit/temp_dir.h"

static void assert_values(const char *text, const char *expected)
{
    struct words w = {0};
    struct mh_error err = {""};
    char all[256] = "";
    assert_int_equal(axis_parse(&w, text, &err), 0);
    for (unsigned i = 0; i < w.count; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? " " : "", w.text[i]);
    assert_string_equal(all, expected);
    words_free(&w);
}

static void assert_refused(const char *text, const char *part)
{
    struct words w = {0};
    struct mh_error err = {""};
    assert_int_equal(axis_parse(&w, text, &err), -1);
    assert_non_null(strstr(err.text, part));
    words_free(&w);
}

TEST(values_and_ranges)
{
    assert_values("128,512,2048", "128 512 2048");
    assert_values(" lrr , gto ", "lrr gto");
    assert_values("1..4", "1 2 3 4");
    assert_values("1..64*2", "1 2 4 8 16 32 64");
    assert_values("0..100+25", "0 25 50 75 100");
    assert_values("0..1+0.25", "0.00 0.25 0.50 0.75 1.00");
    assert_values("-2..2+2", "-2 0 2");
    assert_values("7..7", "7");
    assert_values("1, 4..6, 32", "1 4 5 6 32");
}

TEST(decimals_do_not_drift)
{
    struct words w = {0};
    struct mh_error err;

    assert_int_equal(axis_parse(&w, "0..100+0.1", &err), 0);
    assert_int_equal(w.count, 1001);
    assert_string_equal(w.text[999], "99.9");
    assert_string_equal(w.text[1000], "100.0");
    words_free(&w);
}

TEST(what_is_no_range)
{
    assert_refused("8..1", "smaller end first");
    assert_refused("1..8*1", "no range");
    assert_refused("0..8*2", "no range");
    assert_refused("1..8+0", "no range");
    assert_refused("1..x", "no range");
    assert_refused("1..8+2x", "no range");
    assert_refused("1,,2", "missing between two commas");
    assert_refused("", "missing");
    assert_refused("1..20000", "more than");
}

/* --- Grids, samples and lists of points: how many, which, and the same everywhere. */

static void add_axis(struct sweep_spec *s, const char *key, unsigned values)
{
    struct spec_axis *a = &s->axes[s->axis_count++];
    a->key = strdup(key);
    for (unsigned i = 0; i < values; i++)
        words_add(&a->values, (char[]){(char)('0' + i % 10), 0});
}

static struct sweep_spec spec_of(enum spec_sampling sampling, unsigned samples, uint64_t seed, const unsigned *values)
{
    struct sweep_spec s;
    spec_init(&s);
    s.sampling = sampling;
    s.samples = samples;
    s.sample_seed = seed;
    for (unsigned i = 0; values[i]; i++)
        add_axis(&s, (char[]){(char)('a' + i), 0}, values[i]);
    return s;
}

TEST(grid)
{
    struct sweep_spec s = spec_of(SPEC_GRID, 0, 1, (const unsigned[]){2, 3, 2, 0});
    struct choices c;
    struct mh_error err;

    assert_int_equal(choices_make(&c, &s, &err), 0);
    assert_int_equal(c.count, 12);
    for (unsigned i = 0; i < 12; i++) {
        assert_int_equal(choices_value(&c, i, 0), i / 6);
        assert_int_equal(choices_value(&c, i, 1), i / 2 % 3);
        assert_int_equal(choices_value(&c, i, 2), i % 2);
    }
    choices_free(&c);
    spec_free(&s);
}

TEST(nothing_varied_is_one_choice)
{
    struct sweep_spec s = spec_of(SPEC_GRID, 0, 1, (const unsigned[]){0});
    struct choices c;
    struct mh_error err;

    assert_int_equal(choices_make(&c, &s, &err), 0);
    assert_int_equal(c.count, 1);
    choices_free(&c);
    spec_free(&s);
}

TEST(listed_points_go_together)
{
    struct sweep_spec s = spec_of(SPEC_ZIP, 0, 1, (const unsigned[]){3, 3, 0});
    struct choices c;
    struct mh_error err;

    assert_int_equal(choices_make(&c, &s, &err), 0);
    assert_int_equal(c.count, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_true(choices_value(&c, i, 0) == i && choices_value(&c, i, 1) == i);
    choices_free(&c);
    spec_free(&s);
}

static uint64_t number(const struct choices *c, uint64_t i, const unsigned *values)
{
    uint64_t n = 0;
    for (unsigned a = 0; values[a]; a++)
        n = n * values[a] + choices_value(c, i, a);
    return n;
}

/* Ascending, so different; of all seeds together each combination about as often. */
TEST(random_ones_differ_and_are_fair)
{
    static const unsigned values[] = {5, 4, 3, 0};
    unsigned often[60] = {0};

    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct sweep_spec s = spec_of(SPEC_RANDOM, 7, seed, values);
        struct choices c;
        struct mh_error err;
        assert_int_equal(choices_make(&c, &s, &err), 0);
        assert_int_equal(c.count, 7);
        for (unsigned i = 0; i < 7; i++) {
            often[number(&c, i, values)]++;
            assert_true(!i || number(&c, i, values) > number(&c, i - 1, values));
        }
        choices_free(&c);
        spec_free(&s);
    }
    for (unsigned i = 0; i < 60; i++) /* 350 on average, deviation 17.6 */
        assert_in_range(often[i], 350 - 88, 350 + 88);
}

TEST(as_many_as_there_are)
{
    static const unsigned values[] = {3, 2, 0};
    struct sweep_spec s = spec_of(SPEC_RANDOM, 6, 9, values);
    struct choices c;
    struct mh_error err;

    assert_int_equal(choices_make(&c, &s, &err), 0);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(number(&c, i, values), i);
    choices_free(&c);
    s.samples = 7;
    assert_int_equal(choices_make(&c, &s, &err), -1);
    assert_non_null(strstr(err.text, "7 of 6 combinations"));
    choices_free(&c);
    spec_free(&s);
}

/* Each part of each axis once; axes are not in step. */
TEST(latin)
{
    static const unsigned values[] = {20, 5, 20, 0};
    struct sweep_spec s = spec_of(SPEC_LATIN, 20, 4, values);
    struct choices c;
    struct mh_error err;
    unsigned often[3][20] = {{0}}, in_step = 0;

    assert_int_equal(choices_make(&c, &s, &err), 0);
    for (unsigned i = 0; i < 20; i++) {
        for (unsigned a = 0; a < 3; a++)
            often[a][choices_value(&c, i, a)]++;
        in_step += choices_value(&c, i, 0) == choices_value(&c, i, 2);
    }
    for (unsigned v = 0; v < 20; v++) {
        assert_int_equal(often[0][v], 1);
        assert_int_equal(often[1][v], v < 5 ? 4 : 0);
        assert_int_equal(often[2][v], 1);
    }
    assert_true(in_step < 8);
    choices_free(&c);
    spec_free(&s);
}

TEST(too_many_are_refused)
{
    struct sweep_spec s = spec_of(SPEC_GRID, 0, 1, (const unsigned[]){250, 250, 250, 0});
    struct choices c;
    struct mh_error err;

    assert_int_equal(choices_make(&c, &s, &err), -1);
    assert_non_null(strstr(err.text, "more than 10000000 combinations"));
    s.sampling = SPEC_RANDOM;
    s.samples = 3;
    assert_int_equal(choices_make(&c, &s, &err), -1);
    assert_non_null(strstr(err.text, "latin: 3"));
    choices_free(&c);
    s.sampling = SPEC_LATIN;
    assert_int_equal(choices_make(&c, &s, &err), 0);
    choices_free(&c);
    spec_free(&s);
}

/* --- Files of sweeps: what they may say, and which line is wrong. */

static int load(struct sweep_spec *s, const char *text, struct mh_error *err)
{
    assert_int_equal(write_file(in_base("tlb.yaml"), text, strlen(text), err), 0);
    spec_init(s);
    return spec_load(s, in_base("tlb.yaml"), err);
}

TEST(all_keys)
{
    struct sweep_spec s;
    struct mh_error err = {""};

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

TEST(points_have_what_they_name)
{
    struct sweep_spec s;
    struct mh_error err = {""};

    assert_int_equal(load(&s, "points:\n- {l2tlb.entries: 128}\n- {walk.walkers: 8, l2tlb.entries: 64}\n", &err), 0);
    assert_true(s.sampling == SPEC_ZIP && s.axis_count == 2);
    assert_string_equal(s.axes[0].values.text[1], "64");
    assert_string_equal(s.axes[1].values.text[0], "");
    assert_string_equal(s.axes[1].values.text[1], "8");
    assert_int_equal(spec_vary(&s, "sm.count=4", &err), -1);
    assert_non_null(strstr(err.text, "lists its points"));
    spec_free(&s);
}

/* One point with all of the preset's own values, and another point. */
TEST(a_point_may_be_the_preset)
{
    struct sweep_spec s;
    struct mh_error err = {""};

    assert_int_equal(load(&s, "points:\n- {l2tlb.entries: 128}\n- {}\n", &err), 0);
    assert_true(s.axis_count == 1 && s.axes[0].values.count == 2);
    assert_string_equal(s.axes[0].values.text[1], "");
    spec_free(&s);
}

/* What spec_json() writes is a file of the same sweep. */
TEST(written_and_read_again)
{
    static const char *const files[] = {
        "image: [a, b]\nworkload: ['A:b+C', 'it''s']\nseeds: 2-4\ncycles: 2M\nset: [sm.count=4]\n"
        "vary: {l2tlb.entries: 64..256*2}\nsample: {random: 2, seed: 3}\nmetrics: {w s: ipc}\nalone: whole\n",
        "points:\n- {l2tlb.entries: 128}\n- {walk.walkers: 8}\ntwin: true\nmetrics: ipc\npreset: dws\ndesign: none\n"
        "image: a\nworkload: b\n"};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct sweep_spec first, second;
        struct mh_error err = {""};
        assert_int_equal(load(&first, files[i], &err), 0);
        if (!first.presets.count) {
            words_add(&first.presets, "mask");
            words_add(&first.designs, "none");
        }
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

TEST(line_and_remedy)
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
    if (strcmp(name, "mask:pairs") != 0)
        return mh_fail(err, "no list %s", name);
    words_split(out, "BP+HS,SCP");
    return 0;
}

/* Without an image there is no sweep, so what is complete needs a built one: the tests of the command have that. */
TEST(what_is_missing)
{
    struct sweep_spec s;
    struct mh_error err;

    spec_init(&s);
    assert_int_equal(spec_complete(&s, no_lists, &err), -1);
    assert_non_null(strstr(err.text, "which image?"));
    spec_free(&s);
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
