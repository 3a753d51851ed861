/* Base-delta-immediate on blocks whose sizes are worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "uvm/compress/bdi.h"

static uint32_t of_words(const uint64_t *word, uint32_t bytes)
{
    uint8_t block[MH_BDI_BLOCK];

    for (uint32_t i = 0; i < MH_BDI_BLOCK; i++)
        block[i] = (uint8_t)(word[i / bytes] >> 8 * (i % bytes));
    return mh_bdi_bytes(block);
}

static void test_zeros_and_repeats(void **state)
{
    uint64_t word[8] = {0};

    (void)state;
    assert_int_equal(of_words(word, 8), 1);
    for (int i = 0; i < 8; i++)
        word[i] = 0x0123456789abcdef;
    assert_int_equal(of_words(word, 8), 8);
    word[7]++;
    assert_int_equal(of_words(word, 8), 16);
}

/* Pointers of one structure: base 8, deltas that need 1, 2, 4 or more bytes; either sign. */
static void test_words_of_8(void **state)
{
    static const struct {
        int64_t delta;
        uint32_t bytes;
    } cases[] = {{127, 16},        {128, 24},        {-128, 16},          {-129, 24},
                 {32767, 24},      {32768, 40},      {-32768, 24},        {-32769, 40},
                 {2147483647, 40}, {2147483648, 64}, {-2147483648ll, 40}, {-2147483649ll, 64}};

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint64_t word[8];

        for (int i = 0; i < 8; i++)
            word[i] = 0x7f3a5c1122334455 + (i == 5 ? (uint64_t)cases[c].delta : 0);
        assert_int_equal(of_words(word, 8), cases[c].bytes);
    }
}

/* Words of 4: a base with small and larger differences; no two words of 8 are near each other. */
static void test_words_of_4(void **state)
{
    uint64_t word[16];

    (void)state;
    for (uint64_t i = 0; i < 16; i++)
        word[i] = 0x3f800000 + 8 * i;
    assert_int_equal(of_words(word, 4), 20);
    for (uint64_t i = 0; i < 16; i++)
        word[i] = 0x3f800000 + 2000 * i;
    assert_int_equal(of_words(word, 4), 36);
    for (uint64_t i = 0; i < 16; i++)
        word[i] = 0x3f800000 + 20000 * i;
    assert_int_equal(of_words(word, 4), 64);
}

static void test_words_of_2(void **state)
{
    uint64_t word[32];

    (void)state;
    for (uint64_t i = 0; i < 32; i++)
        word[i] = 0x4000 + i * 37 % 100;
    assert_int_equal(of_words(word, 2), 34);
    word[9] = 0x40ff;
    assert_int_equal(of_words(word, 2), 64);
}

/* Two bases: zero, and the first word that is not near it. */
static void test_immediates(void **state)
{
    const uint64_t word[8] = {3, (uint64_t)-2, 0x7f3a5c1122334455, 0, 0x7f3a5c1122334460, 100, 0x7f3a5c1122334400, 1};
    uint64_t third[8];

    (void)state;
    assert_int_equal(of_words(word, 8), 16);
    memcpy(third, word, sizeof third);
    third[7] = 0x1234567800000000;
    assert_int_equal(of_words(third, 8), 64);
}

/* Floats 0, 0, 1, 1, .. 7, 7 far up: prefix sums; a difference of 1 is 2 units of the last place at 2^22. */
static void test_floats(void **state)
{
    uint64_t word[16];

    (void)state;
    for (uint64_t i = 0; i < 16; i++) {
        float f = 4194304.0f + (float)(i / 2);
        uint32_t bits;

        memcpy(&bits, &f, sizeof bits);
        word[i] = bits;
    }
    assert_int_equal(of_words(word, 4), 20);
}

int test_bdi(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zeros_and_repeats), cmocka_unit_test(test_words_of_8), cmocka_unit_test(test_words_of_4),
        cmocka_unit_test(test_words_of_2),        cmocka_unit_test(test_immediates), cmocka_unit_test(test_floats),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
