/* DMIL's limit of memory instructions in flight, by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fake_window.h"

#include "policy/corun/mil.h"

/* The image of this test. It does not run. */
#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

static struct mil_counters now;

/* A kernel makes so many more requests, of which so many fail. */
static uint32_t after(struct mil_state *s, uint32_t sms, uint32_t requests, uint32_t fails, uint32_t peak)
{
    now.requests += requests;
    now.fails += fails;
    now.peak = peak;
    return mil_limit(s, sms, &now);
}

static struct mil_state begun(void)
{
    struct mil_state s;
    now = (struct mil_counters){.requests = UINT32_MAX - 300, .fails = UINT32_MAX - 10, .peak = 77}; /* they wrap */
    mil_begin(&s, &now);
    return s;
}

/* Without failures nobody is limited. One less than a failure per request is none, as many are high. */
static void threshold(void **state)
{
    (void)state;
    struct mil_state s = begun();
    assert_int_equal(after(&s, 1, 1024, 0, 40), MIL_NONE);
    assert_int_equal(after(&s, 1, 1024, 1023, 40), MIL_NONE);
    assert_int_equal(after(&s, 1, 1024, 1024, 40), 20);
}

/* 1024 requests per SM make a window; its peak is the greatest of all looks. */
static void window(void **state)
{
    (void)state;
    struct mil_state s = begun();
    assert_int_equal(after(&s, 2, 1000, 9000, 30), MIL_NONE);
    assert_int_equal(after(&s, 2, 1000, 0, 50), MIL_NONE);
    assert_int_equal(after(&s, 2, 47, 0, 10), MIL_NONE);
    assert_int_equal(after(&s, 2, 1, 0, 10), 25); /* 9000 of 2048 */
    assert_int_equal(after(&s, 2, 2047, 9000, 25), 25);
    assert_int_equal(after(&s, 2, 1, 0, 8), 12); /* of 25, not of 50 */
}

/* From 40 down to one, while it fails; then one more per window, until what failed at first would be reached. */
static void down_and_up(void **state)
{
    (void)state;
    static const uint32_t down[] = {20, 10, 5, 2, 1, 1};
    struct mil_state s = begun();
    uint32_t peak = 40;
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(peak = after(&s, 1, 1024, 5000, peak), down[i]);
    for (uint32_t limit = 2; limit < 40; limit++)
        assert_int_equal(after(&s, 1, 1024, 0, limit - 1), limit);
    assert_int_equal(after(&s, 1, 1024, 0, 39), MIL_NONE);
    assert_int_equal(after(&s, 1, 1024, 0, 39), MIL_NONE);
}

/* A peak of 0, as the gauge may say between instructions, is no limit of 0. */
static void never_zero(void **state)
{
    (void)state;
    struct mil_state s = begun();
    assert_int_equal(after(&s, 1, 1024, 5000, 0), 1);
}

int test_policy_mil(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threshold), cmocka_unit_test(window),
                                       cmocka_unit_test(down_and_up), cmocka_unit_test(never_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
