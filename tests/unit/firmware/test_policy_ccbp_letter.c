/* CCBP to the letter: latency-sensitive kernels, too, have an issue rate, and always go first. It climbs, and rests. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp_letter)
#include "image/common/image.h"

static void all_have_rates(void **state)
{
    (void)state;
    corun_reset(2);
    fake_set(MH_REG_ISSUE_PATIENCE, 3);
    assert_int_equal(mh_twin_init(&fake_host), 0);
    assert_int_equal(fake_get(MH_REG_ISSUE_PATIENCE), 0);
    assert_true(corun_until(100000) > 0);
    assert_int_equal(corun_knob(ISSUE_FIRST, 0), 1);
    assert_int_equal(corun_knob(ISSUE_FIRST, 1), 0);
    for (uint32_t tenant = 0; tenant < 2; tenant++)
        assert_in_range(corun_knob(ISSUE_RATE, tenant), 1, 65534);
    corun_until_rest();
    corun_rests();
}

int test_policy_ccbp_letter(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_have_rates)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
