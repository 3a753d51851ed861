/* Baselines: what they keep, that equal figures give equal bytes, and who is named when something grew. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "budget/growth.h"
#include "unit/temp_dir.h"

static struct mh_error err;

/* 'first' and 'second' are freed by baseline_free() like any other. */
static struct baseline sample(uint32_t first, uint32_t second, uint32_t frame)
{
    struct baseline b = {.present = true, .needs = {5000, 400, 320, 6399, 0}, .core = "ipc1", .count = 2};
    b.functions = calloc(2, sizeof *b.functions);
    b.functions[0] = (struct baseline_function){"second", {second, frame, 900}};
    b.functions[1] = (struct baseline_function){"first", {first, 16, 0}};
    return b;
}

static void write_as(const struct baseline *now, const char *image, const char *sha)
{
    struct baseline before;
    assert_int_equal(baseline_read(&before, base, image, &err), 0);
    if (baseline_write(now, &before, base, image, sha, &err))
        fail_msg("%s", err.text);
    baseline_free(&before);
}

static char *text_of(const char *file)
{
    size_t length;
    char *text = read_file(in_base(file), &length, &err);
    assert_non_null(text);
    return text;
}

static void test_round_trip(void **state)
{
    struct baseline b = sample(100, 200, 48), back;
    (void)state;
    assert_int_equal(baseline_read(&back, base, "mask", &err), 0);
    assert_false(back.present);
    write_as(&b, "mask", "aa");
    assert_int_equal(baseline_read(&back, base, "mask", &err), 0);
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

static void test_same_again(void **state)
{
    struct baseline b = sample(100, 200, 48);
    (void)state;
    write_as(&b, "same", "aa");
    char *once = text_of("same.json");
    write_as(&b, "same", "aa");
    char *twice = text_of("same.json");
    assert_string_equal(once, twice);
    assert_true(strstr(once, "\"first\"") < strstr(once, "\"second\"")); /* by name */
    free(once);
    free(twice);
    baseline_free(&b);
}

static unsigned entries(const char *image)
{
    struct baseline b;
    assert_int_equal(baseline_read(&b, base, image, &err), 0);
    unsigned n = (unsigned)json_array_size(json_object_get(b.file, "accepted"));
    baseline_free(&b);
    return n;
}

/* The newest is the last; the oldest go. */
static void test_history(void **state)
{
    struct baseline b = sample(100, 200, 48), back;
    (void)state;
    for (unsigned i = 0; i < BASELINE_HISTORY + 3; i++) {
        b.needs[LIMIT_CODE] = 5000 + i;
        write_as(&b, "long", "aa");
        assert_int_equal(entries("long"), i + 1 < BASELINE_HISTORY ? i + 1 : BASELINE_HISTORY);
    }
    assert_int_equal(baseline_read(&back, base, "long", &err), 0);
    assert_int_equal(back.needs[LIMIT_CODE], 5000 + BASELINE_HISTORY + 2);
    baseline_free(&back);
    baseline_free(&b);
}

static void test_growth(void **state)
{
    struct baseline before = sample(100, 200, 48), now = sample(130, 190, 64), none = {0};
    char text[200];
    (void)state;
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

static void refuse(const char *text, const char *part)
{
    struct baseline b;
    assert_int_equal(baseline_parse(&b, "x.json", text, &err), -1);
    assert_false(b.present);
    if (!strstr(err.text, part))
        fail_msg("error is '%s', without '%s'", err.text, part);
}

#define ENTRY "{\"code\": 1, \"data\": 1, \"stack\": 1, \"epoch\": 1, \"walk_epoch\": 0, \"core\": \"c\"}"

static void test_damaged(void **state)
{
    struct baseline b;
    (void)state;
    refuse("{", "x.json:1: ");
    refuse("[]", "x.json: no baseline of schema");
    /* An entry of before a limit came has none of it; what always was there must be. */
    assert_int_equal(
        baseline_parse(&b, "old.json",
                       "{\"schema\": \"memhelm-baseline-1\", \"accepted\": [" ENTRY "], \"functions\": {}}", &err),
        0);
    assert_int_equal(b.needs[LIMIT_TENANT], 0);
    baseline_free(&b);
    refuse("{\"schema\": \"memhelm-baseline-1\", \"accepted\": [{\"code\": 1, \"data\": 1, \"stack\": 1, "
           "\"epoch\": 1, \"core\": \"c\"}], \"functions\": {}}",
           "no baseline of schema");
    refuse("{\"schema\": \"memhelm-baseline-1\", \"accepted\": [{\"code\": 1, \"data\": 1, \"stack\": 1, "
           "\"epoch\": 1, \"walk_epoch\": 0, \"tenant\": -1, \"core\": \"c\"}], \"functions\": {}}",
           "no baseline of schema");
    refuse("{\"schema\": \"other\", \"accepted\": [" ENTRY "], \"functions\": {}}", "no baseline of schema");
    refuse("{\"schema\": \"memhelm-baseline-1\", \"accepted\": [], \"functions\": {}}", "no baseline of schema");
    refuse("{\"schema\": \"memhelm-baseline-1\", \"accepted\": [" ENTRY
           "], \"functions\": {\"f\": {\"bytes\": -1, \"frame\": 0, \"cycles\": 0}}}",
           "make budget-accept");
    assert_int_equal(
        baseline_parse(&b, "x.json",
                       "{\"schema\": \"memhelm-baseline-1\", \"accepted\": [" ENTRY "], \"functions\": {}}", &err),
        0);
    baseline_free(&b);
    assert_int_equal(baseline_read(&b, "/nonexistent", "mask", &err), -1);
    assert_non_null(strstr(err.text, "start at the top of the tree"));
}

int test_budget_history(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_same_again), cmocka_unit_test(test_history),
        cmocka_unit_test(test_growth),     cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
