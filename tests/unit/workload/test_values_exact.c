/* Arithmetic of our own beside the host's: expf, logf, sqrtf, rand(). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "engine/random.h"
#include "workload/values/c_rand.h"
#include "workload/values/exact.h"

enum { TRIES = 200000 };

static double between(uint64_t i, double low, double high)
{
    return low + (high - low) * ((double)(mh_random(7, i) >> 11) / 9007199254740992.0);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 8e-16 * fabs(b);
}

static void test_exp(void **state)
{
    (void)state;
    assert_true(mh_exact_exp(0) == 1);
    assert_true((float)mh_exact_exp(1) == 2.7182817f);
    for (uint64_t i = 0; i < TRIES; i++) {
        double x = between(i, -700, 700), y = between(i, -3, 1);

        if (!near(mh_exact_exp(x), exp(x)) || (float)mh_exact_exp((float)y) != (float)exp((float)y))
            fail_msg("exp of %.17g or %.17g", x, y);
    }
}

static void test_log(void **state)
{
    (void)state;
    assert_true(mh_exact_log(1) == 0);
    for (uint64_t i = 0; i < TRIES; i++) {
        float x = (float)between(i, 0.1, 10);
        double y = between(i, 1e-9, 1e9);

        if ((float)mh_exact_log(x) != (float)log(x) || !near(mh_exact_log(y), log(y)))
            fail_msg("log of %.9g or %.17g", (double)x, y);
    }
}

static void test_sqrt(void **state)
{
    (void)state;
    assert_true(mh_exact_sqrtf(0) == 0);
    assert_true(mh_exact_sqrtf(2) == 1.41421354f);
    for (uint64_t i = 0; i < TRIES; i++) {
        uint32_t bits = (uint32_t)(mh_random(9, i) % 0x7f000000) + 0x00800000;
        float x;

        memcpy(&x, &bits, sizeof x);
        if (mh_exact_sqrtf(x) != sqrtf(x))
            fail_msg("root of %.9g", (double)x);
    }
}

/* The first numbers of a Linux program that has not called srand(), and of one with srand(42). */
static void test_rand(void **state)
{
    static const uint32_t first[] = {1804289383, 846930886, 1681692777, 1714636915, 1957747793};
    struct c_rand r;

    (void)state;
    c_srand(&r, 1);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        assert_int_equal(c_rand(&r), first[i]);
    c_srand(&r, 42);
    assert_int_equal(c_rand(&r), 71876166);
    assert_int_equal(c_rand(&r), 708592740);
}

int test_values_exact(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exp), cmocka_unit_test(test_log),
                                       cmocka_unit_test(test_sqrt), cmocka_unit_test(test_rand)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
