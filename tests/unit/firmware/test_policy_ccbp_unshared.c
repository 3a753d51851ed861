/* CCBP that shares nothing that is left: settles as CCBP does. What a rate is: test_policy_ccbp_plan.c. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp_unshared)
#include "image/common/image.h"

static void intensive_has_a_rate(void **state)
{
    (void)state;
    corun_settles(true);
    assert_in_range(corun_knob(ISSUE_RATE, 1), 1, 65534);
}

int test_policy_ccbp_unshared(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(intensive_has_a_rate)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
