/* The test that belongs to the policy template: copy it with firmware/policy/template.c. */
#include "unit/test.h"

#include "fake_window.h"

#include "policy/template.h"

/* The image of this test: the policy alone. */
#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(template)
#include "image/common/image.h"

/* Numbers in, number out. */
TEST(decides)
{
    static const struct {
        uint64_t accesses, hits;
        uint32_t slots, expected;
    } cases[] = {
        {1000, 250, 16, 16},                                   /* exactly a quarter */
        {1000, 249, 16, 8},                                    /* just below */
        {1000, 251, 16, 16},                                   /* just above */
        {1000, 0, 16, 8},    {1000, 0, 3, 1}, {1000, 0, 1, 1}, /* never none */
        {0, 0, 16, 16},                                        /* an idle epoch restricts no tenant */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct template_state s = {.last = {UINT64_MAX, 5000}}; /* differences, also across a wrap */
        struct template_counters now = {UINT64_MAX + cases[i].accesses, 5000 + cases[i].hits};

        assert_int_equal(template_decide(&s, cases[i].slots, &now), cases[i].expected);
    }
}

/* Counters of the window in, knobs of the window out. */
TEST(steers_each_tenant)
{
    fake_reset(2);
    fake_counter(0, MH_COUNTER_L1D_ACCESS, 100);
    fake_counter(0, MH_COUNTER_L1D_HIT, 90);
    fake_counter(1, MH_COUNTER_L1D_ACCESS, 100);
    fake_counter(1, MH_COUNTER_L1D_HIT, 10);
    fake_boot();
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_get(MH_REG_CTA_LIMIT), 16);
    assert_int_equal(fake_knob(CTA_LIMIT, 1), 8);
    fake_event(MH_EVENT_TENANT_DONE, 1, 1);
    assert_int_equal(mh_twin_irq(), 0);
    assert_int_equal(fake_knob(CTA_LIMIT, 1), 16);
}

TEST(refuses_a_gpu_without_cta_limits)
{
    fake_assert_refused_with(MH_FEATURE_TOKENS);
}
