/* Set indices against the sources that define them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "random.h"
#include "engine/sets.h"

static void test_modulo(void **state)
{
    (void)state;
    uint64_t rng = 1;
    for (uint32_t count = 1; count < 100; count++) {
        struct mh_sets s = mh_sets(count, MH_SETS_MODULO);
        for (uint32_t n = 0; n < 200; n++) {
            uint32_t x = (uint32_t)random_next(&rng);
            assert_int_equal(mh_set_of(&s, x), x % count);
        }
    }
}

/* Set bits XORed with as many above them; 24 sets: the sum of the two lowest digits and all that is above. */
static void test_fold(void **state)
{
    (void)state;
    struct mh_sets s = mh_sets(32, MH_SETS_FOLD), odd = mh_sets(24, MH_SETS_FOLD), one = mh_sets(1, MH_SETS_FOLD);
    uint64_t rng = 2;
    for (uint32_t n = 0; n < 2000; n++) {
        uint32_t x = random_next(&rng) % (1u << 28);
        assert_int_equal(mh_set_of(&s, x), (x % 32) ^ (x / 32 % 32));
        assert_int_equal(mh_set_of(&odd, x), (x % 24 + x / 24) % 24);
        assert_int_equal(mh_set_of(&one, x), 0);
    }
}

/* Rows of four pages: 8 of 32 sets by the low bits, all of them folded. */
static void test_stride(void **state)
{
    (void)state;
    for (uint32_t rule = MH_SETS_MODULO; rule <= MH_SETS_FOLD; rule++) {
        struct mh_sets s = mh_sets(32, rule);
        uint32_t used = 0;
        for (uint32_t row = 0; row < 256; row++)
            used |= 1u << mh_set_of(&s, 4 * row);
        assert_int_equal(__builtin_popcount(used), rule == MH_SETS_FOLD ? 32 : 8);
    }
}

static uint32_t bit(uint32_t address, uint32_t at)
{
    return address >> at & 1;
}

/* By the address of a line of 128 bytes, bit by bit: 7 to 11 with 13, 14, 15, 17 and 19; of 64 sets 12 on top. */
static void test_fermi(void **state)
{
    (void)state;
    static const uint32_t upper[] = {13, 14, 15, 17, 19};
    struct mh_sets small = mh_sets(32, MH_SETS_FERMI), large = mh_sets(64, MH_SETS_FERMI);
    uint64_t rng = 3;
    for (uint32_t n = 0; n < 2000; n++) {
        uint32_t address = (uint32_t)random_next(&rng), set = 0;
        for (uint32_t i = 0; i < 5; i++)
            set |= (bit(address, 7 + i) ^ bit(address, upper[i])) << i;
        assert_int_equal(mh_set_of(&small, address >> 7), set);
        assert_int_equal(mh_set_of(&large, address >> 7), set | bit(address, 12) << 5);
    }
}

int test_sets(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modulo),
        cmocka_unit_test(test_fold),
        cmocka_unit_test(test_stride),
        cmocka_unit_test(test_fermi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
