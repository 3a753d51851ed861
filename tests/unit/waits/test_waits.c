/* What SMs wait for (sm.wait_reasons): gaps by hand, cycle by cycle, and the sum of all causes. */
#include "unit/test.h"
#include "sm_fixture.h"

static struct mh_config counting(void)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.sm.wait_reasons = 1;
    return cfg;
}

static uint64_t sum_of(const uint64_t *waits)
{
    uint64_t sum = 0;
    for (uint32_t w = 0; w < MH_WAIT_EMPTY; w++)
        sum += waits[w];
    return sum;
}

/* Growth of each cause in the last launch of the script, which is the second if it is a warm one. */
static void waits_of(const struct mh_config *cfg, struct script *s, uint64_t launches, const uint64_t want[MH_WAITS])
{
    LOCAL_GPU(g) = script_gpu(cfg, &s);
    uint64_t before[MH_WAITS] = {0}, stalls = 0;
    if (launches) {
        script_until(g, &g->tenant[0].count.launches, launches);
        memcpy(before, mh_gpu_stats(g)->waits[0], sizeof before);
        stalls = mh_gpu_stats(g)->tenant[0].sm_stalls;
    }
    script_until(g, &g->tenant[0].count.completions, 1);
    const struct mh_stats *after = mh_gpu_stats(g);
    for (uint32_t w = 0; w < MH_WAITS; w++)
        if (after->waits[0][w] - before[w] != want[w])
            fail_msg("%s: %llu, expected %llu", mh_wait_names[w], (unsigned long long)(after->waits[0][w] - before[w]),
                     (unsigned long long)want[w]);
    assert_int_equal(sum_of(after->waits[0]) - sum_of(before), after->tenant[0].sm_stalls - stalls);
}

/* Issued at 0, in the LSU at 1, data at 3. */
TEST(test_hit)
{
    const struct mh_config cfg = counting();
    struct script *s = warm_script(1);
    script_ops(s, 1, 0, 0, op_load(hot(0)), op_wait(op_barrier()));
    waits_of(&cfg, s, 1, (const uint64_t[MH_WAITS]){[MH_WAIT_L1] = 2});
}

/* There 8; the column command is decided 22 after the activate, the line is there 26 later; L2 10; back 8 and 4 flits.
 */
TEST(test_miss)
{
    const struct mh_config cfg = counting();
    struct script *s = warm_script(1);
    script_ops(s, 1, 0, 0, op_load(in_page(0, 1024)), op_wait(op_barrier()));
    waits_of(&cfg, s, 1,
             (const uint64_t[MH_WAITS]){[MH_WAIT_NOC] = 8 + 8 + 4,
                                        [MH_WAIT_DRAM_QUEUE] = 22,
                                        [MH_WAIT_DRAM] = 26,
                                        [MH_WAIT_L2] = 10,
                                        [MH_WAIT_L1] = 2});
}

/* The table in hwmodel/README.md: asked at 1, L2 TLB 10 to 20, walked at 128, filled and sent at 136, in the L2 at 144.
 */
static const uint64_t cold_reads[MH_WAITS] = {[MH_WAIT_TLB] = 19 + 8, [MH_WAIT_WALK] = 108};

TEST(test_walk)
{
    const struct mh_config cfg = counting();
    struct script *s = warm_script(1);
    uint64_t want[MH_WAITS] = {
        [MH_WAIT_NOC] = 20, [MH_WAIT_DRAM_QUEUE] = 22, [MH_WAIT_DRAM] = 26, [MH_WAIT_L2] = 10, [MH_WAIT_L1] = 2};
    for (uint32_t w = 0; w < MH_WAITS; w++)
        want[w] += cold_reads[w];
    script_ops(s, 1, 0, 0, op_load(in_page(9, 1024)), op_wait(op_barrier()));
    waits_of(&cfg, s, 1, want);
}

/* The second load's page misses, too, and one may be missing: it waits in the LSU for the first one's, from 2 on. */
TEST(test_no_tlb_mshr)
{
    struct mh_config cfg = counting();
    cfg.l1tlb.mshrs = 1;
    struct script *s = warm_script(1);
    script_ops(s, 1, 0, 0, op_load(in_page(9, 1024)), op_load(in_page(11, 1024)), op_wait(op_barrier()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.launches, 1);
    const struct mh_stats before = *mh_gpu_stats(g);
    script_until(g, &g->tenant[0].count.completions, 1);
    const struct mh_stats *after = mh_gpu_stats(g);
    const uint64_t *was = before.waits[0], *is = after->waits[0];
    assert_int_equal(is[MH_WAIT_OF_TLB_MSHR] - was[MH_WAIT_OF_TLB_MSHR], 136 - 2);
    assert_int_equal(is[MH_WAIT_WALK] - was[MH_WAIT_WALK], 2 * 108);
    assert_int_equal(sum_of(is) - sum_of(was), after->tenant[0].sm_stalls - before.tenant[0].sm_stalls);
}

/* Stores of eight lines: the LSU, which holds two, takes a line a cycle. */
TEST(test_lsu)
{
    struct mh_config cfg = counting();
    cfg.sm.lsu_queue = 2;
    struct script *s = warm_script(1);
    for (uint32_t i = 0; i < 4; i++)
        script_add(s, 1, 0, 0, op_lanes(MH_OP_STORE, 4, 0xff, in_page(0, 0), MH_LINE_BYTES));
    waits_of(&cfg, s, 1, (const uint64_t[MH_WAITS]){[MH_WAIT_LSU] = 8 - 2 + 16 - 9});
}

/* Its data are there at 81, the throttle lets it go at 100. */
TEST(test_throttle)
{
    const struct mh_config cfg = counting();
    struct script *s = warm_script(1);
    script_ops(s, 1, 0, 0, op_load(in_page(0, 1024)), op_wait(op_barrier()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    const uint64_t start = script_until(g, &g->tenant[0].count.launches, 1);
    const struct mh_stats before = *mh_gpu_stats(g);
    mh_gpu_advance(g, start + 20);
    script_knob(g, MH_REG_SM_THROTTLE_0, 1);
    mh_gpu_advance(g, start + 100);
    script_knob(g, MH_REG_SM_THROTTLE_0, 0);
    script_until(g, &g->tenant[0].count.completions, 1);
    const struct mh_stats *after = mh_gpu_stats(g);
    assert_int_equal(after->waits[0][MH_WAIT_THROTTLE] - before.waits[0][MH_WAIT_THROTTLE], 100 - 1);
    assert_int_equal(sum_of(after->waits[0]) - sum_of(before.waits[0]),
                     after->tenant[0].sm_stalls - before.tenant[0].sm_stalls);
}

/* Counters that are read in the middle of gaps move none of the causes. */
TEST(test_read_often)
{
    const struct mh_config cfg = counting();
    uint64_t want[MH_WAITS];
    for (uint32_t often = 0; often < 2; often++) {
        struct script *s = warm_script(1);
        for (uint32_t i = 0; i < 4; i++)
            script_add(s, 1, 0, 0, op_wait(op_load(in_page(i, 1024))));
        LOCAL_GPU(g) = script_gpu(&cfg, &s);
        while (g->tenant[0].count.completions < 1) {
            mh_gpu_advance(g, g->wheel.now + (often ? 7 : 2000));
            mh_gpu_stats(g);
        }
        for (uint32_t w = 0; w < MH_WAIT_EMPTY; w++)
            if (often)
                assert_int_equal(mh_gpu_stats(g)->waits[0][w], want[w]);
        memcpy(want, mh_gpu_stats(g)->waits[0], sizeof want);
    }
}

TEST(test_off)
{
    struct mh_config cfg = counting();
    cfg.sm.wait_reasons = 0;
    struct script *s = warm_script(1);
    script_add(s, 1, 0, 0, op_load(in_page(0, 1024)));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.completions, 1);
    assert_int_equal(sum_of(mh_gpu_stats(g)->waits[0]), 0);
}
