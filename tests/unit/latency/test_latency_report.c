/* What is said of made-up runs: the images that lose first, a sentence for each, marks in the tables. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "latency/latency_all.h"
#include "latency/latency_report.h"
#include "latency_runs.h"

enum { LAST_CLOCK = POINTS_FIRST_BUS - 1, LAST_BUS = POINTS_LAST - 1 };

static char *text;
static size_t length;

static void report_all(bool markdown)
{
    free(text);
    struct output o = {open_memstream(&text, &length), markdown};
    latency_all(&all, &o);
    fclose(o.file);
}

static void report(void)
{
    free(text);
    FILE *f = open_memstream(&text, &length);
    latency_report(&all, f);
    fclose(f);
}

static void says(const char *part)
{
    if (!strstr(text, part))
        fail_msg("no '%s' in:\n%s", part, text);
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

static void test_losers_lead(void **state)
{
    (void)state;
    lose();
    report_all(false);
    says(
        "What firmware cannot afford, at 500 MHz:\nc: on B it gains +124.0 +- 3.9 % in no time and keeps none of it at "
        "any clock.\na: on A it gains +20.0 +- 0.0 % in no time and keeps at most 50 % of it at 500 MHz and "
        "slower.\n\n");
    in_order("not even 2 GHz", "1000 MHz");
    in_order("\na ", "\nb ");
    report_all(true);
    says("\n\n- `c`: on B it gains");
    in_order(
        "| c | mask | ibex | B | +124.0 +- 3.9 % | 126.0 +- 3.9 % lost | not even 2 GHz | not even 2 GHz | not even "
        "5 | not even 5 |",
        "| a | mask | ibex | A | +20.0 +- 0.0 % | 10.0 +- 0.0 % lost | 1000 MHz | 1000 MHz |");
    says("| b | mask | ibex | A | +20.0 +- 0.0 % | 0.0 +- 0.0 % | 25 MHz | 25 MHz | 500 | 500 |");
}

/* At 500 MHz the gain is lost, at 200 MHz it is not: of the slower ones nothing is said. */
static void test_lost_at_one_clock(void **state)
{
    (void)state;
    put_all(0, 0, LAST_BUS, 0, 1.2);
    put_all(0, POINTS_DEFAULT, POINTS_DEFAULT, 0, 1.15);
    report_all(false);
    says("c: on A it gains +20.0 +- 0.0 % in no time and keeps 75 % of it at 500 MHz.\n");
    says("nothing to gain");
}

static void test_none_lost(void **state)
{
    (void)state;
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

static void test_words_of_an_image(void **state)
{
    (void)state;
    lose();
    put_seeds(1, LAST_CLOCK, LAST_CLOCK, 0, (const double[]){1.2, 1.2, 1.2, 1.2, 1.1});
    put_all(1, LAST_CLOCK, LAST_CLOCK, 1, 0.9995);
    put_all(1, 0, LAST_BUS, 2, 0.9);
    report();
    says("c: preset mask, core ibex, 100000 GPU cycles, seeds 1-5\n");
    says("Knee: none, not even 2 GHz keeps the gain on B.\nLongest bus latency at 500 MHz: not even 5.\n"
         "On B it gains +124.0 +- 3.9 % in no time and keeps none of it at any clock.\n");
    says("2.0 +- 5.6 % ?");
    says("0.05 +- 0.00 % costs");
    says("Knee: 25 MHz; worst workload: A (kept: 50 MHz; then no loss is shown).\n");
    says("The policy itself loses on C: -10.0 +- 0.0 % in no time.\n");
    says("10.0 +- 0.0 % lost");
}

static int one_seed(void **state)
{
    (void)state;
    return make_runs(1);
}

/* Numbers without an interval, and nothing is concluded from them. */
static void test_one_seed(void **state)
{
    (void)state;
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

static int free_text(void **state)
{
    free(text);
    text = NULL;
    return teardown(state);
}

int test_latency_report(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_losers_lead, setup, free_text),
        cmocka_unit_test_setup_teardown(test_lost_at_one_clock, setup, free_text),
        cmocka_unit_test_setup_teardown(test_none_lost, setup, free_text),
        cmocka_unit_test_setup_teardown(test_words_of_an_image, setup, free_text),
        cmocka_unit_test_setup_teardown(test_one_seed, one_seed, free_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
