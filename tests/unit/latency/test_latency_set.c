/* The reference set of latency: the built-in file, what each key does, and that a mistake is named with its line. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "latency/set.h"
#include "memhelm/config_file.h"

#define PRESETS                                                                                                        \
    "presets: [{preset: p, cycles: 7, cost: 9}, {preset: q, cycles: 8, alone: whole, cost: 1, set: [a=1, b=2]}]\n"
#define IMAGES "images: [{images: 'a b*', preset: p, workloads: [X, Y]}]\n"

static struct latency_set set;
static struct mh_error err;

static int load(const char *text)
{
    return latency_set_load(&set, "s.yaml", text, strlen(text), &err);
}

static void refuses(const char *text, const char *part)
{
    assert_int_equal(load(text), -1);
    if (!strstr(err.text, part))
        fail_msg("error is '%s', without '%s'", err.text, part);
}

static void test_keys(void **state)
{
    (void)state;
    assert_int_equal(load(PRESETS "images:\n"
                                  "- {images: 'a b*', preset: q, workloads: [X, Y]}\n"
                                  "- {images: 'bc d', preset: p, workloads: [V], variant: yes}\n"),
                     0);
    const struct set_images *row = latency_set_images(&set, "bc");
    assert_ptr_equal(row, &set.images[0]); /* the first that fits */
    assert_int_equal(row->workload_count, 2);
    assert_string_equal(row->workloads[1], "Y");
    assert_false(row->variant);
    row = latency_set_images(&set, "d");
    assert_true(row->variant);
    assert_null(latency_set_images(&set, "ab"));
    assert_int_equal(latency_set_preset(&set, "p").cycles, 7);
    assert_false(latency_set_preset(&set, "p").alone_whole);
    assert_true(latency_set_preset(&set, "q").alone_whole);
    assert_int_equal(latency_set_preset(&set, "q").cost, 1);
    assert_int_equal(latency_set_preset(&set, "p").set_count, 0);
    assert_int_equal(latency_set_preset(&set, "q").set_count, 2);
    assert_string_equal(latency_set_preset(&set, "q").sets[1], "b=2");
    assert_int_equal(latency_set_preset(&set, "none").cycles, 1000000);
    assert_false(latency_set_preset(&set, "none").alone_whole);
    latency_set_close(&set);
}

static void test_mistakes(void **state)
{
    (void)state;
    refuses("", "s.yaml: is empty");
    refuses(PRESETS "images: [\n", "s.yaml:3:");
    refuses(PRESETS IMAGES "image: x\n",
            "s.yaml:3: the reference set has no key 'image'; nearest: images; there are: presets images");
    refuses(IMAGES, "s.yaml:1: presets: a list of 1 to 16 is needed");
    refuses(PRESETS "images: x\n", "s.yaml:2: images: a list of 1 to 32 is needed");
    refuses("presets:\n- {preset: p, cycles: 7}\n" IMAGES, "s.yaml:2: preset p needs cycles and cost");
    refuses("presets:\n- {cycles: 7, cost: 1}\n" IMAGES, "s.yaml:2: preset is missing");
    refuses("presets:\n- {preset: p, cost: 1, cycles: 0}\n" IMAGES, "s.yaml:2: cycles is a whole number");
    refuses("presets:\n- preset: p\n  cost: 1\n  cycles: 1\n  alone: half\n" IMAGES,
            "s.yaml:5: alone is one of: same whole; not 'half'");
    refuses(PRESETS "images:\n- {images: a, preset: p}\n", "s.yaml:3: workloads: a list of 1 to 10 is needed");
    refuses(PRESETS "images:\n- images: a\n  preset: p\n  workloads: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]\n",
            "s.yaml:5: workloads:");
    refuses(PRESETS "images:\n- {images: a, preset: p, workloads: [[]]}\n", "s.yaml:3: expected a text");
    refuses(PRESETS "images:\n- {preset: p, workloads: [X]}\n", "s.yaml:3: images is missing");
    refuses(PRESETS "images:\n- {images: a, preset: r, workloads: [X]}\n",
            "s.yaml:3: preset r has no row under presets");
    refuses(PRESETS "images:\n- {images: a, preset: p, workloads: [X], variant: maybe}\n", "variant is one of: no yes");
    refuses(PRESETS "images:\n- {images: a, preset: p, workload: X}\n", "images has no key 'workload'");
    refuses(PRESETS "images:\n- {images: a, preset: p, workloads: [X], plain: Y}\n",
            "s.yaml:3: images has no key 'plain'; there are: images preset workloads variant");
}

/* Each preset and workload there is one: a mistake in the file would show only when an image is run. */
static void test_builtin(void **state)
{
    (void)state;
    if (latency_set_open(&set, NULL, &err))
        fail_msg("%s", err.text);
    for (unsigned i = 0; i < set.image_count; i++) {
        const struct set_images *row = &set.images[i];
        static struct mh_config cfg;
        for (unsigned w = 0; w < row->workload_count; w++) {
            memset(&cfg, 0, sizeof cfg);
            if (mh_config_preset(&cfg, row->preset, &err) || mh_config_workload(&cfg, row->workloads[w], &err))
                fail_msg("%s: %s", row->images, err.text);
        }
    }
    assert_true(latency_set_images(&set, "uvm")->variant);
    assert_false(latency_set_images(&set, "mask")->variant);
    assert_string_equal(latency_set_images(&set, "walk-static")->preset, "dws");
    assert_string_equal(latency_set_images(&set, "walk-random")->preset, "simt");
    assert_null(latency_set_images(&set, "baseline"));
    latency_set_close(&set);
}

/* A row that names an image is that image's: none before it fits, by a pattern say. */
static void test_rows_are_reached(void **state)
{
    (void)state;
    assert_int_equal(latency_set_open(&set, NULL, &err), 0);
    for (unsigned i = 0; i < set.image_count; i++) {
        char words[256], *rest = words;
        snprintf(words, sizeof words, "%s", set.images[i].images);
        for (const char *word; (word = strsep(&rest, " "));)
            if (!strchr(word, '*') && latency_set_images(&set, word) != &set.images[i])
                fail_msg("%s: a row before its own fits", word);
    }
    latency_set_close(&set);
}

static void test_file(void **state)
{
    (void)state;
    assert_int_equal(latency_set_open(&set, "/no/such/set.yaml", &err), -1);
    assert_non_null(strstr(err.text, "/no/such/set.yaml"));
    latency_set_close(&set);
}

/* What a call says first: windows times cost, up to the end of the programs. Each workload of the set was measured. */
static void test_costs(void **state)
{
    double second = latency_set_cost("mask", "SC+FWT", 1000000), ended = latency_set_cost("etc", "ATAX:2048", 17000000);
    (void)state;
    assert_true(second > 0.3 && second < 6);
    assert_true(fabs(latency_set_cost("mask", "SC+FWT", 3000000) - 3 * second) < 1e-9);
    assert_true(fabs(latency_set_cost("etc", "ATAX:2048", 400000000) - ended) < 1e-9);
    assert_true(fabs(latency_set_cost("etc", "ATAX:2048", 8500000) - ended / 2) < 1e-9);
    assert_true(latency_set_cost("mask", "SC", 1000000) == 0);
    assert_true(latency_set_cost("dws", "SC+FWT", 1000000) == 0);
    assert_int_equal(latency_set_open(&set, NULL, &err), 0);
    for (unsigned i = 0; i < set.image_count; i++)
        for (unsigned w = 0; w < set.images[i].workload_count; w++)
            if (latency_set_cost(set.images[i].preset, set.images[i].workloads[w], 1) <= 0)
                fail_msg("preset %s, workload %s: not in costs.def", set.images[i].preset, set.images[i].workloads[w]);
    latency_set_close(&set);
}

int test_latency_set(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_builtin),
        cmocka_unit_test(test_rows_are_reached),
        cmocka_unit_test(test_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
