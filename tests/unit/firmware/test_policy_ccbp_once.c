/* CCBP that detects once: settles as CCBP does, then rests. The GPU's bound on priority stays. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp_once)
#include "image/common/image.h"

static void settles_and_rests(void **state)
{
    (void)state;
    corun_settles(true);
    assert_in_range(corun_knob(ISSUE_RATE, 1), 1, 65534);
    corun_until_rest();
    corun_rests();
}

int test_policy_ccbp_once(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(settles_and_rests)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
