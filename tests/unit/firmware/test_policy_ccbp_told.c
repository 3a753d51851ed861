/* CCBP that is told IPCs alone: whom it still runs alone, and what its climb compares with. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "corun_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(ccbp_told)
#include "image/common/image.h"

static void boot_told(uint32_t first, uint32_t second)
{
    corun_boot(2);
    fake_set(MH_REG_ALONE_IPC, first);
    fake_set(MH_REG_ALONE_IPC + MH_REG_ALONE_IPC_STRIDE, second);
}

/* Ticks up to the first window of the climb in which only kernel `k` issues. */
static uint32_t alone_until_the_climb(uint32_t k)
{
    uint32_t ticks = 0;

    while (corun_timer() != 100000) {
        ticks += corun_knob(CTA_THROTTLE, !k) == 0;
        corun_little_and_much();
        corun_tick(corun_timer());
    }
    return ticks;
}

static void who_is_told_does_not_run_alone(void **state)
{
    static const uint32_t told[][2] = {{0, 0}, {0, 5000}, {5000, 0}, {5000, 5000}};

    (void)state;
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
        for (uint32_t k = 0; k < 2; k++) {
            boot_told(told[i][0], told[i][1]);
            assert_int_equal(alone_until_the_climb(k) > 0, told[i][k] == 0);
        }
}

/* Kernel 0 wins in the second window of the climb and kernel 1 loses. Returns CTAs of kernel 0 after it. */
static uint32_t climb(uint32_t first, uint32_t second)
{
    boot_told(first, second);
    (void)alone_until_the_climb(0);
    corun_count_on(0, 1000, 2, 10000);
    corun_count_on(1, 20000, 10, 10000);
    corun_tick(100000);
    (void)alone_until_the_climb(0);
    corun_count_on(0, 1000, 2, 20000);
    corun_count_on(1, 20000, 10, 8000);
    corun_tick(100000);
    (void)alone_until_the_climb(0);
    return corun_knob(CTA_LIMIT, 0);
}

/* Who has most to lose by what it was told decides. */
static void climbs_by_what_it_is_told(void **state)
{
    (void)state;
    assert_true(climb(1u << 20, 1) > climb(1, 1u << 20));
}

int test_policy_ccbp_told(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_told_does_not_run_alone),
        cmocka_unit_test(climbs_by_what_it_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
