/* SMK's warp quotas: by hand, and what holds of any. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fake_window.h"
#include "random.h"

#include "policy/corun/smk.h"

/* The image of this test. It does not run. */
#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

static const struct {
    const char *name;
    uint32_t kernels, alone[4], round, quota[4];
} rows[] = {
    {"equal", 2, {500, 500}, 100, {50, 50}},
    {"three to one", 2, {3, 1}, 1000, {750, 250}},
    {"sevenths, rounded down", 3, {4, 2, 1}, 100, {57, 28, 14}},
    {"at least one", 2, {1000, 1}, 100, {99, 1}},
    {"a round of one", 2, {1, 1}, 1, {1, 1}},
    {"one is not known", 3, {600, 0, 200}, 80, {60, 0, 20}},
    {"none is known", 2, {0, 0}, 80, {0, 0}},
    {"alone", 1, {7}, 65535, {65535}},
    {"the greatest", 4, {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, 65535, {16383, 16383, 16383, 16383}},
};

static void by_hand(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t quota[4];
        smk_quotas(rows[i].kernels, rows[i].alone, rows[i].round, quota);
        for (uint32_t k = 0; k < rows[i].kernels; k++)
            if (quota[k] != rows[i].quota[k])
                fail_msg("%s: kernel %u: %u", rows[i].name, k, quota[k]);
    }
}

/* A quota is its exact part rounded down, or 1: no more than alone / sum says, and less by less than one. */
static void any(void **state)
{
    (void)state;
    uint64_t rng = 5;
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t kernels = pick(&rng, 1, 8), round = pick(&rng, 1, SMK_QUOTA_MOST), alone[8], quota[8];
        uint64_t sum = 0, all = 0;
        for (uint32_t k = 0; k < kernels; k++)
            sum += alone[k] = pick(&rng, 0, 3) ? pick(&rng, 1, 1u << pick(&rng, 0, 31)) : 0;
        smk_quotas(kernels, alone, round, quota);
        for (uint32_t k = 0; k < kernels; k++) {
            uint64_t exact = (uint64_t)round * alone[k]; /* x sum */
            assert_true(quota[k] <= SMK_QUOTA_MOST && (quota[k] == 0) == (alone[k] == 0));
            assert_true(quota[k] <= 1 || quota[k] * sum <= exact);
            assert_true(alone[k] == 0 || (quota[k] + 1ull) * sum > exact);
            all += quota[k];
        }
        assert_true(all <= round + kernels);
    }
}

int test_policy_smk_quota(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(any)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
