/* CCBP that holds latency-sensitive kernels to their quotas: both have an issue rate. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp_held)
#include "image/common/image.h"

static void sensitive_has_a_rate(void **state)
{
    (void)state;
    corun_boot(2);
    assert_true(corun_until(100000) > 0);
    assert_int_equal(corun_knob(ISSUE_FIRST, 0), 1);
    assert_in_range(corun_knob(ISSUE_RATE, 0), 1, 65534);
    assert_in_range(corun_knob(ISSUE_RATE, 1), 1, 65534);
}

int test_policy_ccbp_held(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sensitive_has_a_rate)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
