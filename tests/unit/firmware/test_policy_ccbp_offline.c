/* CCBP_offline: windows are ten times as long, draining and work are not. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp_offline)
#include "image/common/image.h"

static void window(uint32_t skip, uint32_t measure)
{
    corun_drains();
    corun_tick(skip + CORUN_TEST_TICK);
    corun_count_on(0, 1000, 2, 10000);
    corun_count_on(1, 200000, 10, 10000);
    corun_tick(measure);
}

static void windows_are_longer(void **state)
{
    (void)state;
    corun_boot(2);
    window(500000, 200000);
    for (uint32_t i = 0; i < 3; i++)
        corun_tick(CORUN_TEST_TICK);
    window(100000, 200000);
    for (uint32_t i = 0; i < 3; i++)
        corun_tick(CORUN_TEST_TICK);
    window(100000, 100000);
}

int test_policy_ccbp_offline(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(windows_are_longer)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
