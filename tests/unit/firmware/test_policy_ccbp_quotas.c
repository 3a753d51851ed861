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
    corun_boot(2);
    (void)corun_until(100000);
    assert_int_equal(fake_get(MH_REG_MISS_QUEUES), 1);
    assert_int_equal(corun_knob(ISSUE_FIRST, 0), 0);
    assert_int_equal(corun_knob(ISSUE_FIRST, 1), 0);
    assert_int_equal(corun_knob(ISSUE_RATE, 0), 65535);
    assert_in_range(corun_knob(ISSUE_RATE, 1), 1, 65534);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_has_a_rate)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
