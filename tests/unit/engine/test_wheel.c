/* Event wheel, map, ring and clock ratio, each against the obvious way to do it. */
#include "unit/test.h"
#include "engine/wheel.h"
#include "random.h"
#include "engine/clock.h"
#include "engine/index.h"
#include "engine/ring.h"

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

TEST(test_random_against_list)
{
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
enum { SOON = 500, FAR = SOON + MH_WHEEL_HORIZON - 1 };

TEST(test_far_events_keep_their_turn)
{
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

TEST(test_horizon)
{
    struct mh_wheel w;
    assert_int_equal(mh_wheel_init(&w), 0);
    mh_wheel_add(&w, MH_WHEEL_HORIZON - 1, 1); /* the last that goes into the wheel */
    mh_wheel_add(&w, MH_WHEEL_HORIZON, 2);     /* an event ahead of time could share a slot */
    mh_wheel_add(&w, 0, 3);
    assert_int_equal(w.far_count, 1);
    assert_true(mh_wheel_next(&w, 0));
    assert_string_equal(bucket(&w), "3 ");
    assert_false(mh_wheel_next(&w, MH_WHEEL_HORIZON - 2));
    assert_int_equal(w.now, MH_WHEEL_HORIZON - 2);
    assert_true(mh_wheel_next(&w, MH_WHEEL_HORIZON));
    assert_int_equal(w.now, MH_WHEEL_HORIZON - 1);
    assert_string_equal(bucket(&w), "1 ");
    assert_true(mh_wheel_next(&w, MH_WHEEL_HORIZON));
    assert_string_equal(bucket(&w), "2 ");
    mh_wheel_free(&w);
}

TEST(test_limit)
{
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
TEST(test_current_cycle)
{
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
TEST(test_cycle_without_end)
{
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

TEST(test_index_against_array)
{
    static const uint32_t capacities[] = {0, 1, 3, 4, 5, 64, 500};
    for (uint32_t kind = 0; kind < 3; kind++)
        for (uint32_t i = 0; i < sizeof capacities / sizeof *capacities; i++)
            random_operations(capacities[i], kind, 7 * i + kind);
}

/* Deleting the first of a run of colliding keys must keep the others reachable, over the end of the table as well. */
TEST(test_index_wraps)
{
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

TEST(test_ring)
{
    for (uint32_t capacity = 1; capacity <= 20; capacity++)
        ring_of(capacity, capacity);
}

/* GPU 1020 MHz, DRAM 1674 MHz: 279 DRAM cycles in 170 GPU cycles. */
TEST(test_ratio_by_hand)
{
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
TEST(test_ratio_large)
{
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
