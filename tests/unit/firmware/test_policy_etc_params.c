/* Parameters of ETC's throttling: degrees, and which evictions count. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "etc_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(etc_memory) POLICY(etc_always_mt) POLICY(etc_throttle)
#include "image/common/image.h"

#define ALL   0x3fffffffu
#define UPPER 0x3fff8000u

/* Before each test: the defaults. */
static int setup(void **state)
{
    (void)state;
    fake_param(throttle_degree, 1);
    fake_param(throttle_release, 1);
    fake_param(throttle_own, 0);
    return 0;
}

static void four_and_two(void **state)
{
    (void)state;
    fake_param(throttle_degree, 4);
    fake_param(throttle_release, 2);
    etc_boot(1);
    etc_hold(ALL);
    assert_int_equal(fake_epoch(), 0);
    etc_fault(false, true, 0, 3);
    etc_fault(true, true, 0, 3);
    assert_int_equal(etc_throttled(), UPPER | 0x78);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(etc_throttled(), UPPER | 0x18);
}

static void begin(void)
{
    etc_boot(1);
    etc_hold(ALL);
    assert_int_equal(fake_epoch(), 0);
    etc_expect(true, MH_FAULT_RAISED);
}

/* What the fault itself evicts, before its unit comes, throttles. */
static void evicts_by_itself(void **state)
{
    (void)state;
    fake_param(throttle_own, 1);
    begin();
    etc_fault(false, false, 0, 3);
    etc_expect(true, MH_FAULT_COME);
    etc_fault(true, true, 0, 3);
    assert_int_equal(etc_throttled(), UPPER | 1u << 3);
    etc_expect(true, 0);
}

static void evicts_nothing(void **state)
{
    (void)state;
    fake_param(throttle_own, 1);
    begin();
    etc_fault(false, false, 0, 3);
    etc_fault(true, false, 0, 3);
    assert_int_equal(etc_throttled(), UPPER);
    etc_expect(true, 0);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(etc_throttled(), UPPER);
}

int test_policy_etc_params(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(four_and_two, setup),
        cmocka_unit_test_setup(evicts_by_itself, setup),
        cmocka_unit_test_setup(evicts_nothing, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
