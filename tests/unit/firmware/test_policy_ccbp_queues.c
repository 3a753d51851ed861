/* Of CCBP the sub-queues: nobody goes first, and nobody has a rate. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp_queues)
#include "image/common/image.h"

static void all_are_equal(void **state)
{
    (void)state;
    corun_settles(false);
    assert_int_equal(corun_knob(ISSUE_RATE, 1), 65535);
}

int test_policy_ccbp_queues(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_are_equal)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
