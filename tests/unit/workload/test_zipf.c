/* Zipf's distribution in integers, beside sums of pow(). */
#include "unit/test.h"
#include "workload/zipf.h"

#include <math.h>

#include "engine/random.h"

enum { RANKS = 200000, DRAWS = 20000 };

/* The inverse: a random word w of 2^64 draws the rank whose cumulative share holds w, but for the parts' width. */
static void check_inverse(uint32_t hundredths, uint64_t n)
{
    double *share = calloc(n + 1, sizeof *share);
    struct mh_zipf z;

    for (uint64_t r = 1; r <= n; r++)
        share[r] = share[r - 1] + pow((double)r, -(double)hundredths / 100);
    mh_zipf_make(&z, hundredths);
    for (uint64_t i = 0; i < DRAWS; i++) {
        const uint64_t random = mh_random(hundredths, i), rank = mh_zipf_draw(&z, random, n) + 1;
        const double at = (double)random / 18446744073709551616.0 * share[n];

        assert_in_range(rank, 1, n);
        if (at < share[rank - 1] - share[n] * 1e-4 || at > share[rank] + share[n] * 1e-4)
            fail_msg("s %u: %.6f drew rank %llu of shares %.6f to %.6f", hundredths, at, (unsigned long long)rank,
                     share[rank - 1], share[rank]);
    }
    free(share);
}

TEST(test_draws)
{
    static const uint32_t exponents[] = {0, 30, 90, 100, 105, 120};

    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        check_inverse(exponents[i], RANKS);
        check_inverse(exponents[i], 65);
        check_inverse(exponents[i], 8);
    }
}

TEST(test_ends)
{
    struct mh_zipf z;

    mh_zipf_make(&z, 105);
    for (unsigned bits = 0; bits < MH_ZIPF_BITS - 1; bits++) {
        const uint64_t n = (uint64_t)1 << bits, last = mh_zipf_draw(&z, UINT64_MAX, n);

        assert_int_equal(mh_zipf_draw(&z, 0, n), 0);
        assert_true(last < n && last >= n - n / 32 - 1);
    }
}

/* Each of n places once, in another order for another seed. */
TEST(test_shuffled)
{
    static const uint64_t counts[] = {1, 2, 3, 4, 5, 16, 17, 1000, 65536};
    static uint8_t seen[65536];

    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        uint64_t moved = 0;

        memset(seen, 0, sizeof seen);
        for (uint64_t i = 0; i < counts[k]; i++) {
            const uint64_t to = mh_shuffled(5, i, counts[k]);

            assert_true(to < counts[k] && !seen[to]++);
            moved += to != mh_shuffled(6, i, counts[k]);
        }
        assert_true(counts[k] < 1000 || moved > counts[k] * 9 / 10);
    }
}
