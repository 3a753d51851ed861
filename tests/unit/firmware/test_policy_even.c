/* Even shares: of what each kernel would have alone. */
#include "unit/test.h"

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(even)
#include "image/common/image.h"

static void expect(uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t limits[] = {a, b, c};

    for (uint32_t tenant = 0; tenant < 3; tenant++)
        assert_int_equal(fake_knob(CTA_LIMIT, tenant), limits[tenant]);
}

/* CTAs of 1, 3 and 6 tenths: 10, 3 and 1 fit. */
static void boot_three(void)
{
    corun_reset(3);
    corun_cta(1, 3);
    corun_cta(2, 6);
    fake_boot();
}

TEST(shares_are_even)
{
    boot_three();
    expect(3, 1, 1);
    assert_int_equal(fake_get(MH_REG_LAUNCH_EVENTS), 1);
}

TEST(kernels_come_and_go)
{
    boot_three();
    corun_changes(MH_EVENT_TENANT_LEFT, 2, 3);
    expect(5, 1, 1);
    assert_int_equal(fake_count(true, MH_REG_CTA_LIMIT + 2 * MH_REG_CTA_LIMIT_STRIDE), 0);
    corun_changes(MH_EVENT_TENANT_LEFT, 0, 2);
    expect(5, 3, 1);
    corun_changes(MH_EVENT_TENANT_LEFT, 1, 0);
    assert_int_equal(corun_knobs_written(), 0);
    corun_changes(MH_EVENT_TENANT_ARRIVED, 2, 7);
    expect(3, 1, 1);
}

/* Threads count as whole warps: 33 are 64 of 2048. */
TEST(launches_change_shares)
{
    boot_three();
    corun_cta(0, 2);
    corun_event(MH_EVENT_TENANT_DONE, 0);
    expect(3, 1, 1);
    corun_event(MH_EVENT_TENANT_LAUNCH, 0);
    expect(1, 1, 1);
    fake_set(MH_REG_TENANTS, 1);
    fake_set(MH_REG_CTA_REGISTERS, 0);
    fake_set(MH_REG_CTA_THREADS, 225);
    corun_event(MH_EVENT_TENANT_LAUNCH, 0);
    expect(8, 1, 1);
    fake_set(MH_REG_CTA_SHARED, 2501);
    corun_event(MH_EVENT_TENANT_LAUNCH, 0);
    expect(3, 1, 1);
    fake_set(MH_REG_CTA_SHARED, 10001); /* none fits */
    corun_event(MH_EVENT_TENANT_LAUNCH, 0);
    expect(1, 1, 1);
}

/* All that it does it does then. */
TEST(nothing_meanwhile)
{
    boot_three();
    corun_rests();
}

TEST(refuses_a_gpu_without_limits)
{
    fake_assert_refused_with(MH_FEATURE_CTA_THROTTLE);
}
