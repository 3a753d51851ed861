/* CCBP that climbs for weighted speedup: settles as CCBP does. Where it ends: test_policy_ccbp_climb.c. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp_weighted)
#include "image/common/image.h"

static void settles(void **state)
{
    (void)state;
    corun_settles(true);
    assert_in_range(corun_knob(ISSUE_RATE, 1), 1, 65534);
}

int test_policy_ccbp_weighted(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(settles)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
