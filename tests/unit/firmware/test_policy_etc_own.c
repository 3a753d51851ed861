/* ETC's throttling with the other reading of which evictions count: those that the fault itself causes do. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "etc_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(etc_memory) POLICY(etc_always_mt) POLICY(etc_throttle_own)
#include "image/common/image.h"

#define ALL   0x3fffffffu
#define UPPER 0x3fff8000u

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
    begin();
    etc_fault(false, false, 0, 3);
    etc_fault(true, false, 0, 3);
    assert_int_equal(etc_throttled(), UPPER);
    etc_expect(true, 0);
    assert_int_equal(fake_timer(), 0);
    assert_int_equal(etc_throttled(), UPPER);
}

int test_policy_etc_own(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(evicts_by_itself), cmocka_unit_test(evicts_nothing)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
