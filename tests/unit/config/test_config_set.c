/* Assignments of the command line, and the words that stand for 0. */
#include "unit/config_text.h"

static void check_set(const char *assignment, const char *part)
{
    struct mh_config cfg;
    struct mh_error err;
    preset(&cfg);
    assert_int_equal(mh_config_workload(&cfg, "MVT+GUPS", &err), 0);
    if (mh_config_set(&cfg, assignment, &err) != -1)
        fail_msg("accepted: %s", assignment);
    assert_says(&err, part);
}

static void test_set(void **state)
{
    struct mh_config cfg;
    struct mh_error err;
    (void)state;
    preset(&cfg);
    assert_int_equal(mh_config_workload(&cfg, "MVT+GUPS", &err), 0);
    assert_int_equal(mh_config_set(&cfg, "l2tlb.entries=128", &err), 0);
    assert_int_equal(cfg.l2tlb.entries, 128);
    assert_int_equal(mh_config_set(&cfg, "run.cycles=5000000000", &err), 0);
    assert_int_equal(cfg.run.cycles, 5000000000);
    assert_int_equal(mh_config_set(&cfg, "tenants[1].size=99", &err), 0);
    assert_int_equal(cfg.tenants[1].size, 99);
    assert_int_equal(mh_config_set(&cfg, "mcu.hz=inf", &err), 0);
    assert_int_equal(cfg.mcu.hz, 0);
    assert_int_equal(mh_config_set(&cfg, "mcu.hz=500M", &err), 0);
    assert_int_equal(cfg.mcu.hz, 500000000);
    assert_int_equal(mh_config_set(&cfg, "mcu.hz=32k", &err), 0);
    assert_int_equal(cfg.mcu.hz, 32000);
    assert_int_equal(mh_config_set(&cfg, "clock.gpu_hz=2G", &err), 0);
    assert_int_equal(cfg.clock.gpu_hz, 2000000000);
    check_set("mcu.hz=500MM", "mcu.hz: 500MM is no clock in Hz, such as 25000000, 25M or 2G");
    check_set("mcu.hz=500m", "mcu.hz: 500m is no clock");
    check_set("mcu.hz=M", "mcu.hz: M is no clock");
    check_set("mcu.hz=11G", "mcu.hz: 11000000000 is out of range");
    check_set("mcu.hz=99999999999999999G", "mcu.hz: 99999999999999999G is no clock");
    check_set("run.cycles=5M", "run.cycles: 5M is not a whole number");
    check_set("mcu.core=\x1b[31m", "mcu.core: a text with a control character (0x1b) in it");
    check_set("l2tlb.entires=4", "'l2tlb.entires=4': unknown key 'entires' in l2tlb; nearest: l2tlb.entries");
    check_set("run.cycles=0", "run.cycles: 0 is out of range");
    check_set("walk.walkers=0",
              "walk.walkers: 0 means that no walk could ever run; allowed: 1..1024 walks, or unlimited");
    check_set("walk.walkers=Unlimited", "walk.walkers: Unlimited is not a whole number");
    check_set("run.cycles=", "run.cycles: '' is not a whole number");
    check_set("run.cycles", "an assignment looks like");
    check_set("=5", "an assignment looks like");
    check_set("sm=4", "unknown key 'sm'");
    check_set("tenants[2].size=1", "there are 2 tenants");
    check_set("tenants[0]=MVT", "tenants[0].size");
    check_set("tenants[0].siz=1", "unknown key 'siz'; nearest: size");
    check_set("preset=mask", "--preset");
    check_set("design=Ideal", "--design");
}

/* A word for 0 and the numbers beside it: what they mean, and how they are written and read. */
static void test_words_for_zero(void **state)
{
    struct mh_config cfg;
    struct mh_error err;
    size_t length;
    (void)state;
    preset(&cfg);
    assert_int_equal(mh_config_set(&cfg, "walk.walkers=1", &err), 0);
    assert_int_equal(mh_config_walkers(&cfg), 1);
    assert_int_equal(mh_config_set(&cfg, "walk.walkers=unlimited", &err), 0);
    assert_int_equal(mh_config_walkers(&cfg), cfg.l2tlb.mshrs);
    assert_int_equal(mh_config_set(&cfg, "mcu.hz=0", &err), 0); /* the number is its documented meaning */
    char *text = written(&cfg, &length);
    assert_non_null(strstr(text, "\n  walkers: unlimited\n"));
    assert_non_null(strstr(text, "\n  hz: inf\n"));
    preset(&cfg);
    assert_int_equal(load_bytes(&cfg, text, length, &err), 0);
    assert_int_equal(mh_config_walkers(&cfg), cfg.l2tlb.mshrs);
    free(text);
}

static void test_list_has_words_for_zero(void **state)
{
    struct mh_config cfg;
    struct mh_error err;
    size_t length;
    char *text;
    (void)state;
    preset(&cfg);
    assert_int_equal(mh_config_set(&cfg, "walk.walkers=unlimited", &err), 0);
    FILE *list = open_memstream(&text, &length);
    mh_config_describe(&cfg, list);
    fclose(list);
    assert_non_null(
        strstr(text, "walk.walkers           unlimited    1..1024 or unlimited     walks; running at once"));
    assert_non_null(strstr(text, "mcu.hz                 500000000    0..10000000000 or inf    Hz; "));
    free(text);
}

int test_config_set(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_words_for_zero),
        cmocka_unit_test(test_list_has_words_for_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
