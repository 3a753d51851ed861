/* The naive throttling: half of the SMs that hold CTAs, always. */
#include "unit/test.h"

#include "etc_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(etc_memory) POLICY(etc_always_mt) POLICY(etc_naive_throttle)
#include "image/common/image.h"

static void half(uint32_t holders, uint32_t expected)
{
    etc_hold(holders);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(etc_throttled(), expected);
}

/* Whatever faults; those that are left have their turn; new CTAs on other SMs are halved again. */
TEST(for_ever)
{
    etc_boot(1);
    half(0, 0);
    half(0xff, 0xf0);
    half(0xff, 0xf0);
    half(0xf0, 0xc0); /* the active ones are done: two of the four that are left */
    half(0xc0, 0x80);
    half(0x80, 0);
    half(0xff00, 0xf000);
    fake_counter(0, MH_COUNTER_UVM_ALLOCATED, 100);
    half(0xff00, 0);
    etc_expect(false, 0);
}
