/* Accesses of work items as bytes, and the warp that they are. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "record/warp.h"

enum { LANES = 4 };

static struct bytes lane[LANES];
static struct record_access last[LANES];

static int clear(void **state)
{
    (void)state;
    for (int l = 0; l < LANES; l++)
        bytes_free(&lane[l]);
    memset(last, 0, sizeof last);
    return 0;
}

/* Lane l loads 4 bytes at `address`, at the place with these words. */
static void load(int l, uint64_t gap, uint64_t address, unsigned words, const uint32_t *key)
{
    struct record_access a = {.words = words, .bytes = 4, .gap = gap, .address = address};

    memcpy(a.key, key, words * sizeof *key);
    record_access_put(&lane[l], &last[l], &a);
}

#define LOAD(l, gap, address, ...)                                                                                     \
    load(l, gap, address, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (const uint32_t[]){__VA_ARGS__})

static struct record_warp warp;
static struct record_op op;

static void expect(uint32_t pc, uint64_t mask, uint64_t gap)
{
    assert_true(record_warp_next(&warp, &op));
    assert_int_equal(op.pc, pc);
    assert_int_equal(op.mask, mask);
    assert_int_equal(op.gap, gap);
}

static void expect_end(void)
{
    assert_false(record_warp_next(&warp, &op));
    assert_false(warp.bad);
}

static void test_round_trip(void **state)
{
    struct record_access a = {.key = {7, 3, 9, 2},
                              .words = 4,
                              .piece = true,
                              .kind = RECORD_STORE,
                              .bytes = 12,
                              .gap = 1000000,
                              .address = UINT64_MAX - 5};
    struct record_access b = {.key = {7, 4, 9}, .words = 3, .kind = RECORD_BARRIER, .gap = 0}, read = {0};
    struct bytes_in in;

    (void)state;
    record_access_put(&lane[0], &last[0], &a);
    record_access_put(&lane[0], &last[0], &b);
    in = (struct bytes_in){lane[0].at, lane[0].at + lane[0].size, false};
    assert_true(record_access_get(&in, &read));
    assert_memory_equal(read.key, a.key, 16);
    assert_int_equal(read.words, 4);
    assert_true(read.piece);
    assert_int_equal(record_access_pc(&read), 9);
    assert_int_equal(read.kind, RECORD_STORE);
    assert_int_equal(read.bytes, 12);
    assert_int_equal(read.gap, 1000000);
    assert_int_equal(read.address, UINT64_MAX - 5);
    assert_true(record_access_get(&in, &read));
    assert_int_equal(read.words, 3);
    assert_int_equal(record_access_pc(&read), 9);
    assert_int_equal(read.kind, RECORD_BARRIER);
    assert_int_equal(read.address, 0);
    assert_false(record_access_get(&in, &read));
    assert_false(in.bad);
}

/* Bytes that end inside of an access. */
static void test_cut_off(void **state)
{
    (void)state;
    LOAD(0, 1, 0x1000, 5, 1, 6);
    for (size_t size = 1; size < lane[0].size; size++) {
        struct bytes_in in = {lane[0].at, lane[0].at + size, false};
        struct record_access a = {0};

        assert_false(record_access_get(&in, &a));
        assert_true(in.bad);
    }
}

static void test_together(void **state)
{
    (void)state;
    for (int l = 0; l < LANES; l++)
        LOAD(l, 3 + (uint64_t)l, 0x1000 + 4 * (uint64_t)l, 8);
    record_warp_start(&warp, lane, LANES);
    expect(8, 0xf, 3);
    for (unsigned l = 0; l < LANES; l++)
        assert_int_equal(op.address[l], 0x1000 + 4 * l);
    expect_end();
}

/* if (even) 5; else 7; then 9: the paths one after the other, then all again. Lane 3 has ended before. */
static void test_branch(void **state)
{
    (void)state;
    for (int l = 0; l < 3; l++) {
        LOAD(l, 2, 0x1000, l % 2 ? 7 : 5);
        LOAD(l, l % 2 ? 1 : 4, 0x2000, 9);
    }
    record_warp_start(&warp, lane, LANES);
    expect(5, 0x5, 2);
    expect(7, 0x2, 2);
    expect(9, 0x7, 1);
    expect_end();
}

/* A loop whose header is 10: lane l goes around l times, the iterations meet, and what follows, 8, waits for all. It
 * has a smaller number than the loop's body, 12, as in reverse post-order it may. */
static void test_loop(void **state)
{
    (void)state;
    for (uint32_t l = 0; l < 3; l++) {
        for (uint32_t i = 0; i < l; i++)
            LOAD((int)l, 1, 0x1000, 6, i, 12);
        LOAD((int)l, 1, 0x2000, 8);
    }
    record_warp_start(&warp, lane, 3);
    expect(12, 0x6, 1);
    expect(12, 0x4, 1);
    expect(8, 0x7, 1);
    expect_end();
}

/* Two calls of one function, at 5 and at 9: what they access is apart. */
static void test_calls(void **state)
{
    (void)state;
    LOAD(0, 1, 0x1000, 5, 20);
    LOAD(0, 1, 0x1000, 9, 20);
    LOAD(1, 1, 0x1000, 9, 20);
    record_warp_start(&warp, lane, 2);
    expect(20, 1, 1);
    expect(20, 3, 1);
    expect_end();
}

/* One place, two kinds of access: no program does that. */
static void test_contradiction(void **state)
{
    struct record_access store = {.key = {5}, .words = 1, .kind = RECORD_STORE, .bytes = 4};

    (void)state;
    LOAD(0, 1, 0x1000, 5);
    record_access_put(&lane[1], &last[1], &store);
    record_warp_start(&warp, lane, 2);
    assert_false(record_warp_next(&warp, &op));
    assert_true(warp.bad);
}

int test_record_warp(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, NULL, clear)
    const struct CMUnitTest tests[] = {TEST(test_round_trip),   TEST(test_cut_off), TEST(test_together),
                                       TEST(test_branch),       TEST(test_loop),    TEST(test_calls),
                                       TEST(test_contradiction)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
