/* What a paper printed, and whether a number agrees with it: every form, at and beside each edge. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "reproduce/claim.h"
#include "unit/near.h"

static struct claim parsed(const char *text, bool gain)
{
    struct claim c;
    struct mh_error err;
    if (claim_parse(&c, text, gain, &err))
        fail_msg("%s: %s", text, err.text);
    return c;
}

static void test_forms(void **state)
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
        {"higher", true, CLAIM_ABOVE, UNIT_PERCENT, 0.02, -0.02},
        {"lower", true, CLAIM_BELOW, UNIT_PERCENT, 0.02, -0.02},
        {"higher", false, CLAIM_ABOVE, UNIT_PLAIN, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct claim c = parsed(cases[i].text, cases[i].gain);
        assert_int_equal(c.form, cases[i].form);
        assert_int_equal(c.unit, cases[i].unit);
        NEAR(c.low, cases[i].low);
        NEAR(c.high, cases[i].high);
    }
}

static void test_nonsense(void **state)
{
    static const char *const texts[] = {"",          "%",      "fast",   "3 4",     "1..", "5..3 %",
                                        "about 3 %", "< %",    "> 1..2", "nan",     "inf", "+57.8 %%",
                                        "higher!",   "within", "1.2y",   "1...2 x", "..2", "about 0 y"};
    struct claim c;
    struct mh_error err;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!claim_parse(&c, texts[i], true, &err))
            fail_msg("'%s' was taken for a claim", texts[i]);
}

static void test_scores(void **state)
{
    static const struct {
        const char *text;
        bool gain, level;
        double ours;
        enum verdict verdict;
    } cases[] = {
        /* An effect of 40 %: a quarter is 30 % .. 50 %, both included. */
        {"+40 %", true, false, 0.40, VERDICT_QUARTER},
        {"+40 %", true, false, 0.3000001, VERDICT_QUARTER},
        {"+40 %", true, false, 0.2999, VERDICT_SIGN},
        {"+40 %", true, false, 0.4999999, VERDICT_QUARTER},
        {"+40 %", true, false, 0.5001, VERDICT_SIGN},
        {"+40 %", true, false, 0, VERDICT_MISS},    /* nothing has no sign */
        {"+40 %", true, false, 0.02, VERDICT_MISS}, /* within noise: none */
        {"+40 %", true, false, 0.0201, VERDICT_SIGN},
        {"-40 %", true, false, -0.02, VERDICT_MISS},
        {"-40 %", true, false, -0.0201, VERDICT_SIGN},
        {"+2 %", true, false, 0.001, VERDICT_SIGN}, /* as small as noise in the paper, too */
        {"+2 %", true, false, -0.001, VERDICT_MISS},
        {"+40", false, false, 0.001, VERDICT_SIGN}, /* no gain */
        {"+40 %", true, false, -0.0001, VERDICT_MISS},
        {"-40 %", true, false, -0.3000001, VERDICT_QUARTER},
        {"-40 %", true, false, -0.2999, VERDICT_SIGN},
        {"-40 %", true, false, 0.40, VERDICT_MISS},
        {"3.8x", true, false, 2.1, VERDICT_QUARTER}, /* of the gain: 2.1 .. 3.5 */
        {"3.8x", true, false, 2.09, VERDICT_SIGN},
        {"3.8x", true, false, 3.51, VERDICT_SIGN},
        /* A level has no sign to agree in. */
        {"40 %", false, true, 0.3000001, VERDICT_QUARTER},
        {"40 %", false, true, 0.2999, VERDICT_MISS},
        {"40 %", false, true, 0.5001, VERDICT_MISS},
        {"2..3 x", false, true, 1.5, VERDICT_QUARTER}, /* 2 - 0.5 .. 3 + 0.75 */
        {"2..3 x", false, true, 1.49, VERDICT_MISS},
        {"2..3 x", false, true, 3.75, VERDICT_QUARTER},
        {"2..3 x", false, true, 3.76, VERDICT_MISS},
        /* Bounds hold or do not. */
        {"> 20", false, true, 20, VERDICT_MISS},
        {"> 20", false, true, 20.01, VERDICT_QUARTER},
        {"< 1 %", false, true, 0.01, VERDICT_MISS},
        {"< 1 %", false, true, 0.0099, VERDICT_QUARTER},
        {"higher", true, false, 0.02, VERDICT_MISS},
        {"higher", true, false, 0.0201, VERDICT_QUARTER},
        {"lower", true, false, 0.5, VERDICT_MISS},
        {"lower", true, false, -0.02, VERDICT_MISS},
        {"lower", true, false, -0.0201, VERDICT_QUARTER},
        {"higher", false, false, 0, VERDICT_MISS},
        {"higher", false, false, 1e-9, VERDICT_QUARTER},
        {"about 0 %", true, false, 0.02, VERDICT_QUARTER},
        {"about 0 %", true, false, -0.02, VERDICT_QUARTER},
        {"about 0 %", true, false, 0.0201, VERDICT_MISS},
        {"within 0.8 %", true, false, -0.008, VERDICT_QUARTER},
        {"within 0.8 %", true, false, -0.0081, VERDICT_MISS},
        {"+40 %", true, false, NAN, VERDICT_NOT_RUN},
        {"> 20", false, true, NAN, VERDICT_NOT_RUN},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct claim c = parsed(cases[i].text, cases[i].gain);
        enum verdict v = claim_score(&c, cases[i].level, cases[i].ours);
        if (v != cases[i].verdict)
            fail_msg("%s beside %g: verdict %d", cases[i].text, cases[i].ours, (int)v);
    }
}

static void test_words(void **state)
{
    struct claim percent = parsed("+57.8 %", true), level = parsed("66.5 %", false), times = parsed("3.8x", true);
    struct claim plain = parsed("0.03", false), bound = parsed("> 20", false);
    char text[32];
    (void)state;
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
static void test_words_near_zero(void **state)
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
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        claim_format(&percent, cases[i].value, text, sizeof text);
        assert_string_equal(text, cases[i].gain);
        claim_format(&level, cases[i].value, text, sizeof text);
        assert_string_equal(text, cases[i].level);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms), cmocka_unit_test(test_nonsense),        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_words), cmocka_unit_test(test_words_near_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
