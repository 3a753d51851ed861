/* CTA throttling: the decision, and the same epochs as ETC's. */
#include "unit/test.h"

#include "etc_window.h"

#include "policy/etc/etc.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(etc_memory) POLICY(etc_always_mt) POLICY(etc_cta_throttle)
#include "image/common/image.h"

TEST(decides)
{
    for (uint32_t slots = 1; slots <= 32; slots++)
        for (uint32_t active = 1; active <= slots; active++) {
            assert_int_equal(etc_cta_throttle_decide(slots, active, ETC_FAULT), active);
            assert_int_equal(etc_cta_throttle_decide(slots, active, ETC_NO_FAULT), active < slots ? active + 1 : slots);
            assert_int_equal(etc_cta_throttle_decide(slots, active, ETC_FAULT_AND_EVICTED),
                             active > 1 ? active - 1 : 1);
        }
}

/* 16 places: half, then one at a time. */
TEST(by_epochs)
{
    etc_boot(1);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_get(MH_REG_CTA_THROTTLE), 8);
    etc_expect(true, MH_FAULT_RAISED);
    etc_fault(false, true, 0, 3);
    assert_int_equal(fake_get(MH_REG_CTA_THROTTLE), 7);
    etc_expect(true, 0);
    assert_int_equal(fake_timer(), 0);
    etc_expect(true, MH_FAULT_RAISED);
    etc_fault(false, false, 0, 3);
    assert_int_equal(fake_get(MH_REG_CTA_THROTTLE), 7);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(fake_get(MH_REG_CTA_THROTTLE), 8);
    fake_event(MH_EVENT_TENANT_LEFT, 0, 0);
    assert_int_equal(mh_twin_irq(), 0);
    assert_int_equal(fake_get(MH_REG_CTA_THROTTLE), 16);
    etc_expect(false, 0);
}
