/* Of CCBP sub-queues and issue rates: the intensive kernel has one, and nobody goes first. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp_quotas)
#include "image/common/image.h"

static void one_has_a_rate(void **state)
{
    (void)state;
    corun_settles(false);
    assert_in_range(corun_knob(ISSUE_RATE, 1), 1, 65534);
}

int test_policy_ccbp_quotas(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_has_a_rate)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
