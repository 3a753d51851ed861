/* For tests of ETC's throttling on a fake window: what the knobs, the timer and the latch were told. cmocka.h first. */
#ifndef TESTS_ETC_WINDOW_H
#define TESTS_ETC_WINDOW_H

#include "fake_window.h"

enum { ETC_TEST_EPOCH = 102000 /* GPU cycles, both epochs */ };

/** Boots the test's image on 30 SMs with demand paging: each tenant has allocated more than memory holds. */
static inline void etc_boot(uint32_t tenants)
{
    fake_reset(tenants);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_SM_THROTTLE | MH_FEATURE_CTA_THROTTLE | MH_FEATURE_UVM);
    fake_set(MH_REG_CAP_UVM, 100);
    fake_set(MH_REG_CAP_UVM_UNIT, 65536);
    for (uint32_t tenant = 0; tenant < tenants; tenant++)
        fake_counter(tenant, MH_COUNTER_UVM_ALLOCATED, 101);
    fake_boot();
}

/** Which SMs hold CTAs. */
static inline void etc_hold(uint32_t sms)
{
    fake_set(MH_REG_SM_HOLDS, sms);
}

static inline uint32_t etc_throttled(void)
{
    return fake_get(MH_REG_SM_THROTTLE_0);
}

/** A fault is raised, or its unit has come. */
static inline void etc_fault(bool come, bool evicted, uint32_t tenant, uint32_t sm)
{
    fake_fault(come, evicted, tenant, sm);
    assert_int_equal(fake_irq(MH_IRQ_PAGE_FAULT), 0);
}

/** The policies' timer runs, or does not; FAULT_EVENTS. */
static inline void etc_expect(bool runs, uint32_t events)
{
    assert_int_equal(fake_knob(TIMER_CTRL, 1), runs ? GPU_TIMER_ONE_SHOT : GPU_TIMER_OFF);
    if (runs)
        assert_int_equal(fake_knob(TIMER_INTERVAL, 1), ETC_TEST_EPOCH);
    assert_int_equal(fake_get(MH_REG_FAULT_EVENTS), events);
}

#endif
