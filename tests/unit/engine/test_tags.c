/* Set-associative tags against time stamps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/tags.h"
#include "random.h"

enum { MOST_WAYS = 16, SETS = 4 };

/* The reference: ways stay where they are, the oldest stamp goes first. */
struct way {
    uint32_t line, state;
    uint64_t used;
};

struct reference {
    struct way way[SETS][MOST_WAYS];
    uint32_t ways;
    uint64_t clock;
};

static struct way *ref_find(struct reference *r, uint32_t set, uint32_t line)
{
    for (uint32_t w = 0; w < r->ways; w++)
        if (r->way[set][w].line == line && r->way[set][w].state & (MH_TAG_VALID | MH_TAG_PENDING))
            return &r->way[set][w];
    return NULL;
}

static struct way *ref_victim(struct reference *r, uint32_t set)
{
    struct way *oldest = NULL;
    for (uint32_t w = 0; w < r->ways; w++) {
        struct way *x = &r->way[set][w];
        if (!(x->state & MH_TAG_PENDING) && (!oldest || x->used < oldest->used))
            oldest = x;
    }
    return oldest;
}

static void use(struct reference *r, struct way *w, uint32_t line, uint32_t state)
{
    *w = (struct way){line, state, ++r->clock};
}

/* A line is looked up; a hit is touched, sometimes dirtied; a miss replaces the victim, pending or valid. */
static void step(struct mh_tags *t, struct reference *r, uint64_t *rng)
{
    static const uint32_t states[] = {MH_TAG_VALID, MH_TAG_VALID | MH_TAG_DIRTY, MH_TAG_PENDING};
    uint32_t line = random_next(rng) % 200, s = line % SETS, *set = mh_tags_set(t, s);
    uint32_t state = states[random_next(rng) % 3];
    int way = mh_tags_find(t, set, line);
    struct way *want = ref_find(r, s, line);
    assert_int_equal(way >= 0, want != NULL);
    if (want) {
        assert_int_equal(set[way], want->line << MH_TAG_BITS | want->state);
    } else {
        way = mh_tags_victim(t, set);
        want = ref_victim(r, s);
        assert_int_equal(way >= 0, want != NULL);
        if (!want)
            return;
        assert_int_equal(set[way], want->line << MH_TAG_BITS | want->state);
    }
    mh_tags_front(set, (uint32_t)way, line << MH_TAG_BITS | state);
    use(r, want, line, state);
}

static void compare(uint32_t ways, uint64_t rng)
{
    struct mh_tags t;
    struct reference r = {.ways = ways};
    assert_int_equal(mh_tags_init(&t, SETS, ways), 0);
    for (uint32_t n = 0; n < 30000; n++)
        step(&t, &r, &rng);
    mh_tags_free(&t);
}

static void test_against_stamps(void **state)
{
    (void)state;
    for (uint32_t ways = 1; ways <= MOST_WAYS; ways *= 2)
        compare(ways, ways);
    compare(3, 99);
}

static void test_all_pending(void **state)
{
    (void)state;
    struct mh_tags t;
    assert_int_equal(mh_tags_init(&t, 1, 2), 0);
    uint32_t *set = mh_tags_set(&t, 0);
    mh_tags_front(set, 1, 5 << MH_TAG_BITS | MH_TAG_PENDING);
    assert_int_equal(mh_tags_victim(&t, set), 1);
    mh_tags_front(set, 1, 6 << MH_TAG_BITS | MH_TAG_PENDING);
    assert_int_equal(mh_tags_victim(&t, set), -1);
    assert_int_equal(mh_tags_find(&t, set, 5), 1); /* pending counts as found */
    mh_tags_free(&t);
}

/* Line 0 is a line like any other: an empty way must not pass for it. */
static void test_empty_is_not_line_zero(void **state)
{
    (void)state;
    struct mh_tags t;
    assert_int_equal(mh_tags_init(&t, 1, 4), 0);
    uint32_t *set = mh_tags_set(&t, 0), top = (1u << 28) - 1;
    assert_int_equal(mh_tags_find(&t, set, 0), -1);
    mh_tags_front(set, 3, MH_TAG_VALID);
    assert_int_equal(mh_tags_find(&t, set, 0), 0);
    mh_tags_front(set, 3, top << MH_TAG_BITS | MH_TAG_VALID);
    assert_int_equal(mh_tags_find(&t, set, top), 0);
    assert_int_equal(mh_tags_find(&t, set, 0), 1);
    set[0] = 0; /* dropped: an empty way before line 0's */
    assert_int_equal(mh_tags_find(&t, set, top), -1);
    assert_int_equal(mh_tags_find(&t, set, 0), 1);
    mh_tags_free(&t);
}

/* 24 sets of 6 ways: line 24 k + s is in set s, and no set reaches into the next. */
static void test_any_number_of_sets(void **state)
{
    enum { TWENTY_FOUR = 24, SIX = 6 };
    (void)state;
    struct mh_tags t;
    assert_int_equal(mh_tags_init(&t, TWENTY_FOUR, SIX), 0);
    for (uint32_t line = 0; line < TWENTY_FOUR * SIX; line++) {
        assert_ptr_equal(mh_tags_set_of(&t, line), mh_tags_set(&t, line % TWENTY_FOUR));
        mh_tags_front(mh_tags_set_of(&t, line), SIX - 1, line << MH_TAG_BITS | MH_TAG_VALID);
    }
    for (uint32_t line = 0; line < TWENTY_FOUR * SIX; line++)
        assert_int_equal(mh_tags_find(&t, mh_tags_set_of(&t, line), line), SIX - 1 - line / TWENTY_FOUR);
    mh_tags_free(&t);
}

int test_tags(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_stamps),
        cmocka_unit_test(test_all_pending),
        cmocka_unit_test(test_any_number_of_sets),
        cmocka_unit_test(test_empty_is_not_line_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
