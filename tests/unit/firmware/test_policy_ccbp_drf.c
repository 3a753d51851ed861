/* CCBP_DRF: no climb, and nobody runs alone for it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp_drf)
#include "image/common/image.h"

static void nobody_runs_alone(void **state)
{
    (void)state;
    corun_boot(2);
    assert_int_equal(corun_until(100000), 0);
    for (uint32_t windows = 0; windows < 10; windows++) {
        uint32_t limit = corun_knob(CTA_LIMIT, 0);

        assert_int_equal(corun_knob(ISSUE_FIRST, 0), 1);
        assert_int_equal(corun_knob(ISSUE_RATE, 0), 65535);
        assert_in_range(corun_knob(ISSUE_RATE, 1), 1, 65534);
        corun_little_and_much();
        corun_tick(100000);
        assert_int_equal(corun_until(100000), 0);
        assert_int_equal(corun_knob(CTA_LIMIT, 0), limit);
    }
}

int test_policy_ccbp_drf(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nobody_runs_alone)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
