/* The event wheel against a list that is sorted by (cycle, order of scheduling), and its limits by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/wheel.h"
#include "random.h"

struct expected {
    uint64_t cycle;
    uint32_t event;
};

/* The reference: a sorted list, next event first. */
struct list {
    struct expected *e;
    uint32_t head, count, capacity;
};

static void list_add(struct list *l, uint64_t cycle, uint32_t event)
{
    if (l->count == l->capacity) {
        l->capacity = l->capacity ? 2 * l->capacity : 64;
        l->e = realloc(l->e, l->capacity * sizeof *l->e);
        assert_non_null(l->e);
    }
    uint32_t i = l->count++;
    for (; i > l->head && l->e[i - 1].cycle > cycle; i--)
        l->e[i] = l->e[i - 1];
    l->e[i] = (struct expected){cycle, event};
}

struct pair {
    struct mh_wheel wheel;
    struct list list;
    uint32_t next; /* event number */
    uint64_t rng;
};

static void add(struct pair *p, uint64_t delay)
{
    uint64_t cycle = p->wheel.now + delay;
    list_add(&p->list, cycle, p->next);
    mh_wheel_add(&p->wheel, cycle, p->next++);
}

static uint64_t random_delay(uint64_t *rng)
{
    switch (random_next(rng) % 8) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return MH_WHEEL_SLOTS - 3 + random_next(rng) % 6; /* around the horizon */
    case 3:
        return random_next(rng) % 50000;
    case 4:
        return 7 + random_next(rng) % 3; /* around the counts that are read at once */
    default:
        return random_next(rng) % 300;
    }
}

/* Now and then a burst to one cycle, more than a bucket holds. */
static void schedule_some(struct pair *p, uint32_t limit)
{
    uint32_t burst = random_next(&p->rng) % 64 ? 1 : 20 + random_next(&p->rng) % 80;
    uint64_t delay = random_delay(&p->rng);
    for (uint32_t i = 0; i < burst && p->next < limit; i++)
        add(p, delay);
    if (p->next < limit && random_next(&p->rng) % 3 == 0)
        add(p, random_delay(&p->rng));
}

static void run_bucket(struct pair *p, uint32_t limit)
{
    const uint32_t slot = mh_wheel_slot(&p->wheel);

    for (uint32_t i = 0; i < mh_wheel_count(&p->wheel, slot); i++) {
        assert_true(p->list.head < p->list.count);
        const struct expected *want = &p->list.e[p->list.head++];
        assert_int_equal(p->wheel.now, want->cycle);
        assert_int_equal(mh_wheel_event(&p->wheel, slot, i), want->event);
        schedule_some(p, limit);
    }
    mh_wheel_done(&p->wheel);
}

/* The wheel is asked for short stretches as well as long ones: where it stops must not matter. */
static void compare(uint64_t seed, uint64_t stretch, uint32_t events)
{
    struct pair p = {.rng = seed};
    assert_int_equal(mh_wheel_init(&p.wheel), 0);
    for (uint32_t i = 0; i < 40; i++)
        add(&p, random_delay(&p.rng));
    while (p.list.head < p.list.count) {
        uint64_t limit = p.wheel.now + 1 + random_next(&p.rng) % stretch;
        while (mh_wheel_next(&p.wheel, limit)) {
            assert_true(p.wheel.now <= limit);
            run_bucket(&p, events);
        }
        assert_int_equal(p.wheel.now, limit);
        assert_true(p.list.head == p.list.count || p.list.e[p.list.head].cycle > limit);
    }
    assert_int_equal(p.next, events);
    assert_int_equal(p.wheel.executed, events);
    mh_wheel_free(&p.wheel);
    free(p.list.e);
}

static void test_random_against_list(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        compare(seed, 3, 8000);
        compare(seed, 200, 8000);
        compare(seed, 100000, 8000);
    }
}

/* The next bucket's events, as text. */
static const char *bucket(struct mh_wheel *w)
{
    static char text[256];
    text[0] = '\0';
    const uint32_t slot = mh_wheel_slot(w);

    for (uint32_t i = 0; i < mh_wheel_count(w, slot); i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%u ", mh_wheel_event(w, slot, i));
    mh_wheel_done(w);
    return text;
}

/* Cycle FAR is beyond the horizon for the first two, within it for the third. */
enum { SOON = 500, FAR = SOON + MH_WHEEL_SLOTS - 1 };

static void test_far_events_keep_their_turn(void **state)
{
    (void)state;
    struct mh_wheel w;
    assert_int_equal(mh_wheel_init(&w), 0);
    mh_wheel_add(&w, FAR, 1);
    mh_wheel_add(&w, FAR, 2);
    mh_wheel_add(&w, SOON, 3);
    assert_int_equal(w.far_count, 2);
    assert_true(mh_wheel_next(&w, SOON));
    assert_int_equal(w.far_count, 0);
    mh_wheel_add(&w, FAR, 4);
    assert_string_equal(bucket(&w), "3 ");
    mh_wheel_add(&w, FAR, 5);
    assert_true(mh_wheel_next(&w, 3 * FAR));
    assert_int_equal(w.now, FAR);
    assert_string_equal(bucket(&w), "1 2 4 5 ");
    mh_wheel_free(&w);
}

static void test_horizon(void **state)
{
    (void)state;
    struct mh_wheel w;
    assert_int_equal(mh_wheel_init(&w), 0);
    mh_wheel_add(&w, MH_WHEEL_SLOTS - 1, 1); /* the last cycle of the wheel */
    mh_wheel_add(&w, MH_WHEEL_SLOTS, 2);     /* would share a slot with cycle 0 */
    mh_wheel_add(&w, 0, 3);
    assert_int_equal(w.far_count, 1);
    assert_true(mh_wheel_next(&w, 0));
    assert_string_equal(bucket(&w), "3 ");
    assert_false(mh_wheel_next(&w, MH_WHEEL_SLOTS - 2));
    assert_int_equal(w.now, MH_WHEEL_SLOTS - 2);
    assert_true(mh_wheel_next(&w, MH_WHEEL_SLOTS));
    assert_int_equal(w.now, MH_WHEEL_SLOTS - 1);
    assert_string_equal(bucket(&w), "1 ");
    assert_true(mh_wheel_next(&w, MH_WHEEL_SLOTS));
    assert_string_equal(bucket(&w), "2 ");
    mh_wheel_free(&w);
}

static void test_limit(void **state)
{
    (void)state;
    struct mh_wheel w;
    assert_int_equal(mh_wheel_init(&w), 0);
    assert_false(mh_wheel_next(&w, 77)); /* empty: goes to the limit */
    assert_int_equal(w.now, 77);
    mh_wheel_add(&w, 77, 1); /* in the current cycle, from outside an event */
    mh_wheel_add(&w, 78, 2);
    assert_true(mh_wheel_next(&w, 77));
    assert_int_equal(w.now, 77);
    assert_string_equal(bucket(&w), "1 ");
    assert_false(mh_wheel_next(&w, 77));
    assert_true(mh_wheel_next(&w, 78)); /* an event at the limit runs */
    assert_string_equal(bucket(&w), "2 ");
    assert_false(mh_wheel_next(&w, 1ull << 40));
    mh_wheel_add(&w, (1ull << 41) + 5, 3);
    assert_true(mh_wheel_next(&w, 1ull << 42));
    assert_int_equal(w.now, (1ull << 41) + 5);
    assert_int_equal(w.executed, 2);
    mh_wheel_free(&w);
}

/* 1000 events at the current cycle, each scheduled by the one before. */
static void test_current_cycle(void **state)
{
    (void)state;
    struct mh_wheel w;
    uint32_t ran = 0;
    assert_int_equal(mh_wheel_init(&w), 0);
    mh_wheel_add(&w, 9, 0);
    assert_true(mh_wheel_next(&w, 9));
    const uint32_t slot = mh_wheel_slot(&w);

    for (; ran < mh_wheel_count(&w, slot); ran++) {
        assert_int_equal(mh_wheel_event(&w, slot, ran), ran);
        if (ran < 999)
            mh_wheel_add(&w, 9, ran + 1);
    }
    mh_wheel_done(&w);
    assert_int_equal(ran, 1000);
    assert_int_equal(w.now, 9);
    assert_false(mh_wheel_next(&w, 9 + MH_WHEEL_SLOTS)); /* the slot is empty when its turn comes again */
    mh_wheel_free(&w);
}

/* An event that schedules itself in its cycle: the wheel gives up when the spill would outgrow what there can be. */
static void test_cycle_without_end(void **state)
{
    (void)state;
    struct mh_wheel w;
    uint32_t ran = 0;
    assert_int_equal(mh_wheel_init(&w), 0);
    w.most = 100; /* spills hold 32, 64, 128 */
    mh_wheel_add(&w, 9, 7);
    assert_true(mh_wheel_next(&w, 9));
    const uint32_t slot = mh_wheel_slot(&w);

    for (; ran < mh_wheel_count(&w, slot); ran++) {
        assert_false(w.overrun);
        mh_wheel_add(&w, 9, mh_wheel_event(&w, slot, ran));
    }
    assert_int_equal(ran, MH_BUCKET_EVENTS + 128);
    assert_true(w.overrun);
    assert_int_equal(w.dropped, 7);
    mh_wheel_free(&w);
}

int test_wheel(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_against_list),
        cmocka_unit_test(test_far_events_keep_their_turn),
        cmocka_unit_test(test_horizon),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_current_cycle),
        cmocka_unit_test(test_cycle_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
