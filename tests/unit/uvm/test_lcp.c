/* Linearly compressed pages: classes, exceptions and overflows, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "uvm/compress/lcp.h"

/* A page whose blocks take `most` bytes, but for `large` that take 64. */
static struct mh_lcp_page page_of(uint8_t most, uint32_t large)
{
    uint8_t sizes[MH_LCP_BLOCKS];

    memset(sizes, most, sizeof sizes);
    memset(sizes, MH_BDI_BLOCK, large);
    return mh_lcp_pack(sizes);
}

/* Bytes: 64 times the room, 64 of metadata, 64 per exception. */
static void test_classes(void **state)
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

    (void)state;
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
static void test_best_room(void **state)
{
    uint8_t sizes[MH_LCP_BLOCKS];

    (void)state;
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

static void test_writes(void **state)
{
    struct mh_lcp_page p = page_of(8, 6), before;

    (void)state;
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
static void test_whole(void **state)
{
    struct mh_lcp_page p = mh_lcp_whole();

    (void)state;
    for (uint32_t b = 0; b < MH_LCP_BLOCKS; b++)
        assert_true(mh_lcp_write(&p, b, MH_BDI_BLOCK));
    assert_int_equal(p.exceptions, 0);
    assert_int_equal(mh_lcp_bytes(&p), 4096);
}

int test_lcp(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_classes), cmocka_unit_test(test_best_room),
                                       cmocka_unit_test(test_writes), cmocka_unit_test(test_whole)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
