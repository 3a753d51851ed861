/* Of CCBP sub-queues and priority: the latency-sensitive kernel goes first, and nobody has a rate. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp_priority)
#include "image/common/image.h"

static void one_goes_first(void **state)
{
    (void)state;
    corun_settles(true);
    assert_int_equal(corun_knob(ISSUE_RATE, 1), 65535);
}

int test_policy_ccbp_priority(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_goes_first)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
