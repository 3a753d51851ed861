/* When another image takes over: what is read is written again, and what is not is refused. */
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
