/* ETC's throttling with other degrees: four SMs throttled, two released at a time. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "etc_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(etc_memory) POLICY(etc_always_mt) POLICY(etc_throttle_4_2)
#include "image/common/image.h"

#define ALL   0x3fffffffu
#define UPPER 0x3fff8000u

static void four_and_two(void **state)
{
    (void)state;
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

int test_policy_etc_degree(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(four_and_two)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
