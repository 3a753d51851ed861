/* How bursty a run's traffic was, from a series of three periods and two tenants that was added up by hand. */
#include "unit/test.h"

#include <math.h>

#include "run/bursts.h"
#include "unit/temp_dir.h"

static struct mh_error err;

#define HEAD                                                                                                           \
    "cycle,tenant,l1d_access,l1d_hit,l2_access,l2_hit,request_reads,reply_flits,dram_caused,dram_read,dram_write,"     \
    "dram_walk\n"

static void write_series(const char *text)
{
    assert_int_equal(write_file(in_base("series.csv"), text, strlen(text), &err), 0);
}

/*
 * Two SMs at half the GPU's clock, in 400 cycles 400 flits, of which 240 are sustained. A line is four beats of 16
 * bytes, two to a cycle of the GPU's clock: 200 lines, of which 140 are.
 */
static const struct mh_config cfg = {.sm.count = 2,
                                     .clock = {.gpu_hz = 1000, .noc_hz = 500, .dram_hz = 1000},
                                     .dram = {.channels = 1, .bus_bytes = 16, .data_rate = 2},
                                     .memory.line_bytes = 64,
                                     .noc.flit_bytes = 32};

/* A reply is a header and two flits: demand 6 each time. Flits 10, 20, 30; lines 5 each time, or 1 + 2 + 2. Mean 20,
 * squares 1400: deviation sqrt(1400 / 3 - 400). */
TEST(test_by_hand)
{
    struct bursts b, again;

    write_series(HEAD "400,0,9,9,9,9,1,10,9,5,0,0\n"
                      "400,1,9,9,9,9,1,0,9,0,0,0\n"
                      "800,0,9,9,9,9,1,15,9,0,5,0\n"
                      "800,1,9,9,9,9,1,5,9,0,0,0\n"
                      "1200,0,9,9,9,9,1,0,9,1,2,0\n"
                      "1200,1,9,9,9,9,1,30,9,0,0,2\n");
    assert_int_equal(bursts_read(base, &cfg, &b, &err), 0);
    assert_int_equal(b.periods, 3);
    assert_true(fabs(bursts_variation(&b, &b.noc) - 8.164966 / 20) < 1e-6);
    assert_true(bursts_variation(&b, &b.dram) == 0);
    char *text = bursts_text(&b);
    assert_string_equal(text, "[3,18,108,0,60,1400,0,15,75,0]");
    assert_int_equal(bursts_parse(text, &again), 0);
    assert_memory_equal(&again, &b, sizeof b);
    free(text);
}

/* As much as is sustained is not more: of a demand of 6, 243, 240 and 6 flits one is, of 240, 241, 239 and 0 flits one
 * is, of 140, 141, 142 and 0 lines two. */
TEST(test_more_than_is_sustained)
{
    struct bursts b;

    write_series(HEAD "400,0,9,9,9,9,1,140,9,140,0,0\n"
                      "400,1,9,9,9,9,1,100,9,0,0,0\n"
                      "800,0,9,9,9,9,80,141,9,40,1,0\n"
                      "800,1,9,9,9,9,1,100,9,50,0,50\n"
                      "1200,0,9,9,9,9,79,239,9,0,142,0\n"
                      "1200,1,9,9,9,9,1,0,9,0,0,0\n"
                      "1600,0,9,9,9,9,1,0,9,0,0,0\n"
                      "1600,1,9,9,9,9,1,0,9,0,0,0\n");
    assert_int_equal(bursts_read(base, &cfg, &b, &err), 0);
    assert_true(bursts_over(&b, &b.demand) == 0.25);
    assert_true(bursts_over(&b, &b.noc) == 0.25);
    assert_true(bursts_over(&b, &b.dram) == 0.5);
}

TEST(test_nothing)
{
    struct bursts b;

    write_series(HEAD);
    assert_int_equal(bursts_read(base, &cfg, &b, &err), 0);
    assert_true(isnan(bursts_variation(&b, &b.noc)) && isnan(bursts_over(&b, &b.noc)));
    assert_int_equal(bursts_parse("[3,60,1400,0,15,75,0]", &b), -1);
    assert_int_equal(bursts_parse("{}", &b), -1);
    assert_int_equal(bursts_parse("", &b), -1);
}

static void assert_refused(const char *text, const char *why)
{
    struct bursts b;

    write_series(text);
    assert_int_equal(bursts_read(base, &cfg, &b, &err), -1);
    assert_has(err.text, why);
}

TEST(test_damaged)
{
    struct bursts b;

    assert_refused(HEAD "400,0,9,9,9,9,1,10,9,5,0\n", "series.csv:2: no row of a series: 12 numbers");
    assert_refused(HEAD "400,0,9,9,9,9,1,10,9,5,0,0\n400,1,9,9\n", "series.csv:3:");
    assert_refused(HEAD "400,0,9,9,9,9,1,ten,9,5,0,0\n", "series.csv:2:");
    assert_refused(HEAD "400,0,9,9,9,9,1,10,9,5,0,0", "series.csv:2:");
    assert_int_equal(bursts_read("/nowhere", &cfg, &b, &err), -1);
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
