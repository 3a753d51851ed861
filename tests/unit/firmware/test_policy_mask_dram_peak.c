/* MASK's thresholds of the silver queue from the maxima of an epoch: the glue; the decision is mask_dram's. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fake_window.h"

/* The image of this test: the policy alone. */
#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(mask_dram_peak)
#include "image/common/image.h"

static void assert_thresh(uint32_t t0, uint32_t t1)
{
    assert_int_equal(fake_get(MH_REG_SILVER_THRESH), t0);
    assert_int_equal(fake_get(MH_REG_SILVER_THRESH + MH_REG_SILVER_THRESH_STRIDE), t1);
}

static void peaks(uint32_t tenant, uint32_t walks, uint32_t stalled)
{
    fake_counter(tenant, MH_COUNTER_WALKS_PEAK, walks);
    fake_counter(tenant, MH_COUNTER_STALLED_PEAK, stalled);
}

/* Sums do not matter: two tenants that reach 63 have equal turns, however many walks they have on average. */
static void follows_the_gauges(void **state)
{
    (void)state;
    fake_reset(2);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_DRAM_QUEUES);
    assert_int_equal(mh_twin_init(&fake_host), 0);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 1);
    assert_thresh(250, 250);
    peaks(0, 10, 10);
    peaks(1, 30, 10);
    assert_int_equal(fake_epoch(), 0);
    assert_thresh(125, 375);
    fake_counter(0, MH_COUNTER_WALKS_AREA, 5000000);
    peaks(0, 63, 63);
    peaks(1, 63, 63);
    assert_int_equal(fake_epoch(), 0);
    assert_thresh(250, 250);
}

static void refuses_a_gpu_without_the_queues(void **state)
{
    (void)state;
    fake_reset(2);
    fake_assert_refused();
}

int test_policy_mask_dram_peak(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_gauges),
        cmocka_unit_test(refuses_a_gpu_without_the_queues),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
