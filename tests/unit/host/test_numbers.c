/* Means, quartiles, numbers as they are written and read, intervals: counted by hand. */
#include "unit/test.h"

#include <math.h>

#include "base/number.h"
#include "unit/near.h"

TEST(test_means)
{
    const double values[] = {1, 2, 4};

    NEAR(mean_arithmetic(values, 3), 7.0 / 3);
    NEAR(mean_geometric(values, 3, 0), 2);
    NEAR(mean_least(values, 3), 1);
    NEAR(mean_most(values, 3), 4);
    assert_true(isnan(mean_arithmetic(NULL, 0)) && isnan(mean_least(NULL, 0)) && isnan(mean_most(NULL, 0)));
}

/* Gains of a doubling and a halving make none. */
TEST(test_gains)
{
    const double gains[] = {1, -0.5}, lost[] = {1, -1}, below[] = {1, -2};

    NEAR(mean_geometric(gains, 2, 1), 0);
    NEAR(mean_geometric(lost, 2, 1), -1);
    assert_true(isnan(mean_geometric(below, 2, 1)));
}

TEST(test_median)
{
    double odd[] = {9, 1, 5}, even[] = {9, 1, 5, 3}, one[] = {7};

    NEAR(mean_median(odd, 3), 5);
    NEAR(mean_median(even, 4), 4);
    NEAR(mean_median(one, 1), 7);
    assert_true(isnan(mean_median(one, 0)));
}

TEST(test_quartiles)
{
    double values[] = {4, 1, 3, 2, 5}, few[] = {1, 2};
    struct quartiles q;

    assert_true(quartiles_of(values, 5, &q));
    NEAR(q.first, 2);
    NEAR(q.median, 3);
    NEAR(q.third, 4);
    assert_false(quartiles_of(few, 2, &q));
}

/* --- Numbers as people write them, what is none, and what does not fit; and how they are written. */

TEST(test_written_numbers)
{
    static const struct {
        const char *text;
        uint64_t value;
    } cases[] = {{"0", 0},         {"500", 500},       {"500K", 500000}, {"500k", 500000},
                 {"2M", 2000000},  {"3G", 3000000000}, {"007", 7},       {"18446744073709551615", UINT64_MAX},
                 {"1e6", 1000000}, {"1.5M", 1500000},  {"2.50e3", 2500}, {"0e99", 0}};
    uint64_t v;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(number_scaled(cases[i].text, &v));
        assert_true(v == cases[i].value);
    }
}

TEST(test_none)
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
                                       "1.5",
                                       "1.",
                                       ".5M",
                                       "1.0005K",
                                       "1e",
                                       "1e-3",
                                       "1e20",
                                       "1e100",
                                       "1e3K",
                                       "1E6",
                                       "18446744073709551616",
                                       "18446744073709551615K"};
    uint64_t v;

    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (number_scaled(none[i], &v))
            fail_msg("'%s' is a number", none[i]);
}

TEST(test_any)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {{"64K", 64000}, {"0.5", 0.5}, {"-3", -3}, {"1e6", 1e6}, {".25", 0.25}};
    static const char *const none[] = {"", "x", "1 ", " 1", "inf", "nan", "0x10", "1.55e1K", "1,5", "1e999"};
    double v;

    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(number_any(good[i].text, &v) && v == good[i].value);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (number_any(none[i], &v))
            fail_msg("'%s' is a number", none[i]);
}

TEST(test_written)
{
    char text[NUMBER_TEXT];

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

/* --- Means and their intervals, against values worked out by hand. */

/* 1..5: mean 3, standard deviation sqrt(2.5); t(4) = 2.776. */
TEST(test_five_values)
{
    const double values[] = {1, 2, 3, 4, 5};
    struct interval i = interval_of(values, 5);
    assert_true(fabs(i.mean - 3) < 1e-12);
    assert_true(fabs(i.half - 2.776 * sqrt(0.5)) < 1e-9);
    assert_true(interval_is_effect(&i));
}

/* Two values: t(1) = 12.706, so that 1 and 2 say nothing, 1.0 and 1.1 do. */
TEST(test_two_values)
{
    const double apart[] = {1, 2}, close[] = {1.0, 1.1};
    struct interval a = interval_of(apart, 2), c = interval_of(close, 2);
    assert_true(fabs(a.half - 12.706 / 2) < 1e-9);
    assert_false(interval_is_effect(&a));
    assert_true(interval_is_effect(&c));
}

TEST(test_one_value_knows_no_width)
{
    const double one[] = {5};
    struct interval i = interval_of(one, 1);
    assert_true(fabs(i.mean - 5) < 1e-12);
    assert_true(isnan(i.half));
    assert_false(interval_is_effect(&i));
}

TEST(test_equal_values_are_exact)
{
    const double same[] = {0.1, 0.1, 0.1}, zero[] = {0, 0, 0}; /* 0.1 + 0.1 + 0.1 is not 3 * 0.1 */
    struct interval s = interval_of(same, 3), z = interval_of(zero, 3);
    assert_true(s.mean == same[0] && s.half == 0 && interval_is_effect(&s));
    assert_false(interval_is_effect(&z));
}

TEST(test_nothing_and_nan)
{
    const double gap[] = {1, NAN, 2};
    struct interval none = interval_of(NULL, 0), i = interval_of(gap, 3);
    assert_true(isnan(none.mean) && isnan(none.half) && isnan(i.mean));
    assert_false(interval_is_effect(&none));
    assert_false(interval_is_effect(&i));
}

/* t(30) = 2.042, t(60) = 2.000 of the same table. */
TEST(test_many_values)
{
    double values[61];
    for (unsigned k = 0; k < 61; k++)
        values[k] = k % 2 ? 1 : -1;
    struct interval i = interval_of(values, 31), j = interval_of(values, 61);
    double s31 = sqrt((31 - 31 * i.mean * i.mean) / 30 / 31), s61 = sqrt((61 - 61 * j.mean * j.mean) / 60 / 61);
    assert_true(fabs(i.half / s31 - 2.042) < 0.004 && fabs(j.half / s61 - 2.000) < 0.004);
}
