/* Grids, samples and lists of points: how many, which, and the same everywhere. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sweep/choice.h"

static void add_axis(struct sweep_spec *s, const char *key, unsigned values)
{
    struct spec_axis *a = &s->axes[s->axis_count++];
    a->key = strdup(key);
    for (unsigned i = 0; i < values; i++)
        assert_int_equal(words_add(&a->values, (char[]){(char)('0' + i % 10), 0}, 1), 0);
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

static void grid(void **state)
{
    struct sweep_spec s = spec_of(SPEC_GRID, 0, 1, (const unsigned[]){2, 3, 2, 0});
    struct choices c;
    struct mh_error err;
    (void)state;
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

static void nothing_varied_is_one_choice(void **state)
{
    struct sweep_spec s = spec_of(SPEC_GRID, 0, 1, (const unsigned[]){0});
    struct choices c;
    struct mh_error err;
    (void)state;
    assert_int_equal(choices_make(&c, &s, &err), 0);
    assert_int_equal(c.count, 1);
    choices_free(&c);
    spec_free(&s);
}

static void listed_points_go_together(void **state)
{
    struct sweep_spec s = spec_of(SPEC_ZIP, 0, 1, (const unsigned[]){3, 3, 0});
    struct choices c;
    struct mh_error err;
    (void)state;
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
static void random_ones_differ_and_are_fair(void **state)
{
    static const unsigned values[] = {5, 4, 3, 0};
    unsigned often[60] = {0};
    (void)state;
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

static void as_many_as_there_are(void **state)
{
    static const unsigned values[] = {3, 2, 0};
    struct sweep_spec s = spec_of(SPEC_RANDOM, 6, 9, values);
    struct choices c;
    struct mh_error err;
    (void)state;
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
static void latin(void **state)
{
    static const unsigned values[] = {20, 5, 20, 0};
    struct sweep_spec s = spec_of(SPEC_LATIN, 20, 4, values);
    struct choices c;
    struct mh_error err;
    unsigned often[3][20] = {{0}}, in_step = 0;
    (void)state;
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

static void too_many_are_refused(void **state)
{
    struct sweep_spec s = spec_of(SPEC_GRID, 0, 1, (const unsigned[]){250, 250, 250, 0});
    struct choices c;
    struct mh_error err;
    (void)state;
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

int test_sweep_choice(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(grid),
                                       cmocka_unit_test(nothing_varied_is_one_choice),
                                       cmocka_unit_test(listed_points_go_together),
                                       cmocka_unit_test(random_ones_differ_and_are_fair),
                                       cmocka_unit_test(as_many_as_there_are),
                                       cmocka_unit_test(latin),
                                       cmocka_unit_test(too_many_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
