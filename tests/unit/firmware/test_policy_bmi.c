/* BMI's quotas of memory instructions: by hand, beside least common multiples, and what holds of any. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fake_window.h"
#include "random.h"

#include "policy/corun/bmi.h"

/* The image of this test. It does not run. */
#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

static void requests(void **state)
{
    (void)state;
    assert_int_equal(bmi_requests(0, 0), BMI_ONE);
    assert_int_equal(bmi_requests(100, 100), BMI_ONE);
    assert_int_equal(bmi_requests(3200, 100), 32 * BMI_ONE);
    assert_int_equal(bmi_requests(150, 100), 384);
    assert_int_equal(bmi_requests(4, 3), 341); /* 341.33 */
    assert_int_equal(bmi_requests(0, 100), BMI_ONE);
    assert_int_equal(bmi_requests(UINT32_MAX, 1), 65535);
    assert_int_equal(bmi_requests(UINT32_MAX, UINT32_MAX), BMI_ONE);
}

static const struct {
    const char *name;
    uint32_t kernels, requests[4], most, quota[4];
} rows[] = {
    {"equal", 2, {512, 512}, 64, {64, 64}},
    {"one request against four", 2, {256, 1024}, 64, {64, 16}},
    {"32 lines against 1", 2, {32 * 256, 256}, 64, {2, 64}},
    {"64 x 1 / 3 is 21.33, 64 x 1 / 5 is 12.8", 3, {256, 768, 1280}, 64, {64, 21, 13}},
    {"a half goes up: 1 x 1 / 2", 2, {256, 512}, 1, {1, 1}},
    {"at least one", 2, {256, 64 * 256}, 4, {4, 1}},
    {"one and a half: 63 x 2 / 3", 2, {256, 384}, 63, {63, 42}},
    {"alone", 1, {9999}, 65535, {65535}},
    {"the greatest", 2, {65535, 65535}, 65535, {65535, 65535}},
};

static void by_hand(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t quota[4];
        bmi_quotas(rows[i].kernels, rows[i].requests, rows[i].most, quota);
        for (uint32_t k = 0; k < rows[i].kernels; k++)
            if (quota[k] != rows[i].quota[k])
                fail_msg("%s: kernel %u: %u", rows[i].name, k, quota[k]);
    }
}

static uint32_t common(uint32_t a, uint32_t b)
{
    uint32_t x = a, y = b;
    while (y) {
        uint32_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

/* Where the least common multiple is small, and `most` what it gives the first: the same quotas. */
static void least_common_multiples(void **state)
{
    (void)state;
    for (uint32_t a = 1; a <= 64; a++)
        for (uint32_t b = a; b <= 64; b++) {
            uint32_t both = common(a, b), quota[2];
            bmi_quotas(2, (uint32_t[]){a * BMI_ONE, b * BMI_ONE}, both / a, quota);
            assert_int_equal(quota[0], both / a);
            assert_int_equal(quota[1], both / b);
        }
}

/* Within half an instruction of most x fewest / requests, and 1 or more. */
static void any(void **state)
{
    (void)state;
    uint64_t rng = 6;
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t kernels = pick(&rng, 1, 8), most = pick(&rng, 1, BMI_QUOTA_MOST), per[8], quota[8], fewest = 65535;
        for (uint32_t k = 0; k < kernels; k++) {
            per[k] = pick(&rng, BMI_ONE, 65535);
            fewest = per[k] < fewest ? per[k] : fewest;
        }
        bmi_quotas(kernels, per, most, quota);
        for (uint32_t k = 0; k < kernels; k++) {
            int64_t off = (int64_t)quota[k] * per[k] - (int64_t)most * fewest; /* x requests */
            assert_in_range(quota[k], 1, most);
            assert_true(quota[k] == 1 || 2 * off <= (int64_t)per[k]);
            assert_true(2 * off > -(int64_t)per[k]);
        }
    }
}

int test_policy_bmi(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(requests), cmocka_unit_test(by_hand),
                                       cmocka_unit_test(least_common_multiples), cmocka_unit_test(any)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
