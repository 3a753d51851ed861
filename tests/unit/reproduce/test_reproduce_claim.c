/* What a paper printed, and whether a number agrees with it: every form, at each edge and on both sides of it. */
#include "unit/test.h"

#include <math.h>

#include "reproduce/paper_claim.h"
#include "unit/near.h"

static struct claim parsed(const char *text, bool gain)
{
    struct claim c;
    struct mh_error err;
    if (claim_parse(&c, text, gain, &err))
        fail_msg("%s: %s", text, err.text);
    return c;
}

TEST(test_forms)
{
    static const struct {
        const char *text;
        bool gain;
        enum claim_form form;
        enum claim_unit unit;
        double low, high;
    } cases[] = {
        {"+57.8 %", true, CLAIM_RANGE, UNIT_PERCENT, 0.578, 0.578},
        {"-22.4 %", true, CLAIM_RANGE, UNIT_PERCENT, -0.224, -0.224},
        {"99.8 %", false, CLAIM_RANGE, UNIT_PERCENT, 0.998, 0.998},
        {"3.8x", true, CLAIM_RANGE, UNIT_TIMES, 2.8, 2.8}, /* a gain of 280 % */
        {"3.8x", false, CLAIM_RANGE, UNIT_TIMES, 3.8, 3.8},
        {"2..3 x", false, CLAIM_RANGE, UNIT_TIMES, 2, 3},
        {"27..61 %", false, CLAIM_RANGE, UNIT_PERCENT, 0.27, 0.61},
        {"0.03", false, CLAIM_RANGE, UNIT_PLAIN, 0.03, 0.03},
        {"706", false, CLAIM_RANGE, UNIT_PLAIN, 706, 706},
        {"about 0 %", true, CLAIM_WITHIN, UNIT_PERCENT, 0, 0.02},
        {"within 0.8 %", true, CLAIM_WITHIN, UNIT_PERCENT, 0.008, 0.008},
        {"< 0.1 %", false, CLAIM_BELOW, UNIT_PERCENT, 0.001, 0.001},
        {"> 20", false, CLAIM_ABOVE, UNIT_PLAIN, 20, 20},
        {"> 2.1x", true, CLAIM_ABOVE, UNIT_TIMES, 1.1, 1.1},
        {"higher", true, CLAIM_ABOVE, UNIT_PERCENT, 0, 0},
        {"lower", true, CLAIM_BELOW, UNIT_PERCENT, 0, 0},
        {"higher", false, CLAIM_ABOVE, UNIT_PLAIN, 0, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct claim c = parsed(cases[i].text, cases[i].gain);
        assert_int_equal(c.form, cases[i].form);
        assert_int_equal(c.unit, cases[i].unit);
        NEAR(c.low, cases[i].low);
        NEAR(c.high, cases[i].high);
        assert_int_equal(c.direction, !strcmp(cases[i].text, "higher") || !strcmp(cases[i].text, "lower"));
    }
}

TEST(test_nonsense)
{
    static const char *const texts[] = {"",          "%",      "fast",   "3 4",     "1..", "5..3 %",
                                        "about 3 %", "< %",    "> 1..2", "nan",     "inf", "+57.8 %%",
                                        "higher!",   "within", "1.2y",   "1...2 x", "..2", "about 0 y"};
    struct claim c;
    struct mh_error err;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!claim_parse(&c, texts[i], true, &err))
            fail_msg("'%s' was taken for a claim", texts[i]);
}

struct scored {
    const char *text;
    bool gain, level;
    double ours, half;
    enum verdict verdict;
};

static void check_scores(const struct scored *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct claim c = parsed(cases[i].text, cases[i].gain);
        enum verdict v = claim_score(&c, cases[i].level, cases[i].ours, cases[i].half);
        if (v != cases[i].verdict)
            fail_msg("%s beside %g +- %g: verdict %d", cases[i].text, cases[i].ours, cases[i].half, (int)v);
    }
}

/* Of one seed: 2 % stand in for the interval of a gain and of its direction, nothing for that of all else. */
TEST(test_one_seed)
{
    static const struct scored cases[] = {
        /* An effect of 40 %: a quarter is 30 % .. 50 %, both included. */
        {"+40 %", true, false, 0.40, NAN, VERDICT_QUARTER},
        {"+40 %", true, false, 0.3000001, NAN, VERDICT_QUARTER},
        {"+40 %", true, false, 0.2999, NAN, VERDICT_SIGN},
        {"+40 %", true, false, 0.4999999, NAN, VERDICT_QUARTER},
        {"+40 %", true, false, 0.5001, NAN, VERDICT_SIGN},
        {"+40 %", true, false, 0, NAN, VERDICT_NONE},
        {"+40 %", true, false, 0.02, NAN, VERDICT_NONE},
        {"+40 %", true, false, 0.0201, NAN, VERDICT_SIGN},
        {"+40 %", true, false, -0.0201, NAN, VERDICT_MISS},
        {"-40 %", true, false, -0.02, NAN, VERDICT_NONE},
        {"-40 %", true, false, -0.0201, NAN, VERDICT_SIGN},
        {"+1 %", true, false, 0.01, NAN, VERDICT_NONE}, /* as small in the paper: no better known here */
        {"+2 %", true, false, -0.001, NAN, VERDICT_NONE},
        {"+2 %", true, false, 0.0201, NAN, VERDICT_QUARTER},
        {"+40", false, false, 0.001, NAN, VERDICT_SIGN}, /* no gain */
        {"+40", false, false, 0, NAN, VERDICT_NONE},
        {"+40 %", true, false, -0.0001, NAN, VERDICT_NONE},
        {"-40 %", true, false, -0.3000001, NAN, VERDICT_QUARTER},
        {"-40 %", true, false, -0.2999, NAN, VERDICT_SIGN},
        {"-40 %", true, false, 0.40, NAN, VERDICT_MISS},
        {"3.8x", true, false, 2.1, NAN, VERDICT_QUARTER}, /* of the gain: 2.1 .. 3.5 */
        {"3.8x", true, false, 2.09, NAN, VERDICT_SIGN},
        {"3.8x", true, false, 3.51, NAN, VERDICT_SIGN},
        /* A level has no sign to agree in. */
        {"40 %", false, true, 0.3000001, NAN, VERDICT_QUARTER},
        {"40 %", false, true, 0.2999, NAN, VERDICT_MISS},
        {"40 %", false, true, 0.5001, NAN, VERDICT_MISS},
        {"1 %", true, true, 0.01, NAN, VERDICT_QUARTER},    /* also of gains */
        {"2..3 x", false, true, 1.5, NAN, VERDICT_QUARTER}, /* 2 - 0.5 .. 3 + 0.75 */
        {"2..3 x", false, true, 1.49, NAN, VERDICT_MISS},
        {"2..3 x", false, true, 3.75, NAN, VERDICT_QUARTER},
        {"2..3 x", false, true, 3.76, NAN, VERDICT_MISS},
        /* Bounds hold or do not. */
        {"> 20", false, true, 20, NAN, VERDICT_MISS},
        {"> 20", false, true, 20.01, NAN, VERDICT_QUARTER},
        {"< 1 %", false, true, 0.01, NAN, VERDICT_MISS},
        {"< 1 %", false, true, 0.0099, NAN, VERDICT_QUARTER},
        {"> -2 %", true, false, -0.0199, NAN, VERDICT_QUARTER},
        {"> -2 %", true, false, -0.0201, NAN, VERDICT_MISS},
        {"about 0 %", true, false, 0.02, NAN, VERDICT_QUARTER},
        {"about 0 %", true, false, -0.02, NAN, VERDICT_QUARTER},
        {"about 0 %", true, false, 0.0201, NAN, VERDICT_MISS},
        {"within 0.8 %", true, false, -0.008, NAN, VERDICT_QUARTER},
        {"within 0.8 %", true, false, -0.0081, NAN, VERDICT_MISS},
        /* A direction is an effect. */
        {"higher", true, false, 0.02, NAN, VERDICT_NONE},
        {"higher", true, false, 0.0201, NAN, VERDICT_QUARTER},
        {"higher", true, false, -0.02, NAN, VERDICT_NONE},
        {"higher", true, false, -0.0201, NAN, VERDICT_MISS},
        {"lower", true, false, 0.5, NAN, VERDICT_MISS},
        {"lower", true, false, -0.02, NAN, VERDICT_NONE},
        {"lower", true, false, -0.0201, NAN, VERDICT_QUARTER},
        {"higher", false, false, 0, NAN, VERDICT_NONE},
        {"higher", false, false, 1e-9, NAN, VERDICT_QUARTER},
        {"+40 %", true, false, NAN, NAN, VERDICT_NOT_RUN},
        {"> 20", false, true, NAN, NAN, VERDICT_NOT_RUN},
    };

    check_scores(cases, sizeof cases / sizeof *cases);
}

/* Of several: their interval is the noise, and 2 % are none. */
TEST(test_several_seeds)
{
    static const struct scored cases[] = {
        {"+1 %", true, false, 0.004, 0.001, VERDICT_SIGN}, /* small, and known */
        {"+1 %", true, false, 0.010, 0.001, VERDICT_QUARTER},
        {"+1 %", true, false, 0.010, 0.010, VERDICT_NONE},
        {"+1 %", true, false, 0.010, 0.011, VERDICT_NONE},
        {"+40 %", true, false, 0.40, 0.41, VERDICT_NONE}, /* though the mean is the paper's */
        {"+40 %", true, false, -0.30, 0.31, VERDICT_NONE},
        {"+40 %", true, false, -0.30, 0.29, VERDICT_MISS},
        {"+40 %", true, false, 0.30001, 0.1, VERDICT_QUARTER}, /* across the edge of the quarter the mean decides */
        {"+40 %", true, false, 0.29999, 0.1, VERDICT_SIGN},
        {"40 %", false, true, 0.30001, 0.5, VERDICT_QUARTER}, /* and of a level always */
        {"40 %", false, true, 0.29999, 0.5, VERDICT_MISS},
        /* Equal in all seeds. */
        {"+40 %", true, false, 1e-6, 0, VERDICT_SIGN},
        {"+40 %", true, false, -1e-6, 0, VERDICT_MISS},
        {"+40 %", true, false, 0, 0, VERDICT_NONE},
        {"higher", true, false, 1e-6, 0, VERDICT_QUARTER},
        {"higher", true, false, 0, 0, VERDICT_NONE},
        {"> 20", false, true, 20, 0, VERDICT_MISS},
        {"> 20", false, true, 20.01, 0, VERDICT_QUARTER},
        /* Bounds: all of the interval on one side, all on the other, on both. */
        {"> 20", false, true, 21, 0.99, VERDICT_QUARTER},
        {"> 20", false, true, 21, 1, VERDICT_NONE},
        {"> 20", false, true, 19, 1.01, VERDICT_NONE},
        {"> 20", false, true, 19, 1, VERDICT_MISS},
        {"< 1 %", false, true, 0.008, 0.0019, VERDICT_QUARTER},
        {"< 1 %", false, true, 0.008, 0.0021, VERDICT_NONE},
        {"< 1 %", false, true, 0.012, 0.0021, VERDICT_NONE},
        {"< 1 %", false, true, 0.012, 0.0019, VERDICT_MISS},
        {"> -2 %", true, false, -0.01, 0.009, VERDICT_QUARTER},
        {"> -2 %", true, false, -0.01, 0.011, VERDICT_NONE},
        {"> -2 %", true, false, -0.03, 0.011, VERDICT_NONE},
        {"> -2 %", true, false, -0.03, 0.009, VERDICT_MISS},
        {"within 1.8 %", true, false, -0.010, 0.007, VERDICT_QUARTER},
        {"within 1.8 %", true, false, 0.010, 0.007, VERDICT_QUARTER}, /* better than Ideal is within it, too */
        {"within 1.8 %", true, false, 0, 0.001, VERDICT_QUARTER},     /* a bound is no effect */
        {"within 1.8 %", true, false, -0.010, 0.009, VERDICT_NONE},
        {"within 1.8 %", true, false, 0.010, 0.009, VERDICT_NONE},
        {"within 1.8 %", true, false, 0, 0.019, VERDICT_NONE}, /* beyond it on both sides */
        {"within 1.8 %", true, false, -0.028, 0.009, VERDICT_MISS},
        {"within 1.8 %", true, false, 0.028, 0.009, VERDICT_MISS},
        {"within 1.8 %", true, false, 0.028, 0.011, VERDICT_NONE},
        {"about 0 %", true, false, 0.015, 0.004, VERDICT_QUARTER},
        {"about 0 %", true, false, 0.015, 0.006, VERDICT_NONE},
        {"about 0 %", true, false, -0.03, 0.009, VERDICT_MISS},
        {"higher", true, false, 0.004, 0.003, VERDICT_QUARTER},
        {"higher", true, false, 0.004, 0.005, VERDICT_NONE},
        {"higher", true, false, -0.004, 0.005, VERDICT_NONE},
        {"higher", true, false, -0.004, 0.003, VERDICT_MISS},
        {"lower", true, false, -0.004, 0.003, VERDICT_QUARTER},
        {"lower", true, false, -0.05, 0.06, VERDICT_NONE},
        {"lower", true, false, 0.004, 0.003, VERDICT_MISS},
        {"+40 %", true, false, NAN, 0, VERDICT_NOT_RUN},
    };

    check_scores(cases, sizeof cases / sizeof *cases);
}

TEST(test_intervals)
{
    static const struct {
        const char *claim;
        bool gain;
        double value, half;
        const char *text;
    } cases[] = {
        {"+57.8 %", true, 0.021, 0.004, "+2.1 +- 0.4 %"},  {"66.5 %", false, 0.021, 0.004, "2.1 +- 0.4 %"},
        {"+57.8 %", true, -0.0001, 0.004, "0.0 +- 0.4 %"}, {"3.8x", true, 0.5, 0.123, "1.50 +- 0.12x"},
        {"> 20", false, 24.31, 0.25, "24.3 +- 0.25"},      {"> 20", false, 12345.6, 1234.5, "12346 +- 1234"},
        {"+57.8 %", true, 0.021, NAN, "+2.1 %"},           {"+57.8 %", true, NAN, NAN, "-"},
    };
    char text[64];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct claim c = parsed(cases[i].claim, cases[i].gain);
        claim_format_interval(&c, cases[i].value, cases[i].half, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

TEST(test_words)
{
    struct claim percent = parsed("+57.8 %", true), level = parsed("66.5 %", false), times = parsed("3.8x", true);
    struct claim plain = parsed("0.03", false), bound = parsed("> 20", false);
    char text[32];

    claim_format(&percent, 0.1234, text, sizeof text);
    assert_string_equal(text, "+12.3 %");
    claim_format(&level, 0.1234, text, sizeof text);
    assert_string_equal(text, "12.3 %");
    claim_format(&times, 0.5, text, sizeof text);
    assert_string_equal(text, "1.50x");
    claim_format(&plain, 0.0123, text, sizeof text);
    assert_string_equal(text, "0.0123");
    claim_format(&bound, 24.31, text, sizeof text);
    assert_string_equal(text, "24.3");
    claim_format(&bound, 586, text, sizeof text);
    assert_string_equal(text, "586");
    claim_format(&bound, 12345.6, text, sizeof text);
    assert_string_equal(text, "12346");
    claim_format(&bound, NAN, text, sizeof text);
    assert_string_equal(text, "-");
    NEAR(claim_ratio(&percent, 0.289), 0.5);
    NEAR(claim_ratio(&times, 1.4), 0.5);
    assert_true(isnan(claim_ratio(&bound, 24.3)));
}

/* What rounds to 0.0 has no sign, the next tenth has. */
TEST(test_words_near_zero)
{
    static const struct {
        double value;
        const char *gain, *level;
    } cases[] = {
        {-0.00049, "0.0 %", "0.0 %"},   {0.00049, "0.0 %", "0.0 %"},  {0, "0.0 %", "0.0 %"},
        {-0.00051, "-0.1 %", "-0.1 %"}, {0.00051, "+0.1 %", "0.1 %"},
    };
    struct claim percent = parsed("+57.8 %", true), level = parsed("66.5 %", false);
    char text[32];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        claim_format(&percent, cases[i].value, text, sizeof text);
        assert_string_equal(text, cases[i].gain);
        claim_format(&level, cases[i].value, text, sizeof text);
        assert_string_equal(text, cases[i].level);
    }
}
