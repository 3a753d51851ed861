/* Policies of kernels that share SMs: what they refuse to steer, and with which numbers. */
#include "unit/test.h"

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp)
#include "image/common/image.h"

static void refuses_what_it_cannot_steer(void **)
{
    const uint32_t needs = MH_FEATURE_MISS_QUEUES | MH_FEATURE_CTA_LIMIT | MH_FEATURE_CTA_THROTTLE;

    for (uint32_t need = 1; need <= needs; need <<= 1)
        if (needs & need) {
            corun_reset(2);
            fake_set(MH_REG_CAP_FEATURES, needs & ~need);
            fake_assert_refused();
        }
}

static void refuses_with(const char *text)
{
    fake_assert_refused();
    if (!strstr(fake.console, text))
        fail_msg("%s: not in %s", text, fake.console);
}

static void refuses_what_it_cannot_count(void **)
{
    corun_reset(2);
    fake_set(MH_REG_CAP_CTA_SLOTS, 33);
    refuses_with("memhelm: refused policy=ccbp 33 CTA slots, ");
    corun_reset(2);
    fake_set(MH_REG_CAP_RATE_INTERVAL, 0);
    refuses_with(" an interval of 0/256");
    corun_reset(2);
    fake_set(MH_REG_CAP_LINE_BYTES, 4097);
    refuses_with(" 160 and 4097 bytes a request");
}

/* A quarter of a request an interval: 4 x 30 x 128 / 4 bytes in 256 cycles, 983 040 in 2^16. Sustained are 70 %. */
static void refuses_least_rates_that_do_not_fit(void **)
{
    corun_reset(4);
    fake_set(MH_REG_CAP_DRAM_PEAK, 21942);
    refuses_with(
        "memhelm: refused policy=ccbp 4 kernels at the least ISSUE_RATE, 64, take 983040 bytes of DRAM in 65536 "
        "cycles, of which 983001 are sustainable\n");
    corun_reset(8);
    fake_set(MH_REG_CAP_NOC_PEAK, 63999); /* 160 bytes: 2 457 600; 60 % */
    refuses_with(
        " 8 kernels at the least ISSUE_RATE, 64, take 2457600 bytes of NoC in 65536 cycles, of which 2457561 ");
    corun_reset(4);
    fake_set(MH_REG_CAP_DRAM_PEAK, 21943);
    assert_int_equal(mh_twin_init(&fake_host), 0);
}

int test_policy_corun_refuses(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refuses_what_it_cannot_steer),
                                       cmocka_unit_test(refuses_what_it_cannot_count),
                                       cmocka_unit_test(refuses_least_rates_that_do_not_fit)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
