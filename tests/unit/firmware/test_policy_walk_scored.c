/* Firmware's own scores of walks: the decision, and arrivals of a fake window answered. */
#include "unit/test.h"

#include "fake_window.h"

#include "policy/walk/walk.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(walk_scored)
#include "image/common/image.h"

TEST(decides)
{
    static const struct {
        uint32_t instruction, reads, score;
    } cases[] = {
        {7, 1, 1}, {7, 4, 5}, {8, 3, 3}, {7, 1, 6},       {7 + WALK_SCORED_ENTRIES, 2, 2}, /* takes its place */
        {7, 4, 4}, {0, 1, 1}, {0, 1, 2}, {0xfffff, 4, 4}, {0xfffff, 4, 8},
    };
    static struct walk_scored_state s;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(walk_scored_decide(&s, cases[i].instruction, cases[i].reads), cases[i].score);
}

TEST(saturates)
{
    static struct walk_scored_state s;

    for (uint32_t walks = 1; walks <= 70; walks++)
        assert_int_equal(walk_scored_decide(&s, 1, 4), walks < 64 ? 4 * walks : MH_WALK_SCORE_MAX);
}

static void boot(void)
{
    fake_boot_with(2, MH_FEATURE_WALK_ORDER | MH_FEATURE_WALK_SCORES);
    assert_int_equal(fake_get(MH_REG_WALK_ORDER), MH_WALK_SCORED);
    assert_true(fake_get(MH_REG_IRQ_ENABLE) & MH_IRQ_WALK_ARRIVAL);
}

/* Each arrival is answered by a score; the FIFO is read until it is empty. */
TEST(answers)
{
    boot();
    fake_arrival(5, 0, 3);
    fake_arrival(6, 1, 4);
    fake_arrival(5, 0, 2);
    assert_int_equal(fake_irq(MH_IRQ_WALK_ARRIVAL), 0);
    assert_int_equal(fake.arrivals_out, 3);
    assert_int_equal(fake_count(true, MH_REG_WALK_SCORE), 3);
    assert_int_equal(fake_count(false, MH_REG_WALK_ARRIVAL), 4);
    assert_int_equal(fake_get(MH_REG_WALK_SCORE), 5u << MH_WALK_INSTR_BITS | 5);
}

/* However many come, the others have their turn: 64 at a time. */
TEST(not_for_ever)
{
    boot();
    for (uint32_t i = 0; i < 100; i++)
        fake_arrival(i, 0, 1);
    assert_int_equal(fake_irq(MH_IRQ_WALK_ARRIVAL), 0);
    assert_int_equal(fake.arrivals_out, 64);
    assert_int_equal(fake_irq(MH_IRQ_WALK_ARRIVAL), 0);
    assert_int_equal(fake.arrivals_out, 100);
}

TEST(refuses_a_gpu_without_scores)
{
    fake_assert_refused_with(MH_FEATURE_WALK_ORDER);
}
