/* Division by multiplication, counted bits, and the banks that lines go to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/interleave.h"
#include "engine/arith.h"
#include "random.h"

static void assert_divides(const struct mh_divisor *d, uint32_t n)
{
    assert_int_equal(mh_quotient(d, n), n / d->by);
    assert_int_equal(mh_remainder(d, n), n % d->by);
}

/* Around every multiple that is small, in the middle and at the end, for small, random and the largest divisors. */
static void test_division(void **state)
{
    (void)state;
    uint64_t rng = 1;
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t by = i < 5000 ? i + 1 : i < 5010 ? UINT32_MAX - (i - 5000) : (uint32_t)random_next(&rng) | 1;
        struct mh_divisor d = mh_divisor(by);
        uint32_t most = UINT32_MAX / by, multiple = by * (uint32_t)(random_next(&rng) % ((uint64_t)most + 1));
        const uint32_t at[] = {0, by, multiple, by * most};
        for (uint32_t k = 0; k < 4; k++) {
            assert_divides(&d, at[k] - (at[k] != 0));
            assert_divides(&d, at[k]);
            assert_divides(&d, at[k] + (at[k] != UINT32_MAX));
        }
        assert_divides(&d, UINT32_MAX);
        assert_divides(&d, (uint32_t)random_next(&rng));
    }
}

static void test_bits(void **state)
{
    (void)state;
    uint64_t rng = 2;
    assert_int_equal(mh_bits(0), 0);
    assert_int_equal(mh_bits(UINT64_MAX), 64);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(mh_bits(1ull << i), 1);
        assert_int_equal(mh_bits(~(1ull << i)), 63);
    }
    for (uint32_t i = 0; i < 10000; i++) {
        uint64_t v = random_next(&rng) & random_next(&rng);
        assert_int_equal(mh_bits(v), __builtin_popcountll(v));
    }
}

/* 16 banks, as they have always been: four groups of four bits. 12 banks: the digits of the line to the base 12. */
static void test_by_hand(void **state)
{
    (void)state;
    struct mh_interleave x = mh_interleave(16), y = mh_interleave(12), one = mh_interleave(1);
    assert_int_equal(mh_interleave_bank(&x, 0x54321), 1 ^ 2 ^ 3 ^ 4);
    assert_int_equal(mh_interleave_local(&x, 0x54321), 0x5432);
    uint32_t line = 5 + 12 * (11 + 12 * (7 + 12 * (2 + 12 * 9)));
    assert_int_equal(mh_interleave_bank(&y, line), (5 + 11 + 7 + 2) % 12);
    assert_int_equal(mh_interleave_local(&y, line), line / 12);
    assert_int_equal(mh_interleave_bank(&one, line), 0);
    assert_int_equal(mh_interleave_local(&one, line), line);
}

/* Bank and local line name the line: of each group of neighbours every bank has one, and all call it the same. */
static void test_one_to_one(void **state)
{
    (void)state;
    uint64_t rng = 3;
    for (uint32_t banks = 1; banks <= 64; banks++) {
        struct mh_interleave x = mh_interleave(banks);
        for (uint32_t i = 0; i < 200; i++) {
            uint32_t local = (uint32_t)(random_next(&rng) % ((1u << 28) / banks));
            uint64_t seen = 0;
            for (uint32_t k = 0; k < banks; k++) {
                uint32_t line = local * banks + k;
                assert_int_equal(mh_interleave_local(&x, line), local);
                assert_true(mh_interleave_bank(&x, line) < banks);
                seen |= 1ull << mh_interleave_bank(&x, line);
            }
            assert_int_equal(mh_bits(seen), banks);
        }
    }
}

/* No stride of 1, 3 or 12 times a power of two up to 8192 lines leaves one of 12 banks with twice its share. */
static void test_strides(void **state)
{
    enum { BANKS = 12, LINES = 1200 };
    (void)state;
    struct mh_interleave x = mh_interleave(BANKS);
    static const uint32_t times[] = {1, 3, 12};
    for (uint32_t n = 0; n < 3 * 14; n++) {
        uint32_t stride = times[n % 3] << n / 3;
        uint32_t count[BANKS] = {0};
        for (uint32_t i = 0; i < LINES; i++)
            count[mh_interleave_bank(&x, i * stride)]++;
        for (uint32_t b = 0; b < BANKS; b++)
            assert_true(count[b] < 2 * LINES / BANKS);
    }
}

int test_interleave(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_division),   cmocka_unit_test(test_bits),    cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_one_to_one), cmocka_unit_test(test_strides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
