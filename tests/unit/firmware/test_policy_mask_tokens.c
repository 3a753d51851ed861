/* MASK's TLB-fill tokens: the decision at, below and above each edge. */
#include "unit/test.h"

#include "fake_window.h"
#include "policy/mask/mask.h"

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
    /* 2^20 look-ups are scaled to 2^17: one step of 0.00076 % is 8 misses. 52.01 % are 545364.3 of them. */
    {"above the scaling edge, up to the step below 2.01 %", 64, 51, 5000, 1u << 20, (1u << 20) - 545367, 51},
    {"above the scaling edge, up to the step above 2.01 %", 64, 51, 5000, 1u << 20, (1u << 20) - 545368, 45},
    {"above the scaling edge, exactly up 2 %", 64, 51, 5000, 25u << 20, (25u << 20) - (13u << 20), 51},
    {"above the scaling edge, down to the step above 2 %", 64, 51, 5200, 1u << 20, (1u << 20) - 524288, 51},
    {"above the scaling edge, down to the step below 2 %", 64, 51, 5200, 1u << 20, (1u << 20) - 524287, 57},
    {"above the scaling edge, exactly down 2 %", 64, 51, 5200, 25u << 20, (25u << 20) / 2, 51},
    {"counts of 31 bits, all misses", 64, 51, 5000, UINT32_MAX / 2, 0, 45},
    {"counts of 32 bits, half misses", 64, 51, 5000, UINT32_MAX, UINT32_MAX / 2, 51},
};

TEST(steps_at_every_edge)
{
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const struct step_case *c = &steps[i];
        struct mask_tokens_state s = {.last = {123456, 1000},
                                      .tokens = c->tokens,
                                      .warps = c->warps,
                                      .miss_rate = c->before,
                                      .has_miss_rate = true};
        struct mask_tokens_counters now = {123456 + c->accesses, 1000 + c->hits};
        uint32_t tokens = mask_tokens_decide(&paper, &s, c->warps, &now);

        if (tokens != c->expected)
            fail_msg("%s: %u tokens, expected %u", c->name, (unsigned)tokens, (unsigned)c->expected);
        assert_int_equal(s.tokens, c->expected);
        assert_int_equal(s.last.accesses, now.accesses);
        assert_int_equal(s.last.hits, now.hits);
    }
}

/* A tenant with `tokens` of `was` warps has `warps` at the end of an epoch that changes nothing else. */
static const struct {
    const char *name;
    uint32_t was, tokens, warps, expected;
} ramps[] = {
    {"as many", 32, 25, 32, 25},
    {"one more, whose share is rounded away", 10, 8, 11, 8},
    {"one more", 11, 8, 12, 9},
    {"all at once", 1, 1, 64, 51},
    {"as if it had always had them", 20, 16, 64, 51},
    {"what was taken stays taken", 20, 14, 64, 49},
    {"what was given stays given", 20, 20, 64, 55},
    {"from one token", 32, 1, 64, 27},
    {"from all tokens", 32, 32, 64, 58},
    {"to all tokens", 1, 1, 2, 1},
    {"fewer", 64, 51, 20, 16},
    {"fewer: not below one", 64, 10, 20, 1},
    {"fewer: not above all", 64, 64, 20, 20},
    {"none: unchanged", 64, 51, 0, 51},
};

TEST(tokens_follow_the_warps)
{
    for (size_t i = 0; i < sizeof ramps / sizeof ramps[0]; i++) {
        struct mask_tokens_state s = {
            .tokens = ramps[i].tokens, .warps = ramps[i].was, .miss_rate = 5000, .has_miss_rate = true};
        struct mask_tokens_counters now = {1000, 500};
        uint32_t tokens = mask_tokens_decide(&paper, &s, ramps[i].warps, &now);

        if (tokens != ramps[i].expected)
            fail_msg("%s: %u tokens, expected %u", ramps[i].name, (unsigned)tokens, (unsigned)ramps[i].expected);
    }
}

/* One warp after the other: each time it has what it would have with that number from the start. */
TEST(a_slow_ramp_ends_like_a_fast_one)
{
    struct mask_tokens_state s = {0};
    struct mask_tokens_counters now = {0, 0};

    for (uint32_t warps = 0; warps <= 64; warps++) {
        uint32_t expected = warps == 0 ? 0 : warps * 80 / 100 > 0 ? warps * 80 / 100 : 1;

        now.accesses += 1000;
        assert_int_equal(mask_tokens_decide(&paper, &s, warps, &now), expected);
    }
    now.accesses += 1000; /* all misses so far, now none: a step of the warps that it has now */
    now.hits += 1000;
    assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), 57);
}

/* More warps and a higher miss rate in one epoch: both count, the step is of the new number. */
TEST(more_warps_and_more_misses)
{
    struct mask_tokens_state s = {.tokens = 16, .warps = 20, .miss_rate = 5000, .has_miss_rate = true};
    struct mask_tokens_counters now = {1000, 300};

    assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), 51 - 6);
}

TEST(without_warps_nothing_is_decided)
{
    struct mask_tokens_state s = {0};
    struct mask_tokens_counters now = {0, 0};

    assert_int_equal(mask_tokens_decide(&paper, &s, 0, &now), 0);
    assert_int_equal(mask_tokens_decide(&paper, &s, 0, &now), 0);
    assert_int_equal(mask_tokens_decide(&paper, &s, 32, &now), 25);
}

/* After a restart the first epoch with look-ups is compared with nothing, and counts from the last epoch on. */
TEST(a_restart_forgets_all_but_the_counters)
{
    struct mask_tokens_state s = {
        .last = {5000, 1000}, .tokens = 3, .warps = 32, .miss_rate = 9000, .has_miss_rate = true};
    struct mask_tokens_counters now = {6000, 2000};

    mask_tokens_restart(&s);
    assert_int_equal(s.tokens, 0);
    assert_int_equal(mask_tokens_decide(&paper, &s, 32, &now), 25);
    assert_int_equal(s.miss_rate, 0);
    now.accesses += 1000;
    assert_int_equal(mask_tokens_decide(&paper, &s, 32, &now), 22);
}

TEST(first_epoch_gives_the_initial_tokens)
{
    static const uint32_t warps[] = {1, 2, 10, 24, 32, 48, 64, 100}, expected[] = {1, 1, 8, 19, 25, 38, 51, 80};

    for (size_t i = 0; i < sizeof warps / sizeof warps[0]; i++) {
        struct mask_tokens_state s = {0};
        struct mask_tokens_counters now = {1000, 300};

        assert_int_equal(mask_tokens_decide(&paper, &s, warps[i], &now), expected[i]);
        assert_int_equal(s.miss_rate, 7000);
    }
}

/* The variants of the sweeps: at the edges of what a percentage can be, and the same change by other steps. */
TEST(other_constants)
{
    static const struct {
        struct mask_tokens_config config;
        uint32_t warps, initial, fewer;
    } cases[] = {{{10, 10}, 64, 6, 1},   {{10, 10}, 9, 1, 1},   {{100, 10}, 64, 64, 58}, {{80, 5}, 64, 51, 48},
                 {{80, 20}, 64, 51, 39}, {{80, 5}, 19, 15, 14}, {{1, 100}, 64, 1, 1},    {{100, 100}, 64, 64, 1}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mask_tokens_state s = {0};
        struct mask_tokens_counters now = {1000, 1000};

        assert_int_equal(mask_tokens_decide(&cases[i].config, &s, cases[i].warps, &now), cases[i].initial);
        now.accesses += 1000; /* no misses before, none but misses now */
        assert_int_equal(mask_tokens_decide(&cases[i].config, &s, cases[i].warps, &now), cases[i].fewer);
    }
}

/* The second epoch compares with the first, and each later one with the one before it: not with the best or first. */
TEST(compares_with_the_epoch_before)
{
    struct mask_tokens_state s = {0};
    struct mask_tokens_counters now = {0, 0};
    static const struct {
        uint32_t misses, expected; /* of 1000 look-ups */
    } epochs[] = {{500, 51}, {530, 45}, {550, 45}, {570, 45}, {591, 39}, {590, 39}, {569, 45}, {300, 51}};

    for (size_t i = 0; i < sizeof epochs / sizeof epochs[0]; i++) {
        now.accesses += 1000;
        now.hits += 1000 - epochs[i].misses;
        assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), epochs[i].expected);
    }
}

TEST(epochs_without_lookups_are_skipped)
{
    struct mask_tokens_state s = {0};
    struct mask_tokens_counters now = {0, 0};

    assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), 51); /* first epoch, idle: initial tokens all the same */
    assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), 51);
    now = (struct mask_tokens_counters){1000, 500}; /* nothing to compare with yet */
    assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), 51);
    assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), 51); /* idle */
    now = (struct mask_tokens_counters){2000, 900};                 /* 60 % against 50 % before the pause */
    assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), 45);
}

TEST(counters_may_wrap)
{
    struct mask_tokens_state s = {
        .last = {UINT32_MAX - 99, UINT32_MAX - 9}, .tokens = 51, .warps = 64, .miss_rate = 5000, .has_miss_rate = true};
    struct mask_tokens_counters now = {900, 790}; /* 1000 look-ups, 800 hits */

    assert_int_equal(mask_tokens_decide(&paper, &s, 64, &now), 57);
    assert_int_equal(s.miss_rate, 2000);
}

/* --- MASK's TLB-fill tokens against doubles, and at random: how exact a miss rate is, and which tokens can come out.
 */

static uint64_t random_state;

/* Knuth's MMIX generator; its high bits, `bits` of them, 1..63. */
static uint64_t random_bits(unsigned bits)
{
    random_state = random_state * 6364136223846793005 + 1442695040888963407;
    return random_state >> (64 - bits);
}

/* Of all magnitudes alike, 1..2^31. */
static uint32_t random_count(void)
{
    return (uint32_t)random_bits(1 + (unsigned)random_bits(16) % 31) + 1;
}

/* A state whose last epoch had this miss rate. */
static struct mask_tokens_state after(uint32_t accesses, uint32_t misses)
{
    struct mask_tokens_state s = {.tokens = 32, .warps = 64};
    struct mask_tokens_counters now = {accesses, accesses - misses};

    mask_tokens_decide(&paper, &s, 64, &now);
    return s;
}

static double exact_rate(uint32_t accesses, uint32_t misses)
{
    return 1e4 * ((double)misses / (double)accesses);
}

enum { SAMPLES = 300000 };

/* The bounds that the header gives. */
TEST(miss_rates_against_doubles)
{
    double low = 0, high = 0;

    random_state = 1;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint32_t accesses = random_count();
        uint64_t random = random_bits(63);
        uint32_t misses = (uint32_t)(i % 3 ? random % (accesses + 1) : accesses - random % (accesses / 100 + 1));
        double error = after(accesses, misses).miss_rate - exact_rate(accesses, misses);

        if (error < -1.08 || error > 0.08)
            fail_msg("%.0f of %.0f: off by %f", (double)misses, (double)accesses, error);
        low = error < low ? error : low;
        high = error > high ? error : high;
    }
    assert_true(low < -1.03 && high > 0.03); /* the samples come close to the bounds */
}

/* Misses of the next epoch: the rate of the last one and `change` units. */
static uint32_t misses_after(uint32_t accesses, double rate, double change)
{
    return (uint32_t)((double)accesses * ((rate + change) / 1e4));
}

/* Two epochs whose miss rates are 2 % apart, or 0.02 % more or less. */
TEST(changes_about_two_percent)
{
    unsigned always = 0, never = 0;

    random_state = 2;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint32_t first = random_count(), second = random_count();
        uint32_t misses = misses_after(first, 300 + (double)random_bits(63) / 0x1p63 * 9400, 0);
        double change = (i & 1 ? 198 : -202) + (double)random_bits(63) / 0x1p63 * 4;
        double before = exact_rate(first, misses);

        if (before + change < 0 || before + change > 1e4)
            continue; /* few look-ups: their rate is a coarse one */

        uint32_t misses_then = misses_after(second, before, change);
        double really = exact_rate(second, misses_then) - before;
        struct mask_tokens_state s = after(first, misses);
        struct mask_tokens_counters now = {s.last.accesses + second, s.last.hits + second - misses_then};
        uint32_t tokens = mask_tokens_decide(&paper, &s, 64, &now);

        if (really >= 201.2 || really <= -201.2)
            assert_int_equal(tokens, really > 0 ? 26 : 38);
        else if (really >= -199.8 && really <= 199.8)
            assert_int_equal(tokens, 32);
        always += (really >= 201.2 && really < 201.4) || (really <= -201.2 && really > -201.4);
        never += (really <= 199.8 && really > 199.6) || (really >= -199.8 && really < -199.6);
    }
    assert_true(always > 1000 && never > 1000); /* so many were that close to the edges */
}

/* Whatever counters and warps come, in whatever order, and whatever the percentages. */
TEST(tokens_are_between_one_and_all_warps)
{
    unsigned lowest = 0, highest = 0;

    random_state = 3;
    for (uint32_t i = 0; i < SAMPLES / 100; i++) {
        struct mask_tokens_config config = {(uint8_t)(1 + random_bits(16) % 100), (uint8_t)(1 + random_bits(16) % 100)};
        struct mask_tokens_state s = {0};
        uint32_t warps = 0, decided = 0;

        for (uint32_t epoch = 0; epoch < 100; epoch++) {
            struct mask_tokens_counters now = {(uint32_t)random_bits(31) << (i & 1), (uint32_t)random_bits(31)};

            if (random_bits(2) == 0)
                warps = (uint32_t)random_bits(random_bits(3) == 0 ? 16 : 6);
            uint32_t tokens = mask_tokens_decide(&config, &s, warps, &now);

            if (warps == 0)
                assert_int_equal(tokens, decided);
            else
                assert_in_range(tokens, 1, warps);
            decided = tokens;
            lowest += warps > 1 && tokens == 1;
            highest += warps > 1 && tokens == warps;
        }
    }
    assert_true(lowest > 1000 && highest > 1000);
}
