/* Warp schedulers: the order in which ready warps issue, by hand; positions against ages at random. */
#include "unit/test.h"
#include "script.h"
#include "workload/gen.h"

static struct mh_sm sm_with(enum mh_scheduler scheduler, uint32_t group)
{
    return (struct mh_sm){.scheduler = scheduler, .group = (uint8_t)group, .ports = 1, .port[0].last = MH_NONE};
}

/* Lets the warps of `ready` issue `count` times; each choice must be the next number. */
static void expect(struct mh_sm *sm, uint64_t ready, const uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        sm->port[0].last = mh_sm_choose(sm, &sm->port[0], ready);
        assert_int_equal(sm->port[0].last, order[i]);
    }
}

TEST(test_gto)
{
    struct mh_sm sm = sm_with(MH_GTO, 8);
    expect(&sm, 1 << 3 | 1 << 2 | 1 << 7, (uint32_t[]){2, 2, 2}, 3);
    expect(&sm, 1 << 3 | 1 << 7, (uint32_t[]){3, 3}, 2); /* 2 stalls: the oldest of the others, and that one stays */
    expect(&sm, 1 << 3 | 1 << 2 | 1 << 1, (uint32_t[]){3}, 1);
    expect(&sm, 1ull << 63 | 1 << 1, (uint32_t[]){1}, 1);
    expect(&sm, 1ull << 63, (uint32_t[]){63, 63}, 2);
}

enum { SLOTS = 48, PORTS = 2 };

/* An SM whose warps come and go at random, and what is known of each: its age, and that it is stopped, can issue .. */
struct crowd {
    struct mh_sm sm;
    struct mh_warp warp[SLOTS];
    uint64_t age[SLOTS], dispatched;
    uint64_t can_issue, memory, stopped; /* slots */
    uint32_t last;                       /* slot; of port 0 */
    uint64_t dice;
};

static uint32_t roll(struct crowd *c, uint32_t sides)
{
    return (uint32_t)(mh_random(7, c->dice++) % sides);
}

static void come(struct crowd *c, uint32_t slot)
{
    mh_sm_enter(&c->sm, slot);
    uint64_t at = 1ull << c->warp[slot].position;
    c->age[slot] = c->dispatched++;
    if (roll(c, 2))
        c->can_issue |= 1ull << slot, c->sm.can_issue |= at;
    if (roll(c, 2))
        c->memory |= 1ull << slot, c->sm.memory |= at;
    if (!roll(c, 4))
        c->stopped |= 1ull << slot, c->sm.allowed &= ~at;
    else
        c->sm.allowed |= at;
}

static void go(struct crowd *c, uint32_t slot)
{
    if (c->last == slot)
        c->last = c->sm.port[0].last = MH_NONE;
    mh_sm_leave(&c->sm, slot);
    c->can_issue &= ~(1ull << slot);
    c->memory &= ~(1ull << slot);
    c->stopped &= ~(1ull << slot);
}

/* Of slots, the one that GTO chooses: the last one, or the oldest. */
static uint32_t oldest_of(const struct crowd *c, uint64_t slots)
{
    uint32_t best = c->last;
    for (uint32_t s = 0; s < SLOTS && !(c->last != MH_NONE && slots >> c->last & 1); s++)
        if (slots >> s & 1 && (best == c->last || c->age[s] < c->age[best]))
            best = s;
    return best;
}

static void check_crowd(struct crowd *c, uint64_t resident)
{
    const struct mh_sm *sm = &c->sm;
    uint64_t odd = 0xaaaaaaaaaaaaaaaa,
             slots = c->can_issue & ~odd & ((uint64_t)roll(c, 1 << 24) << 24 | roll(c, 1 << 24));

    assert_int_equal(sm->standing, mh_sm_positions(sm, resident));
    assert_int_equal(sm->can_issue, mh_sm_positions(sm, c->can_issue));
    assert_int_equal(sm->memory & sm->standing, mh_sm_positions(sm, c->memory));
    assert_int_equal(~sm->allowed & sm->standing, mh_sm_positions(sm, c->stopped));
    assert_int_equal(sm->port[0].warps, mh_sm_positions(sm, resident & ~odd));
    assert_int_equal(sm->port[1].warps, mh_sm_positions(sm, resident & odd));
    if (!slots)
        return;
    c->sm.port[0].last = mh_sm_choose(sm, &sm->port[0], mh_sm_positions(sm, slots));
    assert_int_equal(sm->slot_at[sm->port[0].last], oldest_of(c, slots));
    c->last = oldest_of(c, slots);
    mh_sm_turn(&c->sm, 0, 0, sm->port[0].last);
}

/*
 * Warps come and go, each in any slot: masks follow them, and the choice is the oldest by a count of dispatches. Of one
 * tenant lrr-gto chooses as gto does.
 */
static void follow_age(enum mh_scheduler scheduler)
{
    struct crowd *c = mh_aligned_zeros(sizeof *c);
    assert_non_null(c);
    uint64_t resident = 0;
    c->sm = (struct mh_sm){.scheduler = (uint8_t)scheduler, .ports = PORTS, .warp = c->warp, .allowed = ~0ull};
    memset(c->sm.turns, MH_NOBODY, sizeof c->sm.turns);
    c->last = c->sm.port[0].last = c->sm.port[1].last = MH_NONE;
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t slot = roll(c, SLOTS);
        if (resident >> slot & 1)
            go(c, slot);
        else
            come(c, slot);
        resident ^= 1ull << slot;
        check_crowd(c, resident);
    }
    free(c);
}

TEST(test_positions_follow_age)
{
    follow_age(MH_GTO);
    follow_age(MH_LRR_GTO);
}

/* The other schedulers go by slots. */
TEST(test_positions_are_slots)
{
    struct mh_warp warp[SLOTS];
    memset(warp, 0, sizeof warp);
    struct mh_sm sm = {.scheduler = MH_LRR, .ports = PORTS, .warp = warp};
    for (uint32_t i = 0; i < 3 * SLOTS; i++) {
        uint32_t slot = i * 29 % SLOTS;
        mh_sm_enter(&sm, slot);
        assert_int_equal(warp[slot].position, slot);
        assert_int_equal(sm.slot_at[slot], slot);
        mh_sm_leave(&sm, slot);
        assert_int_equal(sm.standing, 0);
    }
}

TEST(test_lrr)
{
    struct mh_sm sm = sm_with(MH_LRR, 8);
    uint64_t ready = 1ull << 0 | 1ull << 5 | 1ull << 40 | 1ull << 63;
    expect(&sm, ready, (uint32_t[]){0, 5, 40, 63, 0, 5}, 6);
    expect(&sm, ready & ~(1ull << 40), (uint32_t[]){63, 0}, 2);
    expect(&sm, 1ull << 40, (uint32_t[]){40, 40}, 2);
}

/* As expect(), of three tenants: positions 0 and 2, 1 and 3, and 4. */
static void expect_turns(struct mh_sm *sm, uint64_t ready, const uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = mh_sm_choose(sm, &sm->port[0], ready);
        assert_int_equal(at, order[i]);
        mh_sm_turn(sm, 0, at == 4 ? 2 : at % 2, at);
    }
}

TEST(test_lrr_gto)
{
    struct mh_sm sm = sm_with(MH_LRR_GTO, 8);
    memset(sm.turns, MH_NOBODY, sizeof sm.turns);
    sm.turns[0].tenant = MH_MAX_TENANTS - 1;
    sm.of_tenant[0] = 5;
    sm.of_tenant[1] = 10;
    sm.of_tenant[2] = 16;
    expect_turns(&sm, 31, (uint32_t[]){0, 1, 4, 0, 1, 4}, 6); /* a turn each, the oldest of each */
    expect_turns(&sm, 30, (uint32_t[]){2, 1, 4, 2}, 4); /* 0 stalls: the next oldest of its tenant, no other's turn */
    expect_turns(&sm, 31, (uint32_t[]){1, 4, 2, 1, 4, 2}, 6); /* which stays, as greedy */
    expect_turns(&sm, 9, (uint32_t[]){3, 0, 3, 0}, 4);        /* tenant 2 has none */
    expect_turns(&sm, 10, (uint32_t[]){3, 3}, 2);             /* alone: greedy */
}

TEST(test_two_level)
{
    struct mh_sm sm = sm_with(MH_TWO_LEVEL, 4);
    uint64_t ready = 0xf0 | 1 << 1 | 1 << 9 | 1 << 10;
    expect(&sm, ready, (uint32_t[]){1, 1, 1}, 3);                      /* alone in its group */
    expect(&sm, ready & ~2ull, (uint32_t[]){4, 5, 6, 7, 4, 5}, 6);     /* it stalls: the next group */
    expect(&sm, 1 << 1 | 1 << 9 | 1 << 10, (uint32_t[]){9, 10, 9}, 3); /* that group stalls */
    expect(&sm, 1 << 1 | 1 << 2, (uint32_t[]){1, 2, 1}, 3);            /* around the end */
    sm = sm_with(MH_TWO_LEVEL, 64);
    expect(&sm, 1ull << 63 | 1, (uint32_t[]){0, 63, 0}, 3); /* one group of all */
}

/* Scheduler 1 of 4 has slots 1, 5, 9 ..; a group of two of them is eight slots of the SM. */
TEST(test_groups_of_one_scheduler)
{
    struct mh_sm sm = sm_with(MH_TWO_LEVEL, 2);
    sm.ports = 4;
    uint64_t ready = 1ull << 1 | 1ull << 5 | 1ull << 9 | 1ull << 13 | 1ull << 61;
    expect(&sm, ready, (uint32_t[]){1, 5, 1}, 3);
    expect(&sm, ready & ~(1ull << 1 | 1ull << 5), (uint32_t[]){9, 13, 9}, 3);
    expect(&sm, 1ull << 61 | 1ull << 1, (uint32_t[]){61, 61}, 2);
    expect(&sm, 1ull << 5, (uint32_t[]){5}, 1);
}
