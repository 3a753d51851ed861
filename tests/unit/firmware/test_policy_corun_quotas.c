/* Quotas of memory instructions: BMI's, MIL's and SMK's, by hand, and what holds of any. */
#include "unit/test.h"

#include "fake_window.h"
#include "random.h"
#include "policy/corun/bmi.h"
#include "policy/corun/mil.h"
#include "policy/corun/smk.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

TEST(requests_per_instruction)
{
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

TEST(by_hand)
{
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t quota[4];
        bmi_quotas(rows[i].kernels, rows[i].requests, rows[i].most, quota);
        for (uint32_t k = 0; k < rows[i].kernels; k++)
            if (quota[k] != rows[i].quota[k])
                fail_msg("%s: kernel %u: %u", rows[i].name, k, quota[k]);
    }
}

/* Within half an instruction of most x fewest / requests, and 1 or more. */
TEST(any)
{
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

/* --- DMIL's limit of memory instructions in flight, by hand. */

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

/* Without failures no tenant is limited. One less than a failure per request is none, as many are high. */
TEST(threshold)
{
    struct mil_state s = begun();
    assert_int_equal(after(&s, 1, 1024, 0, 40), MIL_NONE);
    assert_int_equal(after(&s, 1, 1024, 1023, 40), MIL_NONE);
    assert_int_equal(after(&s, 1, 1024, 1024, 40), 20);
}

/* 1024 requests per SM make a window; its peak is the greatest of all looks. */
TEST(window)
{
    struct mil_state s = begun();
    assert_int_equal(after(&s, 2, 1000, 9000, 30), MIL_NONE);
    assert_int_equal(after(&s, 2, 1000, 0, 50), MIL_NONE);
    assert_int_equal(after(&s, 2, 47, 0, 10), MIL_NONE);
    assert_int_equal(after(&s, 2, 1, 0, 10), 25); /* 9000 of 2048 */
    assert_int_equal(after(&s, 2, 2047, 9000, 25), 25);
    assert_int_equal(after(&s, 2, 1, 0, 8), 12); /* of 25, not of 50 */
}

/* From 40 down to one, while it fails; then one more per window, until what failed at first would be reached. */
TEST(down_and_up)
{
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
TEST(never_zero)
{
    struct mil_state s = begun();
    assert_int_equal(after(&s, 1, 1024, 5000, 0), 1);
}

/* --- SMK's warp quotas: by hand, and what holds of any. */

static const struct {
    const char *name;
    uint32_t kernels, alone[4], round, quota[4];
} smk_rows[] = {
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

TEST(smk_by_hand)
{
    for (uint32_t i = 0; i < sizeof smk_rows / sizeof *smk_rows; i++) {
        uint32_t quota[4];
        smk_quotas(smk_rows[i].kernels, smk_rows[i].alone, smk_rows[i].round, quota);
        for (uint32_t k = 0; k < smk_rows[i].kernels; k++)
            if (quota[k] != smk_rows[i].quota[k])
                fail_msg("%s: kernel %u: %u", smk_rows[i].name, k, quota[k]);
    }
}

/* A quota is its exact part rounded down, or 1: no more than alone / sum says, and less by less than one. */
TEST(any_smk_quotas)
{
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
