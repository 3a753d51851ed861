/* What a user may write of demand paging: it is refused with the key and what would do, or the GPU runs with it. */
#include "unit/config_text.h"

#include "memhelm/hwmodel.h"

/* A small GPU whose workload has five units and something; what is refused says `why`. NULL: it runs, to the end. */
static void check(const char *text, const char *why)
{
    struct mh_config cfg;
    struct mh_error err = {""};
    preset(&cfg);
    assert_int_equal(mh_config_set(&cfg, "sm.count=2", &err), 0);
    assert_int_equal(mh_config_set(&cfg, "run.cycles=60000", &err), 0);
    assert_int_equal(mh_config_workload(&cfg, "MVT:256", &err), 0);
    struct mh_gpu *g = NULL;
    int bad = load_text(&cfg, text, &err) || mh_config_resolve(&cfg, &err);
    if (!bad)
        g = mh_gpu_create(&cfg, &err);
    if (why && g)
        fail_msg("accepted: %s", text);
    if (why) {
        assert_says(&err, why);
        return;
    }
    if (!g)
        fail_msg("%s\nrefused: %s", text, err.text);
    while (!mh_gpu_ended(g))
        mh_gpu_advance(g, 60000);
    if (mh_gpu_deadlock(g))
        fail_msg("%s\n%s", text, mh_gpu_deadlock(g));
    mh_gpu_destroy(g);
}

static void check_capacity(const char *value, const char *why)
{
    char text[100];
    snprintf(text, sizeof text, "uvm: {mode: on, capacity: %s}\n", value);
    check(text, why);
}

static void test_capacity(void **state)
{
    (void)state;
    static const char whole[] = " bytes are not whole units of 65536 bytes (64 KB, or a page if that is larger), ";
    static const char *const good[] = {"65536", "131072",      "50%",       "99%",  "100%",
                                       "101%",  "4000000000%", "unlimited", "'75%'"};
    static const char *const bad[] = {
        "75 %",    "-1",     "-50%",   "1e9", "75%%", "7.5%",  "'% '", "'75 '",
        "0x10000", "' 75%'", "'+75%'", "all", "64KB", "'%75'", "''",   "99999999999999999999"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        check_capacity(good[i], NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_capacity(bad[i], "uvm.capacity: ");
    check_capacity("'75 %'", "'75 %'; a number of bytes, a part such as 75%, or unlimited");
    check_capacity("0", whole);
    check_capacity("65535", "one or more: 65536");
    check_capacity("65537", "uvm.capacity: 65537 bytes are not");
    check_capacity("100000", "one or more: 131072");
    check_capacity("0%", "uvm.capacity: 0% is 0 bytes of this workload's ");
    check_capacity("1%", "less than a unit, 65536 bytes");
    check("uvm: {capacity: 75x}\n", "uvm.capacity: '75x'"); /* also when it is off */
    check("memory: {page_bytes: 2097152}\nwalk: {levels: 3}\nuvm: {mode: on, capacity: 65536}\n",
          "65536 bytes are not whole units of 2097152 bytes");
}

/* With its line, where a line is what is wrong. */
static void test_words(void **state)
{
    (void)state;
    check("uvm: {mode: yes}\n", "uvm.mode: there is no 'yes'; allowed: off, on");
    check("uvm: {evict: oldest}\n", "uvm.evict: there is no 'oldest'; allowed: age, ");
    check("uvm: {evict_amount: half}\n", "uvm.evict_amount: there is no 'half'; allowed: page, fault, batch");
    check("uvm: {prefetch: all}\n", "uvm.prefetch: there is no 'all'; allowed: none, tree");
    check("uvm:\n  mode: on\n  buffer: 0\n", "F:3: ");
    check("uvm:\n  mode: on\n  in_rate: 999999\n", "F:3: uvm.in_rate");
    check("uvm:\n  out_rate: 1000000000001\n", "F:2: uvm.out_rate");
    check("uvm:\n  mode: on\n  evict_bytes: 65535\n", "F:3: uvm.evict_bytes");
    check("uvm:\n  capacity: 123456789012345678901234\n", "F:2: uvm.capacity");
    check("uvm:\n  pages: 3\n", "F:2: ");
    check("l1tlb: {ideal: 1}\nuvm: {mode: on}\n", "uvm.mode: on, but l1tlb.ideal is 1");
}

/* At the ends of their ranges, alone and together. */
static void test_extremes(void **state)
{
    (void)state;
    static const char *const ends[] = {
        "in_rate: 1000000",   "in_rate: 1000000000000", "out_rate: 1000000", "out_rate: 1000000000000",
        "fault_ns: 1",        "fault_ns: 100000000",    "link_ns: 0",        "link_ns: 1000000",
        "buffer: 1",          "buffer: 65536",          "batch: 1",          "batch: 65536",
        "evict_bytes: 65536", "evict_bytes: 2097152",   "prefetch: tree"};
    char text[300];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(text, sizeof text, "uvm: {mode: on, capacity: 65536, %s}\n", ends[i]);
        check(text, NULL);
    }
    check("uvm: {mode: on, capacity: 65536, fault_ns: 1, link_ns: 0, in_rate: 1000000000000, out_rate: 1000000000000, "
          "buffer: 1, batch: 1}\n",
          NULL);
    check("clock: {gpu_hz: 10000000000}\nuvm: {mode: on, fault_ns: 100000000, link_ns: 1000000, in_rate: 1000000}\n",
          NULL);
    check("clock: {gpu_hz: 1000000}\nuvm: {mode: on, capacity: 65536}\n", NULL);
}

int test_uvm_input(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
