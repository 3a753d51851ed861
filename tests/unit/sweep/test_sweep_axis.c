/* Values of axes as people write them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sweep/axis.h"

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

static void values_and_ranges(void **state)
{
    (void)state;
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

static void decimals_do_not_drift(void **state)
{
    struct words w = {0};
    struct mh_error err;
    (void)state;
    assert_int_equal(axis_parse(&w, "0..100+0.1", &err), 0);
    assert_int_equal(w.count, 1001);
    assert_string_equal(w.text[999], "99.9");
    assert_string_equal(w.text[1000], "100.0");
    words_free(&w);
}

static void what_is_no_range(void **state)
{
    (void)state;
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

int test_sweep_axis(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_and_ranges), cmocka_unit_test(decimals_do_not_drift),
                                       cmocka_unit_test(what_is_no_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
