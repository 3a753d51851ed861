/* How far made-up rows move with another value: by seeds, without a workload, and which workloads flip. */
#include "unit/test.h"

#include "sensitivity/sensitivity.h"
#include "unit/near.h"
#include "unit/reproduce/made_up.h"

/* One gain in all workloads of all seeds; a test then changes some. */
static struct made_up *gains(const char *paper, unsigned workloads, unsigned seeds, double gain)
{
    struct made_up *m = make_up(paper, OVER_MEAN, workloads, seeds);
    for (unsigned w = 0; w < workloads; w++)
        for (unsigned s = 0; s < seeds; s++)
            set_cell(m, w, s, 10, gain);
    return m;
}

/* Every seed moves by 0.1 from where it was, however far the seeds are apart. */
TEST(test_paired)
{
    struct made_up *plain = gains("+20 %", 1, SEEDS, 0), *with = gains("+20 %", 1, SEEDS, 0);
    struct shift s;

    for (unsigned seed = 0; seed < SEEDS; seed++) {
        set_cell(plain, 0, seed, 10, 0.3 * seed);
        set_cell(with, 0, seed, 10, 0.3 * seed + 0.1);
    }
    shift_of(&plain->own, &with->own, &s);
    NEAR(s.shift, 0.1);
    assert_true(fabs(s.half) < 1e-9);
    NEAR(s.part, 0.5);
    assert_true(s.depends);
    assert_null(s.moves_most);
    drop(plain);
    drop(with);
}

/* A quarter of the paper's number is not over a quarter; and what is within its interval shows nothing. */
TEST(test_hangs)
{
    static const double noise[SEEDS] = {1, -1, 0.9, -0.8, 0.4};
    struct made_up *plain = gains("+20 %", 1, SEEDS, 0), *with = gains("+20 %", 1, SEEDS, 0.0499);
    struct shift s;

    shift_of(&plain->own, &with->own, &s);
    assert_false(s.depends);
    for (unsigned seed = 0; seed < SEEDS; seed++)
        set_cell(with, 0, seed, 10, 0.1 + noise[seed]);
    shift_of(&plain->own, &with->own, &s);
    assert_true(s.part > SHIFT_HANGS && s.half > s.shift);
    assert_false(s.depends);
    drop(plain);
    drop(with);
}

TEST(test_one_seed_and_bounds)
{
    struct made_up *plain = gains("+20 %", 1, 1, 0), *with = gains("+20 %", 1, 1, -0.06);
    struct made_up *bound = gains("higher", 1, 1, 0.1), *bound_with = gains("higher", 1, 1, 0.6);
    struct shift s;

    shift_of(&plain->own, &with->own, &s);
    assert_true(isnan(s.half));
    NEAR(s.part, 0.3);
    assert_true(s.depends);
    shift_of(&bound->own, &bound_with->own, &s);
    NEAR(s.shift, 0.5);
    assert_true(isnan(s.part));
    assert_false(s.depends);
    drop(plain);
    drop(with);
    drop(bound);
    drop(bound_with);
}

/* All of the mean's shift is one workload's. */
TEST(test_carried_by_one)
{
    struct made_up *plain = gains("+20 %", 4, 1, 0.02), *with = gains("+20 %", 4, 1, 0.02);
    struct shift s;

    set_cell(with, 2, 0, 10, 3.42);
    shift_of(&plain->own, &with->own, &s);
    NEAR(s.shift, 0.85);
    assert_string_equal(s.moves_most, "E+F");
    assert_true(fabs(s.without) < 1e-9);
    for (unsigned w = 0; w < 4; w++)
        assert_int_equal(shift_is_flip(shift_factor(&plain->own, &with->own, w)), w == 2);
    drop(plain);
    drop(with);
}

/* Of a gain the ratio counts: -50 % is half of what it was, +40 % from nothing no flip. */
TEST(test_flips)
{
    struct made_up *plain = gains("+20 %", 3, 1, 0), *with = gains("+20 %", 3, 1, 0);

    set_cell(with, 0, 0, 10, -0.5);
    set_cell(with, 1, 0, 10, 0.4);
    NEAR(shift_factor(&plain->own, &with->own, 0), 0.5);
    assert_true(shift_is_flip(0.5) && shift_is_flip(1.5) && !shift_is_flip(1.4) && !shift_is_flip(1) &&
                !shift_is_flip(0.7));
    assert_false(shift_is_flip((double)NAN));
    NEAR(shift_factor(&plain->own, &with->own, 1), 1.4);
    drop(plain);
    drop(with);
}

/* Where the paper has a direction alone the verdict decides: from a miss to noise, or to what the paper says. */
TEST(test_direction)
{
    struct made_up *plain = gains("lower", 1, 1, 0.2), *same = gains("lower", 1, 1, 0.1),
                   *none = gains("lower", 1, 1, 0.001), *lower = gains("lower", 1, 1, -0.1);
    struct shift s;

    shift_of(&plain->own, &same->own, &s);
    assert_true(isnan(s.part));
    assert_false(s.depends);
    shift_of(&plain->own, &none->own, &s);
    assert_int_equal(s.with.verdict, VERDICT_NONE);
    assert_true(s.depends);
    shift_of(&plain->own, &lower->own, &s);
    assert_int_equal(s.with.verdict, VERDICT_QUARTER);
    assert_true(s.depends);
    drop(plain);
    drop(same);
    drop(none);
    drop(lower);
}

TEST(test_not_run)
{
    struct made_up *plain = gains("+20 %", 2, 1, 0), *with = gains("+20 %", 2, 1, 0.5);
    struct shift s;

    with->runs[0][1].sim.state = SIM_WAITING;
    shift_of(&plain->own, &with->own, &s);
    assert_true(isnan(s.shift) && isnan(s.part));
    assert_false(s.depends);
    assert_int_equal(s.with.verdict, VERDICT_NOT_RUN);
    drop(plain);
    drop(with);
}
