/* Numbers as people write them, what is none, and what does not fit; and how they are written. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/number.h"

static void test_numbers(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
    } cases[] = {{"0", 0},        {"500", 500},       {"500K", 500000}, {"500k", 500000},
                 {"2M", 2000000}, {"3G", 3000000000}, {"007", 7},       {"18446744073709551615", UINT64_MAX}};
    uint64_t v;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(number_scaled(cases[i].text, &v));
        assert_true(v == cases[i].value);
    }
}

static void test_none(void **state)
{
    static const char *const none[] = {"",
                                       "M",
                                       "-1",
                                       "+1",
                                       " 1",
                                       "1 ",
                                       "2MM",
                                       "2m",
                                       "2T",
                                       "0x10",
                                       "1.5M",
                                       "18446744073709551616",
                                       "18446744073709551615K"};
    uint64_t v;

    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (number_scaled(none[i], &v))
            fail_msg("'%s' is a number", none[i]);
}

static void test_any(void **state)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {{"64K", 64000}, {"0.5", 0.5}, {"-3", -3}, {"1e6", 1e6}, {".25", 0.25}};
    static const char *const none[] = {"", "x", "1 ", " 1", "inf", "nan", "0x10", "1.5K", "1,5", "1e999"};
    double v;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(number_any(good[i].text, &v) && v == good[i].value);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (number_any(none[i], &v))
            fail_msg("'%s' is a number", none[i]);
}

static void test_written(void **state)
{
    char text[NUMBER_TEXT];
    (void)state;
    number_gain(0.0314, text, sizeof text);
    assert_string_equal(text, "+3.1 %");
    number_gain(-0.0004, text, sizeof text);
    assert_string_equal(text, "0.0 %");
    number_gain(-0.0006, text, sizeof text);
    assert_string_equal(text, "-0.1 %");
    number_short(0.123456, 3, text, sizeof text);
    assert_string_equal(text, "0.123");
    number_short(123456, 3, text, sizeof text);
    assert_string_equal(text, "123456");
    number_exact(64, text);
    assert_string_equal(text, "64");
    number_exact(0.1, text);
    assert_string_equal(text, "0.1");
    number_exact(0.1 + 0.2, text);
    assert_string_equal(text, "0.30000000000000004");
}

int test_host_number(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_any), cmocka_unit_test(test_written)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
