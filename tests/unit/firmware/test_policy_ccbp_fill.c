/* CCBP that fills SMs: beside a kernel whose bandwidth ends its CTAs, a latency-sensitive one gets what is left. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp_fill)
#include "image/common/image.h"

/* Up to the first window of the climb. */
static void to_the_climb(void)
{
    while (corun_timer() != 100000) {
        corun_count_on(0, 900, 1, 10000);
        corun_count_on(1, 20000, 10, 10000);
        corun_tick(corun_timer());
    }
}

static void fills_the_sms(void **state)
{
    (void)state;
    corun_boot(2);
    to_the_climb();
    for (uint32_t windows = 0; windows < 20; windows++) {
        assert_int_equal(corun_knob(CTA_LIMIT, 0) + corun_knob(CTA_LIMIT, 1), CORUN_TEST_SLOTS);
        assert_int_equal(corun_knob(ISSUE_FIRST, 0), 1);
        assert_in_range(corun_knob(ISSUE_RATE, 1), 1, 65534);
        corun_tick(100000);
        to_the_climb();
    }
}

int test_policy_ccbp_fill(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fills_the_sms)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
