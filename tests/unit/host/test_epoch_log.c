/* Epoch logs by hand: what expressions of their columns come to, and what is none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "report/epoch_log.h"
#include "unit/near.h"
#include "unit/temp_dir.h"

static const char heading[] = "epoch,cycle,latency,tenant,lane_instr,walks,tokens,sm_throttle\n";
static const char rows[] = "0,1000,,0,500,3,8,0x00\n0,1000,,1,100,1,8,0x0f\n"
                           "1,3000,40,0,1000,4,8,0xff\n1,3000,40,1,50,0,9,0x0f\n";

static const char *log_of(const char *text)
{
    char whole[1000];
    struct mh_error err;
    snprintf(whole, sizeof whole, "%s%s", heading, text);
    assert_int_equal(write_file(in_base("mask-tlb.csv"), whole, strlen(whole), &err), 0);
    return in_base("mask-tlb.csv");
}

static double value(const struct epoch_log *l, const char *text, unsigned epoch, unsigned tenant)
{
    struct mh_error err;
    struct expr *e = expr_parse(text, &err);
    assert_non_null(e);
    if (epoch_log_check(l, e, &err))
        fail_msg("%s", err.text);
    const double v = epoch_log_value(l, e, epoch, tenant);
    expr_free(e);
    return v;
}

static void test_values(void **state)
{
    struct epoch_log l;
    struct mh_error err;
    (void)state;
    assert_int_equal(epoch_log_read(&l, log_of(rows), &err), 0);
    assert_string_equal(l.name, "mask-tlb");
    assert_int_equal(l.epochs, 2);
    assert_int_equal(l.tenants, 2);
    NEAR(value(&l, "lane_instr / cycles", 0, 0), 0.5);
    NEAR(value(&l, "lane_instr / cycles", 1, 0), 0.5); /* the second epoch is 2000 cycles long */
    NEAR(value(&l, "lane_instr / cycles", 1, 1), 0.025);
    NEAR(value(&l, "walks[0] - walks", 0, 1), 2);
    assert_true(isnan(value(&l, "sm_throttle", 0, 1)));
    NEAR(value(&l, "sm_throttle", 1, 1), 4); /* SMs in the mask; set at the end of the first epoch */
    assert_true(isnan(value(&l, "latency", 0, 0)));
    NEAR(value(&l, "latency", 1, 0), 40);
    NEAR(epoch_log_begin(&l, 0), 0);
    NEAR(epoch_log_begin(&l, 1), 1000);
    epoch_log_free(&l);
}

static void test_knobs_that_turn(void **state)
{
    struct epoch_log l;
    struct mh_error err;
    (void)state;
    assert_int_equal(epoch_log_read(&l, log_of(rows), &err), 0);
    assert_true(epoch_log_turns(&l, (unsigned)epoch_log_column(&l, "tokens")));
    assert_true(epoch_log_turns(&l, (unsigned)epoch_log_column(&l, "sm_throttle")));
    assert_false(epoch_log_turns(&l, (unsigned)epoch_log_column(&l, "walks"))); /* a counter */
    assert_int_equal(epoch_log_column(&l, "nothing"), -1);
    epoch_log_free(&l);
    assert_int_equal(epoch_log_read(&l, log_of("0,1,,0,1,1,8,0x0\n1,2,,0,2,2,8,0x0\n"), &err), 0);
    assert_false(epoch_log_turns(&l, (unsigned)epoch_log_column(&l, "tokens")));
    epoch_log_free(&l);
}

static void refused(const char *path, const char *why)
{
    struct epoch_log l;
    struct mh_error err;
    assert_int_equal(epoch_log_read(&l, path, &err), -1);
    if (!strstr(err.text, why))
        fail_msg("%s", err.text);
}

static void test_refused(void **state)
{
    struct mh_error err;
    (void)state;
    refused(in_base("nowhere"), "nowhere");
    refused(log_of(""), "no epoch in it");
    refused(log_of("0,1000,,0,500,3,8,0x00\n0,1000,,1,100,1,8\n"), "mask-tlb.csv:3: no row of an epoch log: 8 numbers");
    refused(log_of("0,1000,,0,500,3,8,0x00\n0,1000,,1,1"), ":3: no row");
    refused(log_of("0,1,,0,5,3,8,0x0\n0,1,,1,5,3,8,0x0\n1,2,,0,5,3,8,0x0\n"), "its last epoch is not whole");
    assert_int_equal(write_file(in_base("other.csv"), "a,b\n1,2\n", 8, &err), 0);
    refused(in_base("other.csv"), "no epoch log; `memhelm run --epochs FILE`");
    assert_int_equal(write_file(in_base("empty.csv"), "", 0, &err), 0);
    refused(in_base("empty.csv"), "no epoch log");
}

static void unknown(const struct epoch_log *l, const char *text, const char *why)
{
    struct mh_error err;
    struct expr *e = expr_parse(text, &err);
    assert_non_null(e);
    assert_int_equal(epoch_log_check(l, e, &err), -1);
    if (!strstr(err.text, why))
        fail_msg("%s", err.text);
    expr_free(e);
}

static void test_unknown_names(void **state)
{
    struct epoch_log l;
    struct mh_error err;
    (void)state;
    assert_int_equal(epoch_log_read(&l, log_of(rows), &err), 0);
    unknown(&l, "walks + lane_inst", "no column 'lane_inst'; nearest: lane_instr");
    unknown(&l, "walks[2]", "walks[2]: the run has 2 tenants");
    epoch_log_free(&l);
}

int test_epoch_log(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_knobs_that_turn),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_unknown_names),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
