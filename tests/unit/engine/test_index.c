/* The small parts of the engine: map, ring, clock ratio, each against the obvious way to do it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/clock.h"
#include "engine/index.h"
#include "engine/ring.h"
#include "random.h"

enum { KEYS = 600 };

/* Keys that the hash spreads, and keys that it does not. */
static uint32_t key_of(uint32_t i, uint32_t kind)
{
    switch (kind) {
    case 0:
        return i;
    case 1:
        return i << 24 | i; /* high bits */
    default:
        return i * 0x0e8b2f51u; /* inverse of the hash's factor: all of one home */
    }
}

static void random_operations(uint32_t capacity, uint32_t kind, uint64_t rng)
{
    struct mh_index x;
    int want[KEYS];
    uint32_t used = 0;
    assert_int_equal(mh_index_init(&x, capacity), 0);
    memset(want, 0xff, sizeof want);
    for (uint32_t n = 0; n < 20000; n++) {
        uint32_t i = random_next(&rng) % KEYS, probe = random_next(&rng) % KEYS;
        if (want[i] >= 0 && n % 4 == 0) {
            want[i] = (int)(random_next(&rng) & 0xffff);
            mh_index_set(&x, key_of(i, kind), (uint32_t)want[i]);
        } else if (want[i] >= 0) {
            mh_index_del(&x, key_of(i, kind));
            want[i] = -1;
            used--;
        } else if (used < capacity) {
            want[i] = (int)(random_next(&rng) & 0xffff);
            mh_index_put(&x, key_of(i, kind), (uint32_t)want[i]);
            used++;
        }
        assert_int_equal(mh_index_find(&x, key_of(probe, kind)), want[probe]);
        assert_int_equal(mh_index_find(&x, key_of(i, kind)), want[i]);
    }
    for (uint32_t i = 0; i < KEYS; i++)
        assert_int_equal(mh_index_find(&x, key_of(i, kind)), want[i]);
    mh_index_free(&x);
}

static void test_index_against_array(void **state)
{
    (void)state;
    static const uint32_t capacities[] = {0, 1, 3, 4, 5, 64, 500};
    for (uint32_t kind = 0; kind < 3; kind++)
        for (uint32_t i = 0; i < sizeof capacities / sizeof *capacities; i++)
            random_operations(capacities[i], kind, 7 * i + kind);
}

/* Deleting the first of a run of colliding keys must keep the others reachable, over the end of the table as well. */
static void test_index_wraps(void **state)
{
    (void)state;
    struct mh_index x;
    assert_int_equal(mh_index_init(&x, 4), 0); /* 8 slots */
    uint32_t last[4], n = 0;
    for (uint32_t key = 1; n < 4; key++)
        if (mh_index_home(&x, key) == 7)
            last[n++] = key;
    for (uint32_t i = 0; i < 4; i++)
        mh_index_put(&x, last[i], i); /* slots 7, 0, 1, 2 */
    for (uint32_t i = 0; i < 4; i++) {
        mh_index_del(&x, last[i]);
        assert_int_equal(mh_index_find(&x, last[i]), -1);
        for (uint32_t k = i + 1; k < 4; k++)
            assert_int_equal(mh_index_find(&x, last[k]), k);
    }
    mh_index_free(&x);
}

static void ring_of(uint32_t capacity, uint64_t rng)
{
    struct mh_ring r;
    uint32_t in = 0, out = 0;
    assert_int_equal(mh_ring_init(&r, capacity), 0);
    for (uint32_t n = 0; n < 5000; n++) {
        assert_int_equal(r.count, in - out);
        assert_int_equal(mh_ring_full(&r), in - out == capacity);
        if (in - out < capacity && random_next(&rng) % 2)
            mh_ring_push(&r, in++);
        else if (in != out) {
            assert_int_equal(mh_ring_peek(&r), out);
            assert_int_equal(mh_ring_pop(&r), out++);
        }
    }
    mh_ring_free(&r);
}

static void test_ring(void **state)
{
    (void)state;
    for (uint32_t capacity = 1; capacity <= 20; capacity++)
        ring_of(capacity, capacity);
}

/* GPU 1020 MHz, DRAM 1674 MHz: 279 DRAM cycles in 170 GPU cycles. */
static void test_ratio_by_hand(void **state)
{
    (void)state;
    struct mh_ratio up = mh_ratio(1674000000, 1020000000), down = mh_ratio(1020000000, 1674000000);
    assert_int_equal(up.num, 279);
    assert_int_equal(up.den, 170);
    assert_int_equal(mh_ratio_floor(&up, 0), 0);
    assert_int_equal(mh_ratio_floor(&up, 1), 1); /* 1.64 */
    assert_int_equal(mh_ratio_ceil(&up, 1), 2);
    assert_int_equal(mh_ratio_floor(&up, 170), 279);
    assert_int_equal(mh_ratio_ceil(&up, 170), 279);
    assert_int_equal(mh_ratio_ceil(&down, 48), 30); /* 29.2 */
    assert_int_equal(mh_ratio_floor(&down, 48), 29);
    struct mh_ratio same = mh_ratio(5, 5);
    assert_int_equal(mh_ratio_floor(&same, 12345), 12345);
}

/* floor(c) is the last cycle that has started, whatever the size of c; there and back loses less than a cycle. */
static void test_ratio_large(void **state)
{
    (void)state;
    uint64_t rng = 3;
    for (uint32_t n = 0; n < 20000; n++) {
        uint64_t to = 1 + random_next(&rng) % 10000000000, from = 1 + random_next(&rng) % 10000000000;
        struct mh_ratio r = mh_ratio(to, from), back = mh_ratio(from, to);
        uint64_t c = random_next(&rng) >> (24 + random_next(&rng) % 38), f = mh_ratio_floor(&r, c);
        assert_true((mh_u128)f * from <= (mh_u128)c * to);
        assert_true((mh_u128)(f + 1) * from > (mh_u128)c * to);
        uint64_t up = mh_ratio_ceil(&r, c);
        assert_true(up == f + ((mh_u128)f * from != (mh_u128)c * to));
        assert_true(mh_ratio_ceil(&back, f) <= c);
        assert_true(mh_ratio_floor(&back, up) >= c);
    }
}

int test_index(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_against_array), cmocka_unit_test(test_index_wraps), cmocka_unit_test(test_ring),
        cmocka_unit_test(test_ratio_by_hand),       cmocka_unit_test(test_ratio_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
