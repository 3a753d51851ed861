/* Where buffers lie in a recording: as an allocator on a GPU places them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "record/places.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

#define FOUR_GIB ((uint64_t)4 << 30)

static void add(struct record_places *p, uint64_t context, uint64_t device, uint64_t bytes, uint64_t want)
{
    struct mh_error err;

    assert_int_equal(record_places_add(p, context, device, bytes, &err), 0);
    assert_int_equal(p->place[p->count - 1].base, want);
    assert_int_equal(p->place[p->count - 1].bytes, bytes);
}

/* The buffers of Rodinia's backprop, whose places a published trace lists. */
static void test_large_and_small(void **state)
{
    struct record_places p = {0};

    (void)state;
    add(&p, 1, 1 << 20, 4194308, 0x100000000);
    add(&p, 1, 2 << 20, 71303236, 0x100600000);
    add(&p, 1, 3 << 20, 68, 0x104c00000);
    add(&p, 1, 4 << 20, 4194304, 0x104e00000);
    add(&p, 1, 5 << 20, 68, 0x104c00200);
    add(&p, 1, 6 << 20, 71303236, 0x105200000);
    record_places_free(&p);
}

static void test_slab_is_full(void **state)
{
    struct record_places p = {0};

    (void)state;
    add(&p, 1, 0, MIB - 1, FOUR_GIB);
    add(&p, 1, 1 << 24, MIB - 1, FOUR_GIB + MIB);
    add(&p, 1, 2 << 24, 1, FOUR_GIB + 2 * MIB);
    add(&p, 1, 3 << 24, MIB, FOUR_GIB + 4 * MIB);
    record_places_free(&p);
}

static void test_places_are_not_used_again(void **state)
{
    struct record_places p = {0};

    (void)state;
    add(&p, 1, 0, KIB, FOUR_GIB);
    record_places_remove(&p, 2, 0);
    assert_int_equal(p.count, 1);
    record_places_remove(&p, 1, 0);
    assert_int_equal(p.count, 0);
    add(&p, 1, 0, KIB, FOUR_GIB + KIB);
    record_places_free(&p);
}

static void test_find(void **state)
{
    struct record_places p = {0};
    uint64_t at;

    (void)state;
    add(&p, 1, 0x1000, 100, FOUR_GIB);
    add(&p, 2, 0x1000, 100, FOUR_GIB + 512);
    assert_true(record_places_find(&p, 1, 0x1000 + 96, 4, &at));
    assert_int_equal(at, FOUR_GIB + 96);
    assert_true(record_places_find(&p, 2, 0x1000, 4, &at));
    assert_int_equal(at, FOUR_GIB + 512);
    assert_false(record_places_find(&p, 1, 0x1000 + 97, 4, &at));
    assert_false(record_places_find(&p, 1, 0x1000 - 4, 4, &at));
    assert_false(record_places_find(&p, 3, 0x1000, 4, &at));
    record_places_free(&p);
}

static void test_no_room(void **state)
{
    struct record_places p = {0};
    struct mh_error err;

    (void)state;
    assert_int_equal(record_places_add(&p, 1, 0, (uint64_t)1 << 39, &err), -1);
    assert_non_null(strstr(err.text, "2^39"));
    record_places_free(&p);
}

int test_record_places(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_large_and_small), cmocka_unit_test(test_slab_is_full),
                                       cmocka_unit_test(test_places_are_not_used_again), cmocka_unit_test(test_find),
                                       cmocka_unit_test(test_no_room)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
