/* What is said of made-up runs: the images that lose first, a sentence for each, marks in the tables. */
#include "unit/test.h"

#include <math.h>

#include "latency/latency.h"
#include "latency_runs.h"
#include "unit/near.h"

enum { LAST_CLOCK = POINTS_FIRST_BUS - 1, LAST_BUS = POINTS_LAST - 1 };

static char *text;

static void report_all(bool markdown)
{
    free(text);
    text = PRINTED(f, latency_all(&all, &(struct doc){f, markdown ? DOC_MARKDOWN : DOC_TEXT, 0}));
}

static int free_text(void **state)
{
    free(text);
    text = NULL;
    return teardown(state);
}

static void report(void)
{
    free(text);
    text = PRINTED(f, latency_report(&all, &(struct doc){f, DOC_TEXT, 0}));
}

static void says(const char *part)
{
    assert_has(text, part);
}

static void says_not(const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' in:\n%s", part, text);
}

static void in_order(const char *first, const char *second)
{
    says(first);
    says(second);
    if (strstr(text, first) > strstr(text, second))
        fail_msg("'%s' behind '%s' in:\n%s", first, second, text);
}

/* c keeps nothing on B, a loses half of A from 500 MHz on; b gains and keeps. */
static void lose(void)
{
    for (unsigned i = 0; i < IMAGES; i++)
        put_all(i, 0, LAST_BUS, 0, 1.2);
    put_seeds(0, 0, 0, 1, (const double[]){2.24, 2.2, 2.22, 2.26, 2.28});
    put_all(0, POINTS_FIRST_CLOCK, LAST_BUS, 1, 0.98);
    put_all(2, POINTS_DEFAULT, LAST_CLOCK, 0, 1.1);
    put_all(2, LAST_CLOCK, LAST_CLOCK, 0, 1.05);
}

TEST(test_losers_lead, .setup = setup, .teardown = free_text)
{
    lose();
    report_all(false);
    says("What firmware cannot afford, at 500 MHz:\n\n- c: on B it gains +124.0 +- 3.9 % in no time and keeps none of "
         "it "
         "at any clock.\n- a: on A it gains +20.0 +- 0.0 % in no time and keeps at most 50 % of it at 500 MHz and "
         "slower.\n\n");
    in_order("not even 2 GHz", "1000 MHz");
    in_order("\na ", "\nb ");
    report_all(true);
    says("\n\n- c: on B it gains");
    in_order(
        "| c | mask | ibex | B | +124.0 +- 3.9 % | 126.0 +- 3.9 % lost | not even 2 GHz | not even 2 GHz | not even "
        "5 | not even 5 |",
        "| a | mask | ibex | A | +20.0 +- 0.0 % | 10.0 +- 0.0 % lost | 1000 MHz | 1000 MHz |");
    says("| b | mask | ibex | A | +20.0 +- 0.0 % | 0.0 +- 0.0 % | 25 MHz | 25 MHz | 500 | 500 |");
}

/* At 500 MHz the gain is lost, at 200 MHz it is not: of the slower ones nothing is said. */
TEST(test_lost_at_one_clock, .setup = setup, .teardown = free_text)
{
    put_all(0, 0, LAST_BUS, 0, 1.2);
    put_all(0, POINTS_DEFAULT, POINTS_DEFAULT, 0, 1.15);
    report_all(false);
    says("- c: on A it gains +20.0 +- 0.0 % in no time and keeps 75 % of it at 500 MHz.\n");
    says("nothing to gain");
}

TEST(test_none_lost, .setup = setup, .teardown = free_text)
{
    put_all(1, 0, LAST_BUS, 0, 1.2);
    put_all(1, LAST_CLOCK, LAST_CLOCK, 0, 1.1);
    put_all(2, 0, LAST_BUS, 0, 1.2);
    put_all(0, 0, LAST_BUS, 2, 0.9);
    report_all(false);
    says("At 500 MHz no image is shown to lose more than 5 % of a gain.\n");
    in_order("\nb ", "\na ");
    in_order("\na ", "\nc ");
    says("it loses");
    sim_of(2, LAST_CLOCK, 0, 0)->sim.state = SIM_STOPPED;
    report_all(false);
    says_not("no image is shown");
}

TEST(test_words_of_an_image, .setup = setup, .teardown = free_text)
{
    lose();
    put_seeds(1, LAST_CLOCK, LAST_CLOCK, 0, (const double[]){1.2, 1.2, 1.2, 1.2, 1.1});
    put_all(1, LAST_CLOCK, LAST_CLOCK, 1, 0.9995);
    put_all(1, 0, LAST_BUS, 2, 0.9);
    report();
    says("c: preset mask, core ibex, 100000 GPU cycles, seeds 1-5\n");
    says("Knee: none, not even 2 GHz keeps the gain on B.\n\nLongest bus latency at 500 MHz: not even 5.\n\n"
         "- On B it gains +124.0 +- 3.9 % in no time and keeps none of it at any clock.\n");
    says("2.0 +- 5.6 % ?");
    says("0.05 +- 0.00 % costs");
    says("Knee: 25 MHz; worst workload: A (kept: 50 MHz; then no loss is shown).\n");
    says("The policy itself loses on C: -10.0 +- 0.0 % in no time.\n");
    says("10.0 +- 0.0 % lost");
}

static int one_seed(void **)
{
    return make_runs(1);
}

/* Numbers without an interval, and nothing is concluded from them. */
TEST(test_one_seed, .setup = one_seed, .teardown = free_text)
{
    put(0, 0, 0, 0, 2.24);
    report();
    says("c: preset mask, core ibex, 100000 GPU cycles, seed 1\n");
    says("One seed has no interval: no verdict and no knee.");
    says("+124.0 %");
    says("one seed: no verdict");
    says_not("cannot afford");
    says_not("no image is shown");
    says_not("+- 0");
}

/* --- What made-up runs come to: paired gains and losses, verdicts, knees of workloads and of an image. */

static struct latency_image *const image = &all.images[0];
static struct latency_summary sum;

static const struct latency_losses *losses_of(unsigned workload)
{
    latency_summarise(&all, image, &sum);
    return &sum.workloads[workload];
}

/*
 * Gains of 20 to 60 % in no time, and each seed loses 4 percentage points at 200 MHz and slower: the spread between the
 * seeds is ten times what is lost, and says nothing of it.
 */
TEST(test_small_loss_of_seeds_that_differ, .setup = setup, .teardown = teardown)
{
    static const double full[] = {1.2, 1.6, 1.3, 1.5, 1.4}, slow[] = {1.16, 1.56, 1.26, 1.46, 1.36};

    put_seeds(0, 0, LAST_BUS, 0, full);
    put_seeds(0, POINTS_DEFAULT + 1, LAST_CLOCK, 0, slow);
    const struct latency_losses *l = losses_of(0);
    assert_int_equal(l->verdict, GAIN_REAL);
    NEAR(l->gain[0].mean, 0.4);
    assert_true(l->gain[0].half > 0.15);
    NEAR(l->loss[LAST_CLOCK].mean, 0.04);
    assert_true(l->loss[LAST_CLOCK].half < 1e-9);
    assert_int_equal(l->keep[POINTS_DEFAULT], KEEP_KEPT);
    assert_int_equal(l->keep[POINTS_DEFAULT + 1], KEEP_LOST);
    assert_int_equal(l->clock.knee, POINTS_DEFAULT);
    NEAR(latency_kept(l, LAST_CLOCK), 0.9);
}

/* Each seed against no policy with the same seed: speedups alone differ more than the policy gains. */
TEST(test_gain_is_paired, .setup = setup, .teardown = teardown)
{
    static const double none[] = {0.5, 1.5, 1, 0.8, 1.2}, full[] = {0.55, 1.65, 1.1, 0.88, 1.32};

    put_seeds(0, POINTS_LAST, POINTS_LAST, 0, none);
    put_seeds(0, 0, LAST_BUS, 0, full);
    const struct latency_losses *l = losses_of(0);
    assert_int_equal(l->verdict, GAIN_REAL);
    NEAR(l->gain[0].mean, 0.1);
    assert_true(l->gain[0].half < 1e-9);
    NEAR(l->loss[1].mean, 0);
}

/* One seed of five gains 50 %: nothing to gain. Another workload loses in each. */
TEST(test_nothing_to_gain, .setup = setup, .teardown = teardown)
{
    put(0, 0, 0, 2, 1.5);
    const struct latency_losses *l = losses_of(0);
    assert_int_equal(l->verdict, GAIN_NONE);
    NEAR(l->gain[0].mean, 0.1);
    assert_int_equal(sum.verdict, GAIN_NONE);
    put_seeds(0, 0, LAST_BUS, 1, (const double[]){0.95, 0.96, 0.94, 0.95, 0.95});
    losses_of(1);
    assert_int_equal(sum.workloads[1].verdict, GAIN_LOSS);
    assert_int_equal(sum.verdict, GAIN_LOSS);
    put_all(0, 0, 0, 2, 1.01);
    losses_of(2);
    assert_int_equal(sum.verdict, GAIN_REAL);
    assert_int_equal(sum.worst, 2);
}

/* No policy's speed or less at each clock, where no time gains 9 to 124 %: not even the fastest keeps it. */
TEST(test_all_is_lost, .setup = setup, .teardown = teardown)
{
    put_seeds(0, 0, 0, 1, (const double[]){2.24, 1.09, 2.22, 1.95, 2.18});
    put_all(0, POINTS_FIRST_CLOCK, LAST_BUS, 1, 0.98);
    put_all(0, 0, LAST_BUS, 0, 1.3);
    const struct latency_losses *l = losses_of(1);
    assert_int_equal(l->verdict, GAIN_REAL);
    for (unsigned point = POINTS_FIRST_CLOCK; point < POINTS_LAST; point++)
        assert_int_equal(l->keep[point], KEEP_LOST);
    assert_true(latency_kept(l, POINTS_DEFAULT) < 0);
    assert_int_equal(l->clock.knee, 0);
    assert_int_equal(l->bus.knee, 0);
    assert_int_equal(sum.worst, 1);
    assert_int_equal(sum.clock.knee, 0);
    assert_true(sum.lost);
    assert_int_equal(sum.workloads[0].clock.knee, POINTS_CLOCKS);
}

/* One seed gains at 2 GHz but not in no time: that keeps nothing, and shows no loss. */
TEST(test_two_states, .setup = setup, .teardown = teardown)
{
    put_seeds(0, 0, 0, 0, (const double[]){2.24, 1.09, 2.22, 1.95, 2.18});
    put_seeds(0, POINTS_FIRST_CLOCK, POINTS_FIRST_CLOCK, 0, (const double[]){0.98, 2.42, 0.98, 0.98, 0.98});
    const struct latency_losses *l = losses_of(0);
    assert_int_equal(l->keep[POINTS_FIRST_CLOCK], KEEP_UNCLEAR);
    assert_int_equal(l->clock.knee, 0);
}

/* Means of 2 % lost, in one seed all of it: more than a twentieth of 20 %, but within the interval. */
TEST(test_no_loss_shown, .setup = setup, .teardown = teardown)
{
    put_all(0, 0, LAST_BUS, 0, 1.2);
    put(0, POINTS_FIRST_CLOCK + 1, 0, 3, 1.1);
    put(0, POINTS_FIRST_BUS, 0, 3, 1.1);
    const struct latency_losses *l = losses_of(0);
    assert_int_equal(l->keep[POINTS_FIRST_CLOCK + 1], KEEP_UNSHOWN);
    assert_int_equal(l->clock.knee, POINTS_CLOCKS);
    assert_int_equal(l->clock.kept, 1);
    assert_int_equal(l->bus.knee, POINTS_BUSES);
    assert_int_equal(l->bus.kept, 0);
    assert_false(sum.lost);
}

/* The image has the knee of its worst workload; of two with one knee, the worse at 500 MHz is named. */
TEST(test_worst, .setup = setup, .teardown = teardown)
{
    for (unsigned w = 0; w < WORKLOADS; w++)
        put_all(0, 0, LAST_BUS, w, 1.2);
    put_all(0, POINTS_DEFAULT, POINTS_DEFAULT, 1, 1.195);
    losses_of(0);
    assert_int_equal(sum.worst, 1);
    assert_int_equal(sum.clock.knee, POINTS_CLOCKS);
    put_all(0, LAST_CLOCK, LAST_CLOCK, 2, 1.1);
    put_all(0, LAST_BUS, LAST_BUS, 0, 1.1);
    losses_of(0);
    assert_int_equal(sum.worst, 2);
    assert_int_equal(sum.clock.knee, POINTS_CLOCKS - 1);
    assert_int_equal(sum.bus.knee, POINTS_BUSES - 1);
    assert_false(sum.lost);
}

TEST(test_missing, .setup = setup, .teardown = teardown)
{
    put_all(0, 0, LAST_BUS, 0, 1.2);
    sim_of(0, POINTS_FIRST_CLOCK + 1, 0, 4)->sim.state = SIM_STOPPED;
    const struct latency_losses *l = losses_of(0);
    assert_int_equal(l->verdict, GAIN_REAL);
    assert_int_equal(l->keep[POINTS_FIRST_CLOCK + 1], KEEP_UNKNOWN);
    assert_int_equal(sum.clock.knee, -1);
    assert_int_equal(sum.bus.knee, POINTS_BUSES);
    sim_of(0, 0, 1, 4)->sim.result.end = MH_END_FAULT;
    losses_of(0);
    assert_int_equal(sum.verdict, GAIN_UNKNOWN);
}

static int one_seed_losses(void **)
{
    return make_runs(1);
}

TEST(test_one_seed_losses, .setup = one_seed_losses, .teardown = teardown)
{
    put(0, 0, 0, 0, 2.24);
    const struct latency_losses *l = losses_of(0);
    NEAR(l->gain[0].mean, 1.24);
    NEAR(l->loss[1].mean, 1.24);
    assert_true(isnan(l->gain[0].half));
    assert_int_equal(l->verdict, GAIN_ONE_SEED);
    assert_int_equal(sum.verdict, GAIN_ONE_SEED);
}
