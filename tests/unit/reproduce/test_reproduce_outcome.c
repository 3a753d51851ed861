/* Outcomes of rows, from made-up runs: noise, and the spread of workloads behind a mean. */
#include "unit/test.h"

#include "unit/near.h"
#include "unit/reproduce/made_up.h"

static void expect_words(const struct made_up *m, const struct outcome *o, const char *words)
{
    char text[160];
    outcome_words(&m->row, o, text, sizeof text);
    assert_string_equal(text, words);
}

/* --- Noise is that of the paired value. */

/* Seeds are twice as fast as others, and 1 % is seen. */
TEST(test_paired_effect)
{
    static const double levels[SEEDS] = {10, 20, 12, 17, 15}, gains[SEEDS] = {0.010, 0.011, 0.009, 0.010, 0.010};
    struct made_up *m = make_up("+1 %", OVER_GEOMEAN, 1, SEEDS);
    struct outcome o;

    for (unsigned seed = 0; seed < SEEDS; seed++)
        set_cell(m, 0, seed, levels[seed], gains[seed]);
    outcome_of(&m->own, &o);
    NEAR(o.summary.value, 0.010);
    NEAR(o.summary.low, 0.009);
    NEAR(o.summary.high, 0.011);
    assert_true(fabs(o.summary.half - 2.776 * sqrt(1e-6 / 2 / 5)) < 1e-9);
    assert_int_equal(o.verdict, VERDICT_QUARTER);
    drop(m);
}

/* The mean is the paper's, and noise: of 1 % as of 20 %. */
TEST(test_effect_in_noise)
{
    static const struct {
        const char *paper;
        double scale;
    } cases[] = {{"+1 %", 0.01}, {"+20 %", 0.2}, {"higher", 0.2}};
    static const double gains[SEEDS] = {3, -1, 2.5, -0.5, 1};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made_up *m = make_up(cases[i].paper, OVER_GEOMEAN, 1, SEEDS);
        struct outcome o;
        for (unsigned seed = 0; seed < SEEDS; seed++)
            set_cell(m, 0, seed, 10, cases[i].scale * gains[seed]);
        outcome_of(&m->own, &o);
        NEAR(o.summary.value, cases[i].scale);
        assert_int_equal(o.verdict, VERDICT_NONE);
        assert_int_equal(outcome_counts_as(&o), VERDICT_NONE);
        expect_words(m, &o, "none");
        drop(m);
    }
}

TEST(test_one_seed)
{
    struct made_up *m = make_up("+1 %", OVER_GEOMEAN, 1, 1);
    struct outcome o;

    set_cell(m, 0, 0, 10, 0.01);
    outcome_of(&m->own, &o);
    assert_true(isnan(o.summary.half));
    assert_int_equal(o.verdict, VERDICT_NONE);
    set_cell(m, 0, 0, 10, 0.03);
    outcome_of(&m->own, &o);
    assert_int_equal(o.verdict, VERDICT_SIGN);
    drop(m);
}

/* One value in all seeds is exact, whatever its mean rounds to. */
TEST(test_equal_seeds)
{
    struct made_up *m = make_up("< 10", OVER_MEAN, 1, 3);
    struct outcome o;

    m->row.measure.relation = RELATION_LEVEL;
    m->own.once.against = (struct side){.partitions = 0};
    for (unsigned tenths = 1; tenths < 100; tenths++) {
        for (unsigned seed = 0; seed < 3; seed++)
            finish(&m->runs[0][seed], tenths / 10.0);
        outcome_of(&m->own, &o);
        assert_true(o.summary.half == 0 && o.summary.value == o.summary.low && o.summary.low == o.summary.high);
        assert_int_equal(o.verdict, VERDICT_QUARTER);
    }
    drop(m);
}

/* With more of something a gain is 5 points less in each seed, while gains differ by 40. */
TEST(test_less_plain)
{
    static const double plain[SEEDS] = {0.10, 0.50, 0.30, 0.20, 0.40};
    struct made_up *m = make_up("lower", OVER_GEOMEAN, 1, SEEDS);
    struct outcome o;

    m->row.less_plain = true;
    open_series(m, &m->own.plain, 2, 1, SEEDS);
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        set_cell(m, 0, seed, 10, plain[seed] - (seed ? 0.05 : 0.04));
        finish(&m->runs[2][seed], 10 * (1 + plain[seed]));
    }
    outcome_of(&m->own, &o);
    NEAR(o.summary.value, -0.048);
    NEAR(o.summary.low, -0.05);
    NEAR(o.summary.high, -0.04);
    assert_true(o.summary.half < 0.01);
    assert_int_equal(o.verdict, VERDICT_QUARTER);
    m->runs[3][0].sim.state = SIM_LOST;
    outcome_of(&m->own, &o);
    assert_int_equal(o.verdict, VERDICT_NOT_RUN);
    assert_int_equal(o.summary.missing, 1);
    drop(m);
}

/* The other alone runs say the opposite: shown, and no part of the verdict. */
TEST(test_both_readings)
{
    struct made_up *m = make_up("lower", OVER_GEOMEAN, 1, 2);
    struct outcome o;

    outcome_of(&m->own, &o);
    assert_true(isnan(o.other));
    m->row.measure.alone_both = true;
    open_series(m, &m->own.other, 2, 1, 2);
    for (unsigned seed = 0; seed < 2; seed++) {
        set_cell(m, 0, seed, 10, -0.1);
        finish(&m->runs[2][seed], seed ? 13 : 12);
    }
    outcome_of(&m->own, &o);
    NEAR(o.summary.value, -0.1);
    NEAR(o.other, 0.25);
    assert_int_equal(o.verdict, VERDICT_QUARTER);
    drop(m);
}

/* --- Workloads of a mean. */

/* One of four makes all of it, in every seed. */
TEST(test_one_pair)
{
    static const double gains[] = {0.01, 1.0, -0.01, 0.0};
    struct made_up *m = make_up("+20 %", OVER_GEOMEAN, 4, 1);
    struct outcome o;

    for (unsigned w = 0; w < 4; w++)
        set_cell(m, w, 0, 10, gains[w]);
    outcome_of(&m->own, &o);
    assert_int_equal(o.verdict, VERDICT_QUARTER);
    assert_string_equal(o.over.decides, "C+D");
    assert_int_equal(o.over.verdict, VERDICT_NONE);
    assert_true(fabs(o.over.without) < 1e-4);
    assert_string_equal(o.over.moves_most, "C+D");
    assert_int_equal(outcome_counts_as(&o), VERDICT_NONE);
    expect_words(m, &o, "within a quarter (one pair: C+D)");
    struct reproduction r = {.rows = &m->own, .row_count = 1};
    struct tally t;
    outcome_tally(&r, &t);
    assert_int_equal(t.rows, 1);
    assert_int_equal(t.sign + t.quarter + t.none + t.not_run, 0);
    assert_true(t.hang == 1 && t.nearer == 1);
    drop(m);
}

/* Without it the sign stays: the row counts for its sign. A single kernel is no pair. */
TEST(test_one_workload)
{
    static const double gains[] = {0.10, 0.10, 0.10, 0.10, 0.68};
    struct made_up *m = make_up("+20 %", OVER_MEAN, 5, 1);
    struct reproduction r = {.rows = &m->own, .row_count = 1};
    struct outcome o;
    struct tally t;

    for (unsigned w = 0; w < 5; w++)
        set_cell(m, w, 0, 10, gains[w]);
    outcome_of(&m->own, &o);
    expect_words(m, &o, "within a quarter (one workload: KMeans)");
    assert_int_equal(outcome_counts_as(&o), VERDICT_SIGN);
    outcome_tally(&r, &t);
    assert_true(t.sign == 1 && t.quarter == 0 && t.hang == 0 && t.nearer == 1);
    drop(m);
}

/* A pair against the paper makes a miss; the row is not better for it. */
TEST(test_one_pair_against)
{
    static const double gains[] = {0.2, 0.2, 0.2, -0.9};
    struct made_up *m = make_up("+20 %", OVER_GEOMEAN, 4, 1);
    struct outcome o;

    for (unsigned w = 0; w < 4; w++)
        set_cell(m, w, 0, 10, gains[w]);
    outcome_of(&m->own, &o);
    assert_int_equal(o.verdict, VERDICT_MISS);
    assert_int_equal(o.over.verdict, VERDICT_QUARTER);
    assert_int_equal(outcome_counts_as(&o), VERDICT_MISS);
    expect_words(m, &o, "miss (one pair: G+H)");
    drop(m);
}

/* Without A+B it is near enough, which moves the mean most; but without C+D or E+F it is none. */
TEST(test_less_agreement_first)
{
    static const double gains[] = {-0.06, 0.05, 0.09};
    struct made_up *m = make_up("+7 %", OVER_MEAN, 3, 1);
    struct outcome o;

    for (unsigned w = 0; w < 3; w++)
        set_cell(m, w, 0, 10, gains[w]);
    outcome_of(&m->own, &o);
    assert_int_equal(o.verdict, VERDICT_SIGN);
    assert_string_equal(o.over.moves_most, "A+B");
    NEAR(o.over.without_most, 0.07);
    assert_string_equal(o.over.decides, "E+F");
    NEAR(o.over.without, -0.005);
    assert_int_equal(o.over.verdict, VERDICT_NONE);
    assert_int_equal(outcome_counts_as(&o), VERDICT_NONE);
    drop(m);
}

TEST(test_quartiles)
{
    static const double gains[] = {0.30, 0.10, 0.25, 0.20};
    struct made_up *m = make_up("+22 %", OVER_MEAN, 4, 2);
    struct outcome o;

    for (unsigned seed = 0; seed < 2; seed++)
        for (unsigned w = 0; w < 4; w++)
            set_cell(m, w, seed, 10, gains[w] + (seed ? 0.01 : -0.01));
    outcome_of(&m->own, &o);
    assert_true(o.over.known);
    NEAR(o.over.quartiles.median, 0.225);
    NEAR(o.over.quartiles.first, 0.175);
    NEAR(o.over.quartiles.third, 0.2625);
    assert_string_equal(o.over.moves_most, "C+D");
    NEAR(o.over.without_most, 0.25);
    assert_null(o.over.decides);
    expect_words(m, &o, "within a quarter");
    drop(m);
}

/* Two workloads, an extreme: no mean of which one could be left out. One that counts nothing is none. */
TEST(test_no_quartiles)
{
    static const struct {
        enum aggregate over;
        unsigned workloads;
        bool known;
    } cases[] = {{OVER_MEAN, 2, false}, {OVER_MAX, 4, false}, {OVER_SHARE, 4, false}, {OVER_MEAN, 4, true}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made_up *m = make_up("+20 %", cases[i].over, cases[i].workloads, 1);
        struct outcome o;
        outcome_of(&m->own, &o);
        assert_int_equal(o.over.known, cases[i].known);
        if (cases[i].known) {
            finish(&m->runs[0][0], 0);
            finish(&m->runs[1][0], 0);
            outcome_of(&m->own, &o);
            assert_true(o.over.known && strcmp(o.over.moves_most, "A+B"));
            finish(&m->runs[0][2], 0);
            finish(&m->runs[1][2], 0);
            outcome_of(&m->own, &o);
            assert_false(o.over.known);
        }
        drop(m);
    }
}

/* Each seed has a value of one workload alone: there is a mean, and none without one of them. */
TEST(test_none_to_leave_out)
{
    struct made_up *m = make_up("+20 %", OVER_MEAN, 3, 3);
    struct outcome o;

    for (unsigned seed = 0; seed < 3; seed++)
        for (unsigned w = 0; w < 3; w++)
            set_cell(m, w, seed, w == seed ? 10 : 0, 0.2 + 0.01 * w);
    outcome_of(&m->own, &o);
    NEAR(o.summary.value, 0.21);
    assert_false(o.over.known);
    drop(m);
}

TEST(test_not_run)
{
    struct made_up *m = make_up("+20 %", OVER_MEAN, 4, 1);
    struct outcome o;

    m->runs[1][2].sim.state = SIM_LOST;
    outcome_of(&m->own, &o);
    assert_int_equal(o.verdict, VERDICT_NOT_RUN);
    assert_false(o.over.known);
    assert_int_equal(o.summary.missing, 1);
    expect_words(m, &o, "not run");
    drop(m);
}
