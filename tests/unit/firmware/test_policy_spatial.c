/* Spatial multitasking: whose an SM is. */
#include "unit/test.h"

#include "corun_window.h"

#include "policy/corun/corun.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(spatial)
#include "image/common/image.h"

enum { ALL_SMS = 128 };

/* Each SM has one owner; parts follow each other, and differ by one SM at most. */
TEST(parts_are_even)
{
    for (uint32_t sms = 1; sms <= ALL_SMS; sms++)
        for (uint32_t count = 1; count <= 8; count++) {
            uint32_t held[8] = {0}, last = 0;

            for (uint32_t sm = 0; sm < sms; sm++) {
                uint32_t owners = 0;

                for (uint32_t k = 0; k < count; k++)
                    if (corun_owns(k, sm, sms, count)) {
                        assert_true(k >= last);
                        last = k;
                        owners++;
                        held[k]++;
                    }
                assert_int_equal(owners, 1);
            }
            for (uint32_t k = 0; k < count; k++)
                assert_in_range(held[k], sms / count, (sms + count - 1) / count);
        }
}

/* The first SM of each tenant's part; 30: it ends there. */
static void expect(uint32_t tenant, uint32_t first, uint32_t end)
{
    for (uint32_t sm = 0; sm < CORUN_TEST_SMS; sm++)
        assert_int_equal(
            fake_get(MH_REG_SM_CTA_LIMIT_0 + MH_TENANT_SM_STRIDE * tenant + MH_REG_SM_CTA_LIMIT_0_STRIDE * sm),
            sm >= first && sm < end ? CORUN_TEST_SLOTS : 0);
}

TEST(kernels_come_and_go)
{
    corun_boot(4);
    corun_drains();
    expect(0, 0, 8);
    expect(1, 8, 15);
    expect(2, 15, 23);
    expect(3, 23, 30);
    corun_changes(MH_EVENT_TENANT_LEFT, 1, 13);
    corun_drains();
    expect(0, 0, 10);
    expect(2, 10, 20);
    expect(3, 20, 30);
    corun_changes(MH_EVENT_TENANT_LEFT, 0, 8);
    corun_drains();
    expect(3, 0, 30);
    corun_changes(MH_EVENT_TENANT_LEFT, 3, 0);
    corun_drains();
    assert_int_equal(corun_knobs_written(), 0);
    corun_changes(MH_EVENT_TENANT_ARRIVED, 1, 10);
    corun_drains();
    expect(1, 0, 15);
    expect(3, 15, 30);
}

/* 128 SMs, of which a tick sets no more than 32: of two kernels four times as many each. */
TEST(many_sms_are_set_in_parts)
{
    uint32_t parts = 0;

    corun_reset(3);
    fake_set(MH_REG_CAP_SMS, ALL_SMS);
    fake_boot();
    corun_changes(MH_EVENT_TENANT_LEFT, 1, 5);
    while (corun_timer()) {
        corun_tick(CORUN_TEST_TICK);
        parts += corun_knobs_written() > 0;
        assert_in_range(corun_knobs_written(), 0, 32);
    }
    assert_int_equal(parts, 8);
    for (uint32_t sm = 0; sm < ALL_SMS; sm++)
        for (uint32_t tenant = 0; tenant < 3; tenant += 2)
            assert_int_equal(
                fake_get(MH_REG_SM_CTA_LIMIT_0 + MH_TENANT_SM_STRIDE * tenant + MH_REG_SM_CTA_LIMIT_0_STRIDE * sm),
                (sm < 64) == (tenant == 0) ? CORUN_TEST_SLOTS : 0);
}

TEST(nothing_meanwhile)
{
    corun_boot(2);
    corun_drains();
    corun_rests();
    corun_event(MH_EVENT_TENANT_LAUNCH, 0);
    assert_int_equal(corun_knobs_written(), 0);
    corun_event(MH_EVENT_TENANT_DONE, 0);
    assert_int_equal(corun_knobs_written(), 0);
    assert_int_equal(corun_timer(), 0);
}

TEST(refuses_a_gpu_without_limits)
{
    fake_assert_refused_with(MH_FEATURE_CTA_THROTTLE);
}

/* Eight tenants and as many SMs, and one less. */
TEST(refuses_fewer_sms_than_tenants)
{
    corun_reset(8);
    fake_set(MH_REG_CAP_SMS, 8);
    fake_boot();
    corun_reset(8);
    fake_set(MH_REG_CAP_SMS, 7);
    fake_assert_refused();
}
