/* MASK's L2 bypass: the decision at, below and above the edge, its bound, and the glue on a fake window. */
#include "unit/test.h"

#include "fake_window.h"
#include "policy/mask/mask.h"
#include "random.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(mask_cache)
#include "image/common/image.h"

/* One epoch, depth 1 against data. */
struct edge {
    const char *name;
    struct mask_cache_rate data, walks;
    uint32_t before, expected; /* bypassed */
};

static const struct edge edges[] = {
    {"equal rates: not below", {1000, 500}, {10, 5}, 0, 0},
    {"equal rates, bypassed: it ends", {1000, 500}, {10, 5}, 1, 0},
    {"one hit less", {1000, 500}, {1000, 499}, 0, 1},
    {"one hit less, bypassed: it stays", {1000, 500}, {1000, 499}, 1, 1},
    {"one hit more", {1000, 500}, {1000, 501}, 1, 0},
    {"one data hit more", {1000, 501}, {10, 5}, 0, 1},
    {"one data hit less", {1000, 499}, {10, 5}, 1, 0},
    {"thirds are not rounded: equal", {3, 1}, {3000000, 1000000}, 1, 0},
    {"thirds are not rounded: below", {3, 1}, {3000000, 999999}, 0, 1},
    {"thirds are not rounded: above", {3, 1}, {3000000, 1000001}, 1, 0},
    {"no hits of either", {1000, 0}, {1000, 0}, 1, 0},
    {"no hits of walks", {1000, 1}, {1000, 0}, 0, 1},
    {"all hits of both", {1000, 1000}, {7, 7}, 1, 0},
    {"all hits of data alone", {1000, 1000}, {1000, 999}, 0, 1},
    {"no walks: stays off", {1000, 500}, {0, 0}, 0, 0},
    {"no walks: stays on", {1000, 500}, {0, 0}, 1, 1},
    {"no data: stays off", {0, 0}, {1000, 0}, 0, 0},
    {"no data: stays on", {0, 0}, {1000, 1000}, 1, 1},
    {"nothing: stays on", {0, 0}, {0, 0}, 1, 1},
    {"more hits than look-ups are all hits", {1000, 1000}, {10, 12}, 1, 0},
    {"32 bits: equal", {UINT32_MAX, UINT32_MAX - 1}, {UINT32_MAX, UINT32_MAX - 1}, 1, 0},
    {"32 bits: one less", {UINT32_MAX, UINT32_MAX - 1}, {UINT32_MAX, UINT32_MAX - 2}, 0, 1},
    {"32 bits: half, equal", {UINT32_MAX, UINT32_MAX / 2}, {UINT32_MAX, UINT32_MAX / 2}, 1, 0},
    {"32 bits: all against none", {UINT32_MAX, UINT32_MAX}, {UINT32_MAX, 0}, 0, 1},
};

/* The state before starts anywhere: only differences count, also over a wrap. */
TEST(decides_at_every_edge)
{
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
        for (uint32_t k = 0; k < 2; k++) {
            const struct edge *e = &edges[i];
            const uint32_t base = k == 0 ? 1000 : UINT32_MAX - 3;
            struct mask_cache_state s = {.mask = e->before};
            struct mask_cache_counters now;

            for (uint32_t d = 0; d <= MASK_CACHE_MAX_LEVELS; d++)
                s.last.depth[d] = (struct mask_cache_rate){base, base};
            now = s.last;
            now.depth[0] = (struct mask_cache_rate){base + e->data.accesses, base + e->data.hits};
            now.depth[1] = (struct mask_cache_rate){base + e->walks.accesses, base + e->walks.hits};
            if (mask_cache_decide(&s, 4, &now) != e->expected)
                fail_msg("%s: mask 0x%x", e->name, (unsigned)s.mask);
            assert_memory_equal(&s.last, &now, sizeof now);
        }
}

/* Each depth is compared with data, whatever the others do; those beyond the levels never. */
TEST(depths_are_independent)
{
    for (uint32_t levels = 1; levels <= 4; levels++)
        for (uint32_t low = 0; low < 16; low++) {
            struct mask_cache_state s = {0};
            struct mask_cache_counters now = {.depth = {{1000, 500}}};

            for (uint32_t d = 1; d <= 4; d++)
                now.depth[d] = (struct mask_cache_rate){100, low >> (d - 1) & 1 ? 49 : 50};
            assert_int_equal(mask_cache_decide(&s, levels, &now), low & ((1u << levels) - 1));
        }
}

/* On, kept through an epoch without walks, off again: each epoch by its own look-ups, not by all since the start. */
TEST(epoch_by_epoch)
{
    static const struct {
        struct mask_cache_rate data, walks;
        uint32_t mask;
    } epochs[] = {{{1000, 900}, {100, 95}, 0}, {{1000, 900}, {100, 20}, 1}, {{1000, 900}, {0, 0}, 1},
                  {{1000, 100}, {4, 1}, 0},    {{1000, 100}, {4, 0}, 1},    {{0, 0}, {4, 4}, 1}};
    struct mask_cache_state s = {0};
    struct mask_cache_counters now = {0};

    for (size_t i = 0; i < sizeof epochs / sizeof epochs[0]; i++) {
        now.depth[0].accesses += epochs[i].data.accesses;
        now.depth[0].hits += epochs[i].data.hits;
        now.depth[1].accesses += epochs[i].walks.accesses;
        now.depth[1].hits += epochs[i].walks.hits;
        assert_int_equal(mask_cache_decide(&s, 4, &now), epochs[i].mask);
    }
}

static bool decided(struct mask_cache_rate data, struct mask_cache_rate walks)
{
    struct mask_cache_state s = {0};
    struct mask_cache_counters now = {.depth = {data, walks}};

    return mask_cache_decide(&s, 4, &now);
}

static struct mask_cache_rate random_rate(uint64_t *rng, uint32_t bits)
{
    uint32_t accesses = (uint32_t)(random_next(rng) >> (64 - bits)) | 1;

    return (struct mask_cache_rate){accesses, (uint32_t)(random_next(rng) % (accesses + 1ull))};
}

/* Whatever the counts: as 128-bit cross products say. */
TEST(as_wide_arithmetic_decides)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t rng = 1;

    for (uint32_t i = 0; i < 200000; i++) {
        struct mask_cache_rate data = random_rate(&rng, 1 + i % 32), walks = random_rate(&rng, 1 + i / 32 % 32);

        assert_int_equal(decided(data, walks), (wide)walks.hits * data.accesses < (wide)data.hits * walks.accesses);
    }
}

static void look_ups(uint32_t tenant, uint32_t depth, uint64_t accesses, uint64_t hits)
{
    static const enum mh_counter_index pairs[][2] = {{MH_COUNTER_L2_ACCESS, MH_COUNTER_L2_HIT},
                                                     {MH_COUNTER_PTE1_ACCESS, MH_COUNTER_PTE1_HIT},
                                                     {MH_COUNTER_PTE2_ACCESS, MH_COUNTER_PTE2_HIT},
                                                     {MH_COUNTER_PTE3_ACCESS, MH_COUNTER_PTE3_HIT},
                                                     {MH_COUNTER_PTE4_ACCESS, MH_COUNTER_PTE4_HIT}};
    fake_counter(tenant, pairs[depth][0], accesses);
    fake_counter(tenant, pairs[depth][1], hits);
}

static void boot(uint32_t tenants)
{
    fake_reset(tenants);
    fake_set(MH_REG_CAP_LEVELS, 4);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_L2_BYPASS);
    fake_boot();
}

/* Three tenants: the sum decides. Data 1200 of 3000; depth 3 as often, depth 4 less, and depth 2 of one tenant alone.
 */
TEST(all_tenants_together)
{
    boot(3);
    for (uint32_t t = 0; t < 3; t++) {
        look_ups(t, 0, 1000, 300 + 100 * t);
        look_ups(t, 3, 1000 * t, 400 * t);
        look_ups(t, 4, 100, t == 0 ? 100 : 9);
    }
    look_ups(2, 2, 10, 3);
    fake.logged = 0;
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_get(MH_REG_L2_BYPASS), 2 | 8);
    assert_int_equal(fake.logged, 2 + 1 + 3 * 5 * 2 + 1 + 2); /* interrupt, snapshot, counters, knob, commit */

    fake.logged = 0;
    assert_int_equal(fake_epoch(), 0); /* nothing new: as it was, and not written */
    assert_int_equal(fake_count(true, MH_REG_L2_BYPASS), 0);

    look_ups(1, 0, 2000, 400);
    look_ups(1, 4, 200, 109);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_get(MH_REG_L2_BYPASS), 2);
}

TEST(init_forgets_and_checks_the_gpu)
{
    boot(1);
    look_ups(0, 0, 1000, 500);
    look_ups(0, 1, 1000, 100);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_get(MH_REG_L2_BYPASS), 1);
    look_ups(0, 1, 2000, 1090); /* 99 % of its own epoch, 54 % of all */
    look_ups(0, 0, 2000, 1300);
    fake_boot();
    fake.logged = 0;
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_get(MH_REG_L2_BYPASS), 1);
    assert_int_equal(fake_count(true, MH_REG_L2_BYPASS), 1);

    fake_set(MH_REG_CAP_LEVELS, 5);
    fake_assert_refused();
    fake_set(MH_REG_CAP_LEVELS, 4);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_TOKENS);
    fake_assert_refused();
}
