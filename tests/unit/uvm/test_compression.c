/* Base-delta-immediate blocks and linearly compressed pages: sizes, classes, exceptions and overflows by hand. */
#include "unit/test.h"
#include "uvm/compress/compress.h"

static uint32_t of_words(const uint64_t *word, uint32_t bytes)
{
    uint8_t block[MH_BDI_BLOCK];

    for (uint32_t i = 0; i < MH_BDI_BLOCK; i++)
        block[i] = (uint8_t)(word[i / bytes] >> 8 * (i % bytes));
    return mh_bdi_bytes(block);
}

TEST(test_zeros_and_repeats)
{
    uint64_t word[8] = {0};

    assert_int_equal(of_words(word, 8), 1);
    for (int i = 0; i < 8; i++)
        word[i] = 0x0123456789abcdef;
    assert_int_equal(of_words(word, 8), 8);
    word[7]++;
    assert_int_equal(of_words(word, 8), 16);
}

/* Pointers of one structure: base 8, deltas that need 1, 2, 4 or more bytes; either sign. */
TEST(test_words_of_8)
{
    static const struct {
        int64_t delta;
        uint32_t bytes;
    } cases[] = {{127, 16},        {128, 24},        {-128, 16},          {-129, 24},
                 {32767, 24},      {32768, 40},      {-32768, 24},        {-32769, 40},
                 {2147483647, 40}, {2147483648, 64}, {-2147483648ll, 40}, {-2147483649ll, 64}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint64_t word[8];

        for (int i = 0; i < 8; i++)
            word[i] = 0x7f3a5c1122334455 + (i == 5 ? (uint64_t)cases[c].delta : 0);
        assert_int_equal(of_words(word, 8), cases[c].bytes);
    }
}

/* Words of 4: a base with small and larger differences; no two words of 8 are near each other. */
TEST(test_words_of_4)
{
    uint64_t word[16];

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

TEST(test_words_of_2)
{
    uint64_t word[32];

    for (uint64_t i = 0; i < 32; i++)
        word[i] = 0x4000 + i * 37 % 100;
    assert_int_equal(of_words(word, 2), 34);
    word[9] = 0x40ff;
    assert_int_equal(of_words(word, 2), 64);
}

/* Two bases: zero, and the first word that is not near it. */
TEST(test_immediates)
{
    const uint64_t word[8] = {3, (uint64_t)-2, 0x7f3a5c1122334455, 0, 0x7f3a5c1122334460, 100, 0x7f3a5c1122334400, 1};
    uint64_t third[8];

    assert_int_equal(of_words(word, 8), 16);
    memcpy(third, word, sizeof third);
    third[7] = 0x1234567800000000;
    assert_int_equal(of_words(third, 8), 64);
}

/* Floats 0, 0, 1, 1, .. 7, 7 far up: prefix sums; a difference of 1 is 2 units of the last place at 2^22. */
TEST(test_floats)
{
    uint64_t word[16];

    for (uint64_t i = 0; i < 16; i++) {
        float f = 4194304.0f + (float)(i / 2);
        uint32_t bits;

        memcpy(&bits, &f, sizeof bits);
        word[i] = bits;
    }
    assert_int_equal(of_words(word, 4), 20);
}

/* A page whose blocks take `most` bytes, but for `large` that take 64. */
static struct mh_lcp_page page_of(uint8_t most, uint32_t large)
{
    uint8_t sizes[MH_LCP_BLOCKS];

    memset(sizes, most, sizeof sizes);
    memset(sizes, MH_BDI_BLOCK, large);
    return mh_lcp_pack(sizes);
}

/* Bytes: 64 times the room, 64 of metadata, 64 per exception. */
TEST(test_classes)
{
    static const struct {
        uint8_t most;
        uint32_t large, bytes, places;
    } cases[] = {
        {1, 0, 512, 6},    {1, 6, 512, 6},    {1, 7, 1024, 14},  {1, 14, 1024, 14}, {1, 15, 2048, 30},
        {1, 30, 2048, 30}, {1, 31, 4096, 0},  {8, 0, 1024, 7},   {8, 7, 1024, 7},   {8, 8, 2048, 23},
        {16, 0, 2048, 15}, {16, 16, 4096, 0}, {20, 0, 2048, 11}, {20, 12, 4096, 0}, {24, 7, 2048, 7},
        {24, 8, 4096, 0},  {34, 0, 4096, 0},  {40, 0, 4096, 0},  {64, 0, 4096, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mh_lcp_page p = page_of(cases[i].most, cases[i].large);

        assert_int_equal(mh_lcp_bytes(&p), cases[i].bytes);
        assert_int_equal(mh_lcp_places(&p), cases[i].places);
        assert_int_equal(mh_lcp_compressed(&p), cases[i].bytes < MH_LCP_PAGE);
        if (mh_lcp_compressed(&p))
            assert_int_equal(p.exceptions, cases[i].large ? ((uint64_t)1 << cases[i].large) - 1 : 0);
    }
}

/* The room is the one that makes the page smallest: 40 of 8 and 24 of 20 bytes are 1344 at 20, 2112 at 8. */
TEST(test_best_room)
{
    uint8_t sizes[MH_LCP_BLOCKS];

    memset(sizes, 8, sizeof sizes);
    memset(sizes, 20, 24);
    struct mh_lcp_page p = mh_lcp_pack(sizes);

    assert_int_equal(p.room, 20);
    assert_int_equal(p.exceptions, 0);
    memset(sizes + 4, 8, 20);
    p = mh_lcp_pack(sizes); /* 832 at 8 with four exceptions */
    assert_int_equal(p.room, 8);
    assert_int_equal(p.exceptions, 15);
    assert_int_equal(mh_lcp_bytes(&p), 1024);
}

TEST(test_writes)
{
    struct mh_lcp_page p = page_of(8, 6), before;

    assert_int_equal(mh_lcp_places(&p), 7);
    assert_true(mh_lcp_write(&p, 0, 40)); /* an exception stays one */
    assert_true(mh_lcp_write(&p, 63, 16));
    assert_int_equal(p.exceptions, (uint64_t)1 << 63 | 63);
    before = p;
    assert_false(mh_lcp_write(&p, 62, 64)); /* the eighth */
    assert_memory_equal(&p, &before, sizeof p);
    assert_true(mh_lcp_write(&p, 2, 1)); /* fits again: a place is free */
    assert_true(mh_lcp_write(&p, 62, 64));
    assert_int_equal(p.exceptions, (uint64_t)3 << 62 | 59);
}

/* A page that is not compressed takes everything. */
TEST(test_whole)
{
    struct mh_lcp_page p = mh_lcp_whole();

    for (uint32_t b = 0; b < MH_LCP_BLOCKS; b++)
        assert_true(mh_lcp_write(&p, b, MH_BDI_BLOCK));
    assert_int_equal(p.exceptions, 0);
    assert_int_equal(mh_lcp_bytes(&p), 4096);
}
