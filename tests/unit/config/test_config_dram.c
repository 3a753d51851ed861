/* What of a DRAM channel's configuration is refused, and with which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "memhelm/config_file.h"

static struct mh_config set(const char *name)
{
    struct mh_config c = {.dram.channels = 1};
    struct mh_error err = {""};
    if (mh_config_dram_preset(&c, name, &err))
        fail_msg("%s", err.text);
    return c;
}

static void refuse(const char *name, const char *assignments, const char *why)
{
    struct mh_config c = set(name);
    struct mh_error err = {""};
    char copy[256], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", assignments);
    for (char *word = strtok_r(copy, ";", &rest); word; word = strtok_r(NULL, ";", &rest))
        if (mh_config_set(&c, word, &err))
            fail_msg("%s", err.text);
    assert_int_equal(mh_config_check_dram(&c.dram, &err), -1);
    if (!strstr(err.text, why))
        fail_msg("%s: %s", assignments, err.text);
}

static void test_geometry(void **state)
{
    (void)state;
    refuse("gddr5", "dram.banks=6", "dram.banks: 6 is not a power of two");
    refuse("gddr5", "dram.groups=3", "dram.groups: 3 is not a power of two");
    refuse("gddr5", "dram.groups=16", "dram.groups: 16 groups of 8 banks");
    refuse("gddr5", "dram.ranks=8", "dram.ranks: 8 of 8 banks; a channel has at most 32");
    refuse("gddr5", "dram.ranks=3", "dram.ranks: 3 is not a power of two");
    refuse("gddr5", "dram.request_bytes=96", "dram.request_bytes: 96 is not a power of two");
    refuse("gddr5", "dram.request_bytes=32",
           "8 beats of 8 bytes (dram.bus_bytes) are more than a request of 32 bytes (dram.request_bytes)");
    refuse("gddr5", "dram.request_bytes=4096", "dram.row_bytes: 2048, but a request has 4096");
    refuse("gddr6", "dram.request_bytes=2048;dram.burst=1;dram.bus_bytes=1", "2048 are more than 255 bursts");
}

static void test_timing(void **state)
{
    (void)state;
    refuse("gddr6", "dram.ccd_l=1", "dram.ccd_l: 1 within a bank group is shorter than dram.ccd 2 between two");
    refuse("gddr6", "dram.rrd_l=6", "dram.rrd_l: 6 within a bank group is shorter than dram.rrd 7");
    refuse("gddr6", "dram.wtr_l=8", "dram.wtr_l: 8 within a bank group is shorter than dram.wtr 9");
    refuse("gddr6", "dram.rfc_bank=3300", "dram.refi: 3333 leaves no time beside a bank's refresh of 3300");
    refuse("gddr6", "dram.rrefd=300", "each takes more than rrefd + rrd = 307");
    refuse("gddr5", "dram.refi=200", "dram.refi: 200 leaves no time beside a refresh of 185");
    refuse("gddr5-8gb", "dram.refi=170",
           "dram.refi: 170 leaves no time beside a refresh of 74 (dram.rfc) and precharges of 104");
    refuse("gddr5", "dram.faw=10",
           "dram.faw: 10 for four activates is shorter than dram.rrd 11 between two; at least 11");
    refuse("gddr5-8gb", "dram.aw32=319", "dram.aw32: 319 is shorter than the eight windows of dram.faw 40");
}

static void test_queues(void **state)
{
    (void)state;
    refuse("gddr5", "dram.write_high=16", "dram.write_low 16, dram.write_high 16, dram.queue 256: must be write_low <");
    refuse("gddr5", "dram.silver=0", "dram.silver: 0 beside dram.golden 16; set it, or dram.golden to 0");
    refuse("gddr5", "dram.normal=63", "dram.normal: 63; must be at least 2 and at least dram.write_high 64");
    refuse("gddr5", "dram.write_low=0;dram.write_high=1;dram.normal=1", "dram.normal: 1; must be at least 2");
    refuse("gddr5", "dram.write_queue=63",
           "dram.write_low 16, dram.write_high 64, dram.write_queue 63: must be write_low < write_high <= write_queue");
    refuse("gddr5", "dram.write_queue=64;dram.normal=1", "dram.normal: 1; must be at least 2");
    struct mh_config apart = set("gddr5");
    struct mh_error none_yet = {""};
    apart.dram.write_queue = 64;
    apart.dram.queue = apart.dram.normal = 2; /* which has no writes */
    assert_int_equal(mh_config_check_dram(&apart.dram, &none_yet), 0);
    struct mh_config none = set("gddr5");
    struct mh_error err = {""};
    none.dram.normal = none.dram.write_high;
    assert_int_equal(mh_config_check_dram(&none.dram, &err), 0);
    none.dram.golden = none.dram.silver = none.dram.normal = 0;
    assert_int_equal(mh_config_check_dram(&none.dram, &err), 0);
}

static void test_words(void **state)
{
    (void)state;
    refuse("gddr5", "dram.rows=shut", "dram.rows: 'shut'; allowed: open or closed");
    refuse("gddr5", "dram.scheduler=its", "dram.scheduler: 'its'; allowed: fr-fcfs or mpki");
    refuse("gddr5", "dram.scheduler=mpki;dram.golden=0", "dram.scheduler: mpki orders tenants in the queues of");
    refuse("gddr5", "dram.permute=yes", "dram.permute: 'yes'; allowed: xor or none");
    refuse("gddr5", "dram.mapping=bank row column", "must begin with `row`");
    refuse("ddr3-1600", "dram.mapping=row bank column", "gives 0 bits to rank, which has 1");
}

/* Behind an L2 a request is a line; the memory has whole rows of all ranks. */
static void test_whole_gpu(void **state)
{
    (void)state;
    struct mh_config c;
    struct mh_error err = {""};
    assert_int_equal(mh_config_preset(&c, "mask", &err), 0);
    assert_int_equal(mh_config_workload(&c, "MVT", &err), 0);
    struct mh_config small = c;
    small.dram.request_bytes = 64;
    assert_int_equal(mh_config_resolve(&small, &err), -1);
    assert_non_null(strstr(err.text, "dram.request_bytes: 64; an L2 asks for lines of 128 bytes"));
    struct mh_config ddr3 = c;
    assert_int_equal(mh_config_dram_preset(&ddr3, "ddr3-1600", &err), 0);
    assert_int_equal(ddr3.dram.channels, c.dram.channels);
    assert_int_equal(mh_config_resolve(&ddr3, &err), 0);
}

int test_config_dram(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_geometry), cmocka_unit_test(test_timing),    cmocka_unit_test(test_queues),
        cmocka_unit_test(test_words),    cmocka_unit_test(test_whole_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
