/* MASK's TLB-fill tokens against doubles, and at random: how exact a miss rate is, and which tokens can come out. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fake_window.h"

#include "policy/mask/mask_tokens.h"

/* The image of this test: the policy alone. It does not run. */
#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(mask_tokens)
#include "image/common/image.h"

static const struct mask_tokens_config paper = {.initial_percent = 80, .step_percent = 10};

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
static void miss_rates_against_doubles(void **state)
{
    double low = 0, high = 0;

    (void)state;
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
static void changes_about_two_percent(void **state)
{
    unsigned always = 0, never = 0;

    (void)state;
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
static void tokens_are_between_one_and_all_warps(void **state)
{
    unsigned lowest = 0, highest = 0;

    (void)state;
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

int test_policy_mask_tokens_bounds(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(miss_rates_against_doubles),
        cmocka_unit_test(changes_about_two_percent),
        cmocka_unit_test(tokens_are_between_one_and_all_warps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
