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

/* Ticks until `length` is waited for. Kernel 0 asks for little and kernel 1 for much. Returns how often nobody but one
 * issued. */
static uint32_t ticks_until(uint32_t length)
{
    uint32_t alone = 0;

    for (uint32_t ticks = 0; corun_timer() != length; ticks++) {
        assert_true(ticks < 1000);
        alone += corun_knob(CTA_THROTTLE, 0) == 0 || corun_knob(CTA_THROTTLE, 1) == 0;
        corun_count_on(0, 1000, 2, 10000);
        corun_count_on(1, 20000, 10, 10000);
        corun_tick(corun_timer());
    }
    return alone;
}

static void nobody_runs_alone(void **state)
{
    (void)state;
    corun_boot(2);
    assert_int_equal(ticks_until(100000), 0);
    for (uint32_t windows = 0; windows < 10; windows++) {
        uint32_t limit = corun_knob(CTA_LIMIT, 0);

        assert_int_equal(corun_knob(ISSUE_FIRST, 0), 1);
        assert_int_equal(corun_knob(ISSUE_RATE, 0), 65535);
        assert_in_range(corun_knob(ISSUE_RATE, 1), 1, 65534);
        corun_count_on(0, 1000, 2, 10000);
        corun_count_on(1, 20000, 10, 10000);
        corun_tick(100000);
        assert_int_equal(ticks_until(100000), 0);
        assert_int_equal(corun_knob(CTA_LIMIT, 0), limit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nobody_runs_alone)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
