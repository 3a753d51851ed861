/* MASK's TLB-fill tokens: the decision at, below and above each edge, and the glue on a fake window. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fake_window.h"

#include "policy/mask_tokens_decide.h"

/* The image of this test: the policy alone. */
#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(mask_tokens)
#include "image/common/image.h"

static const struct mask_tokens_config paper = {.initial_percent = 80, .step_percent = 10};

/* One decision after an epoch whose miss rate was `before` (units of 0.01 %). */
struct step_case {
    const char *name;
    uint32_t warps, tokens, before;
    uint64_t accesses, hits;
    uint32_t expected;
};

static const struct step_case steps[] = {
    {"same rate", 64, 51, 5000, 10000, 5000, 51},
    {"up 2.00 %: not more than 2 %", 64, 51, 5000, 10000, 4800, 51},
    {"up 2.01 %", 64, 51, 5000, 10000, 4799, 45},
    {"up 1.99 %", 64, 51, 5000, 10000, 4801, 51},
    {"down 2.00 %: not more than 2 %", 64, 51, 5000, 10000, 5200, 51},
    {"down 2.01 %", 64, 51, 5000, 10000, 5201, 57},
    {"down 1.99 %", 64, 51, 5000, 10000, 5199, 51},
    {"from no misses to all", 64, 51, 0, 1, 0, 45},
    {"from all misses to none", 64, 51, 10000, 1, 1, 57},
    {"all misses stay all", 64, 51, 10000, 77, 0, 51},
    {"no misses stay none", 64, 51, 0, 77, 77, 51},
    {"up just above zero", 64, 51, 0, 10000, 9800, 51},
    {"up over the edge at zero", 64, 51, 0, 10000, 9799, 45},
    {"down to the edge of zero", 64, 51, 200, 10000, 10000, 51},
    {"down over the edge of zero", 64, 51, 201, 10000, 10000, 57},
    {"fewer: above the step", 64, 8, 0, 10, 0, 2},
    {"fewer: one above the step", 64, 7, 0, 10, 0, 1},
    {"fewer: at the step", 64, 6, 0, 10, 0, 1},
    {"fewer: below the step", 64, 5, 0, 10, 0, 1},
    {"fewer: at the bound", 64, 1, 0, 10, 0, 1},
    {"more: below the last step", 64, 57, 10000, 10, 10, 63},
    {"more: to the bound", 64, 58, 10000, 10, 10, 64},
    {"more: less than a step left", 64, 60, 10000, 10, 10, 64},
    {"more: at the bound", 64, 64, 10000, 10, 10, 64},
    {"more: from one", 64, 1, 10000, 10, 10, 7},
    {"48 warps: step 4", 48, 38, 0, 10, 0, 34},
    {"9 warps: step rounds up to 1", 9, 7, 0, 10, 0, 6},
    {"19 warps: step rounds down to 1", 19, 15, 0, 10, 0, 14},
    {"1 warp: fewer", 1, 1, 0, 10, 0, 1},
    {"1 warp: more", 1, 1, 10000, 10, 10, 1},
    {"no look-ups: unchanged", 64, 51, 5000, 0, 0, 51},
    {"hits ahead of look-ups count as no misses", 64, 51, 5000, 10, 11, 57},
    {"hits without look-ups: unchanged", 64, 51, 5000, 0, 3, 51},
    {"counts at the scaling edge", 64, 51, 5000, (1u << 18) - 1, ((1u << 18) - 1) / 2, 51},
    {"counts above the scaling edge, up 2.1 %", 64, 51, 5000, 1u << 20, 502268, 45},
    {"counts above the scaling edge, up 1.9 %", 64, 51, 5000, 1u << 20, 504365, 51},
    {"counts of 63 bits, all misses", 64, 51, 5000, UINT64_MAX / 2, 0, 45},
    {"counts of 64 bits, half misses", 64, 51, 5000, UINT64_MAX, UINT64_MAX / 2, 51},
};

static void steps_at_every_edge(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const struct step_case *c = &steps[i];
        struct mask_tokens_state s = {
            .last = {123456, 1000}, .tokens = c->tokens, .miss_rate = c->before, .has_miss_rate = true};
        struct mask_tokens_counters now = {123456 + c->accesses, 1000 + c->hits};
        uint32_t tokens = mask_tokens_decide(&paper, &s, c->warps, &now);

        if (tokens != c->expected)
            fail_msg("%s: %u tokens, expected %u", c->name, (unsigned)tokens, (unsigned)c->expected);
        assert_int_equal(s.tokens, c->expected);
        assert_int_equal(s.last.accesses, now.accesses);
        assert_int_equal(s.last.hits, now.hits);
    }
}

static void first_epoch_gives_the_initial_tokens(void **state)
{
    static const uint32_t warps[] = {1, 2, 10, 24, 32, 48, 64, 100}, expected[] = {1, 1, 8, 19, 25, 38, 51, 80};

    (void)state;
    for (size_t i = 0; i < sizeof warps / sizeof warps[0]; i++) {
        struct mask_tokens_state s = {0};
        struct mask_tokens_counters now = {1000, 300};

        assert_int_equal(mask_tokens_decide(&paper, &s, warps[i], &now), expected[i]);
        assert_int_equal(s.miss_rate, 7000);
    }
}

/* The variants of the sweeps: at the edges of what a percentage can be, and the same change by other steps. */
static void other_constants(void **state)
{
    static const struct {
        struct mask_tokens_config config;
        uint32_t warps, initial, fewer;
    } cases[] = {{{10, 10}, 64, 6, 1},   {{10, 10}, 9, 1, 1},   {{100, 10}, 64, 64, 58}, {{80, 5}, 64, 51, 48},
                 {{80, 20}, 64, 51, 39}, {{80, 5}, 19, 15, 14}, {{1, 100}, 64, 1, 1},    {{100, 100}, 64, 64, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mask_tokens_state s = {0};
        struct mask_tokens_counters now = {1000, 1000};

        assert_int_equal(mask_tokens_decide(&cases[i].config, &s, cases[i].warps, &now), cases[i].initial);
        now.accesses += 1000; /* no misses before, none but misses now */
        assert_int_equal(mask_tokens_decide(&cases[i].config, &s, cases[i].warps, &now), cases[i].fewer);
    }
}

/* The second epoch compares with the first, and each later one with the one before it: not with the best or first. */
static void compares_with_the_epoch_before(void **state)
{
    struct mask_tokens_state s = {0};
    struct mask_tokens_counters now = {0, 0};
    static const struct {
        uint32_t misses, expected; /* of 1000 look-ups */
    } epochs[] = {{500, 51}, {530, 45}, {550, 45}, {570, 45}, {591, 39}, {590, 39}, {569, 45}, {300, 51}};

    (void)state;
    for (size_t i = 0; i < sizeof epochs / sizeof epochs[0]; i++) {
        now.accesses += 1000;
        now.hits += 1000 - epochs[i].misses;
        assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), epochs[i].expected);
    }
}

static void epochs_without_lookups_are_skipped(void **state)
{
    struct mask_tokens_state s = {0};
    struct mask_tokens_counters now = {0, 0};

    (void)state;
    assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), 51); /* first epoch, idle: initial tokens all the same */
    assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), 51);
    now = (struct mask_tokens_counters){1000, 500}; /* nothing to compare with yet */
    assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), 51);
    assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), 51); /* idle */
    now = (struct mask_tokens_counters){2000, 900};                 /* 60 % against 50 % before the pause */
    assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), 45);
}

static void counters_may_wrap(void **state)
{
    struct mask_tokens_state s = {
        .last = {UINT64_MAX - 99, UINT64_MAX - 9}, .tokens = 51, .miss_rate = 5000, .has_miss_rate = true};
    struct mask_tokens_counters now = {900, 790}; /* 1000 look-ups, 800 hits */

    (void)state;
    assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), 57);
    assert_int_equal(s.miss_rate, 2000);
}

static void lookups(uint32_t tenant, uint64_t accesses, uint64_t hits, uint64_t bypass)
{
    fake_counter(tenant, MH_COUNTER_L2TLB_ACCESS, accesses);
    fake_counter(tenant, MH_COUNTER_L2TLB_HIT, hits);
    fake_counter(tenant, MH_COUNTER_BYPASS_HIT, bypass);
}

static void warps(uint32_t tenant, uint64_t peak)
{
    fake_counter(tenant, MH_COUNTER_WARPS_PEAK, peak);
}

static uint32_t tokens_of(uint32_t tenant)
{
    return fake_get(MH_REG_TOKENS + tenant * MH_REG_TOKENS_STRIDE);
}

/* Three tenants go three ways; a hit in the bypass cache counts as a hit; counts need their high words. */
static void each_tenant_on_its_own(void **state)
{
    (void)state;
    fake_reset(3);
    assert_int_equal(mh_twin_init(&fake_host), 0);
    warps(0, 64);
    warps(1, 64);
    warps(2, 20); /* its CTAs fill less of an SM */
    lookups(0, 1000, 500, 0);
    lookups(1, 1000, 500, 0);
    lookups(2, 0xffffff00, 0x7fffff80, 0);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(tokens_of(0), 51);
    assert_int_equal(tokens_of(1), 51);
    assert_int_equal(tokens_of(2), 16);

    lookups(0, 2000, 700, 0);                                 /* 80 % misses */
    lookups(1, 2000, 700, 600);                               /* 20 %: 600 hits in the bypass cache */
    lookups(2, 0xffffff00 + 1000ull, 0x7fffff80 + 500ull, 0); /* 50 % again */
    fake.logged = 0;
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(tokens_of(0), 45);
    assert_int_equal(tokens_of(1), 57);
    assert_int_equal(tokens_of(2), 16);
    assert_int_equal(fake_count(true, MH_REG_TOKENS), 1);
    assert_int_equal(fake_count(true, MH_REG_TOKENS + 2 * MH_REG_TOKENS_STRIDE), 0); /* unchanged: not written */
    assert_int_equal(fake.logged, 2 + 1 + 3 * 8 + 2 + 2); /* interrupt, snapshot, counters, two knobs, commit */
}

static void init_forgets_and_checks_the_gpu(void **state)
{
    (void)state;
    fake_reset(3);
    warps(0, 64);
    lookups(0, 1000, 500, 0);
    assert_int_equal(mh_twin_init(&fake_host), 0);
    assert_int_equal(fake_epoch(), 0);
    lookups(0, 2000, 500, 0);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(tokens_of(0), 45);
    assert_int_equal(mh_twin_init(&fake_host), 0);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(tokens_of(0), 51);

    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_PWC | MH_FEATURE_CTA_LIMIT);
    assert_int_equal(mh_twin_init(&fake_host), 1);
    assert_int_equal(fake.exit_code, FW_FAIL_POLICY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_at_every_edge),
        cmocka_unit_test(first_epoch_gives_the_initial_tokens),
        cmocka_unit_test(other_constants),
        cmocka_unit_test(compares_with_the_epoch_before),
        cmocka_unit_test(epochs_without_lookups_are_skipped),
        cmocka_unit_test(counters_may_wrap),
        cmocka_unit_test(each_tenant_on_its_own),
        cmocka_unit_test(init_forgets_and_checks_the_gpu),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
