/* When another image takes over, and what it costs. */
#include "unit/test.h"

#include "memhelm/swap.h"
#include "mix.h"

TEST(test_swap_when_is_read_and_written)
{
    static const char *const good[] = {"1", "2000000", "walks>50000", "dram_read>1", "18446744073709551615"};
    char text[MH_SWAP_TEXT];
    struct mh_swap_when when;
    struct mh_error err;

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(mh_swap_when_read(good[i], &when, &err), 0);
        mh_swap_when_write(&when, text);
        assert_string_equal(text, good[i]);
    }
}

TEST(test_swap_when_is_refused)
{
    static const struct {
        const char *text, *says;
    } bad[] = {{"", "no GPU cycle"},           {"0", "no GPU cycle"},
               {"-1", "no GPU cycle"},         {"2M", "no GPU cycle"},
               {"walks", "no GPU cycle"},      {"walk>1", "is no counter"},
               {">1", "is no counter"},        {"walks >1", "is no counter"},
               {"walks>", "no whole number"},  {"walks>-1", "no whole number"},
               {"walks>1 ", "no whole number"}};
    struct mh_swap_when when;
    struct mh_error err;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(mh_swap_when_read(bad[i].text, &when, &err), -1);
        assert_non_null(strstr(err.text, bad[i].says));
    }
}

TEST(test_swap_looks)
{
    const struct mh_swap_when at = {.cycle = 25000}, counter = {.counter = MH_COUNTER_WALKS, .above = 5};

    assert_int_equal(mh_swap_look(&at, 0), 25000);
    assert_int_equal(mh_swap_look(&counter, 0), MH_SWAP_LOOK);
    assert_int_equal(mh_swap_look(&counter, MH_SWAP_LOOK - 1), MH_SWAP_LOOK);
    assert_int_equal(mh_swap_look(&counter, MH_SWAP_LOOK), 2 * MH_SWAP_LOOK);
}

/* A sum over tenants, and more than the value. */
TEST(test_swap_is_due)
{
    struct mix mix = {.seed = 9, .bytes = 2 << 20, .ops = 10, .lanes = 64, .threads = 256};
    struct mh_config cfg = script_config(2, 2);
    struct script *s[] = {mix_script(&mix, 1, 12), mix_script(&mix, 1, 12)};
    cfg.run.cycles = 30000;
    script_repeat(s[0]);
    script_repeat(s[1]);
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    while (mh_gpu_now(g) < 5000)
        mh_gpu_advance(g, 5000);
    const struct mh_stats *stats = mh_gpu_stats(g);
    const uint64_t sum = stats->tenant[0].warp_instr + stats->tenant[1].warp_instr;

    assert_true(stats->tenant[0].warp_instr && stats->tenant[1].warp_instr);
    assert_true(mh_swap_due(&(struct mh_swap_when){.counter = MH_COUNTER_WARP_INSTR, .above = sum - 1}, g));
    assert_false(mh_swap_due(&(struct mh_swap_when){.counter = MH_COUNTER_WARP_INSTR, .above = sum}, g));
    assert_true(mh_swap_due(&(struct mh_swap_when){.cycle = 5000}, g));
    assert_false(mh_swap_due(&(struct mh_swap_when){.cycle = 5001}, g));
}

static void advance_to(struct mh_gpu *g, uint64_t cycle)
{
    while (mh_gpu_now(g) < cycle)
        mh_gpu_advance(g, cycle);
}

static void same_span(const struct mh_swap_span *span, uint64_t cycles, uint64_t lane_instr)
{
    assert_int_equal(span->cycles, cycles);
    assert_int_equal(span->lane_instr, lane_instr);
}

/* Answers an epoch as firmware does. */
static void answer(struct mh_gpu *g)
{
    script_write(g, MH_REG_SNAPSHOT, MH_SNAPSHOT_EPOCH);
    script_write(g, MH_REG_COMMIT, 1);
    script_write(g, MH_REG_IRQ_PENDING, MH_IRQ_TIMER0);
}

/* An epoch before, from the last COMMIT but one, or the run's start; a boot; an epoch after. Warm-up in the middle. */
TEST(test_swap_is_watched)
{
    struct mix mix = {.seed = 9, .bytes = 2 << 20, .ops = 10, .lanes = 64, .threads = 256};
    struct mh_config cfg = script_config(2, 1);
    struct script *s[] = {mix_script(&mix, 1, 12)};
    struct mh_swap_watch watch = {0};
    struct mh_swap first = {0}, second = {0}, third = {0};
    cfg.run.cycles = 60000;
    cfg.run.warmup = 15000;
    script_repeat(s[0]);
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    script_write(g, MH_REG_COMMIT, 1);

    advance_to(g, 4000);
    mh_swap_watch_began(&watch, &first, g);
    const uint64_t at_4000 = mh_gpu_lane_instr(g);
    same_span(&first.before, 4000, at_4000);
    mh_swap_watch_failed(&watch);
    mh_swap_watch_committed(&watch, g);
    same_span(&first.during, 0, 0);

    script_write(g, MH_REG_TIMER_INTERVAL, 10000);
    script_write(g, MH_REG_TIMER_CTRL, 2);
    advance_to(g, 14000);
    answer(g);
    mh_swap_watch_epoch(&watch, g);
    mh_swap_watch_epoch(&watch, g); /* a COMMIT that answers none */
    const uint64_t at_14000 = mh_gpu_lane_instr(g);
    assert_true(at_14000 > at_4000);
    advance_to(g, 24000);
    answer(g);
    mh_swap_watch_epoch(&watch, g);
    const uint64_t at_24000 = mh_gpu_lane_instr(g);
    advance_to(g, 26000);
    mh_swap_watch_began(&watch, &second, g);
    const uint64_t at_26000 = mh_gpu_lane_instr(g);
    same_span(&second.before, 10000, at_24000 - at_14000);
    advance_to(g, 29000);
    mh_swap_watch_committed(&watch, g);
    const uint64_t at_29000 = mh_gpu_lane_instr(g);
    same_span(&second.during, 3000, at_29000 - at_26000);
    same_span(&second.after, 0, 0);
    advance_to(g, 34000);
    answer(g);
    mh_swap_watch_epoch(&watch, g);
    const uint64_t at_34000 = mh_gpu_lane_instr(g);
    same_span(&second.after, 5000, at_34000 - at_29000);
    mh_swap_watch_began(&watch, &third, g);
    same_span(&third.before, 5000, at_34000 - at_29000);
    same_span(&second.after, 5000, at_34000 - at_29000);
}
