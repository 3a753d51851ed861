/* Limits of memory instructions in flight, as an image has them: by a kernel's counters, and nothing else is set. */
#include "unit/test.h"

#include "corun_window.h"
#include "policy/corun/mil.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(mil_limits)
#include "image/common/image.h"

static void boot_two(void)
{
    corun_reset(2);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_QUOTAS);
    fake_boot();
}

/* The tenant's look-ups, as many for each SM, how many fail, and its most in flight on one. */
static void counters(uint32_t tenant, uint32_t requests, uint32_t fails, uint32_t peak)
{
    fake_counter(tenant, MH_COUNTER_MEM_LINES, requests * CORUN_TEST_SMS);
    fake_counter(tenant, MH_COUNTER_RESERVATION_FAILS, fails * CORUN_TEST_SMS);
    fake_counter(tenant, MH_COUNTER_MEM_PEAK, peak);
}

static void expect(uint32_t a, uint32_t b)
{
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_knob(MEM_LIMIT, 0), a);
    assert_int_equal(fake_knob(MEM_LIMIT, 1), b);
}

/* No tenant is limited, but requests in flight are counted. */
TEST(boot_counts)
{
    boot_two();
    assert_int_equal(fake_knob(MEM_LIMIT, 0), MIL_NONE);
    assert_int_equal(fake_knob(MEM_LIMIT, 1), MIL_NONE);
}

/* The one that fails has half of its peak; the other goes free. A window is of all SMs. */
TEST(who_fails_is_limited)
{
    boot_two();
    counters(0, MIL_REQUESTS, 0, 40);
    counters(1, MIL_REQUESTS - 1, 5000, 40);
    expect(MIL_NONE, MIL_NONE);
    counters(0, MIL_REQUESTS, 0, 8);
    counters(1, MIL_REQUESTS, 5000, 30);
    expect(MIL_NONE, 20);
    counters(0, 2 * MIL_REQUESTS, MIL_REQUESTS, 8);
    expect(4, 20);
}

/* No other knob is touched: CTA limits are those of the configuration, such as an oracle's. */
TEST(nothing_else)
{
    boot_two();
    counters(0, MIL_REQUESTS, 5000, 40);
    expect(20, MIL_NONE);
    for (unsigned i = 0; i < fake.logged; i++)
        if (fake.log[i].write && fake.log[i].offset >= MH_REG_TOKENS)
            assert_int_equal((fake.log[i].offset - MH_REG_MEM_LIMIT) % MH_TENANT_STRIDE, 0);
}

TEST(refuses)
{
    fake_assert_refused_with(MH_FEATURE_MISS_QUEUES | MH_FEATURE_CTA_LIMIT);
}
