/* What MASK's DRAM scheduler is told: walks at a time, warps that wait for a walk, active warps; and what restarts it.
 */
#include "unit/test.h"
#include "translate_fixture.h"

static uint64_t latched(struct mh_gpu *g, uint32_t tenant, enum mh_counter_index counter)
{
    uint32_t at = MH_COUNTER_BASE + tenant * MH_COUNTER_STRIDE + 8 * (uint32_t)counter;
    return script_read(g, at) | (uint64_t)script_read(g, at + 4) << 32;
}

static uint64_t snapped(struct mh_gpu *g, enum mh_counter_index counter)
{
    script_write(g, MH_REG_SNAPSHOT, 1);
    return latched(g, 0, counter);
}

static uint64_t live(const struct mh_gpu *g)
{
    return g->tenant[0].count.walks_live;
}

/* Six walks that begin at two a cycle. The area is what a count in every cycle adds up to, and in the end WALK_CYCLES.
 */
TEST(test_walks_area)
{
    struct mh_config cfg = walking_config(1);
    LOCAL_GPU(g) = list_gpu(&cfg, 6);
    uint64_t area = 0, most = 0;
    while (!g->tenant[0].count.completions) {
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
        if (mh_gpu_now(g) % 16 == 0)
            assert_int_equal(snapped(g, MH_COUNTER_WALKS_AREA), area);
        area += live(g);
        most = live(g) > most ? live(g) : most;
    }
    assert_int_equal(most, 6);
    assert_int_equal(snapped(g, MH_COUNTER_WALKS_AREA), area);
    assert_int_equal(latched(g, 0, MH_COUNTER_WALK_CYCLES), area);
}

/* A SNAPSHOT between the first end of a walk and the last: the next maximum begins with those that are left. */
TEST(test_walks_peak)
{
    struct mh_config cfg = walking_config(1);
    LOCAL_GPU(g) = list_gpu(&cfg, 6);
    script_until(g, &g->tenant[0].count.walks, 1);
    uint64_t left = live(g);
    assert_in_range(left, 1, 5);
    assert_int_equal(snapped(g, MH_COUNTER_WALKS_PEAK), 6);
    assert_int_equal(latched(g, 0, MH_COUNTER_WALKS_LIVE), left);
    chain_run(g);
    assert_int_equal(snapped(g, MH_COUNTER_WALKS_PEAK), left);
    assert_int_equal(snapped(g, MH_COUNTER_WALKS_PEAK), 0);
}

/* Six bits; waiting for a walker counts as running. */
TEST(test_walks_peak_saturates)
{
    static const uint32_t pages[] = {62, 63, 64};
    for (uint32_t i = 0; i < 3; i++) {
        struct mh_config cfg = walking_config(1);
        cfg.l1tlb.mshrs = 64;
        cfg.walk.walkers = 8;
        LOCAL_GPU(g) = list_gpu(&cfg, pages[i]);
        chain_run(g);
        assert_int_equal(g->tenant[0].count.walks_peak, pages[i]);
        assert_int_equal(snapped(g, MH_COUNTER_WALKS_PEAK), pages[i] < 63 ? pages[i] : 63);
    }
}

/* Two SMs: three warps of the first and two of the second load page 1 while it is walked, the first with two lines. */
static struct mh_gpu *five_warps(const struct mh_config *cfg, struct script **s)
{
    *s = script_new();
    script_buffer(*s, SCRIPT_BASE, 64 * SCRIPT_PAGE);
    script_launch(*s, (struct mh_launch){.ctas = 2, .threads = 3 * 64});
    for (uint32_t cta = 0; cta < 2; cta++)
        for (uint32_t w = 0; w < 3u - cta; w++) {
            uint32_t lines = w == 0 ? 2 : 1;
            script_add(*s, 0, cta, w, op_lanes(MH_OP_LOAD, 4, (1u << lines) - 1, in_page(1, 512 * w), 128));
        }
    return script_gpu(cfg, s);
}

TEST(test_stalled_warps)
{
    struct mh_config cfg = walking_config(2);
    struct script *s;
    LOCAL_GPU(g) = five_warps(&cfg, &s);
    chain_run(g);
    script_write(g, MH_REG_SNAPSHOT, 1);
    assert_int_equal(latched(g, 0, MH_COUNTER_WALKS), 1);
    assert_int_equal(latched(g, 0, MH_COUNTER_STALLED_WARPS), 5);
    assert_int_equal(latched(g, 0, MH_COUNTER_STALLED_PEAK), 5);
    assert_int_equal(snapped(g, MH_COUNTER_STALLED_PEAK), 0);
    assert_int_equal(latched(g, 0, MH_COUNTER_STALLED_WARPS), 5);
}

/* Warp w of eight loads page w of 8, all of them page 8 in the same instruction: eight wait for that, one for each. */
TEST(test_stalled_peak_is_of_one_walk)
{
    struct mh_config cfg = walking_config(1);
    struct script *s = script_paged(64, 8);
    for (uint32_t w = 0; w < 8; w++)
        script_add(s, 0, 0, w, op_lanes(MH_OP_LOAD, 4, 3, in_page(w, 0), (int64_t)((8 - w) * SCRIPT_PAGE)));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    chain_run(g);
    script_write(g, MH_REG_SNAPSHOT, 1);
    assert_int_equal(latched(g, 0, MH_COUNTER_WALKS), 9);
    assert_int_equal(latched(g, 0, MH_COUNTER_STALLED_WARPS), 16);
    assert_int_equal(latched(g, 0, MH_COUNTER_STALLED_PEAK), 8);
}

/* A page that an IOMMU's TLB has is not walked: a warp that waits for it is not stalled by a walk. */
TEST(test_stalled_by_walks_alone)
{
    struct mh_config cfg = walking_config(1);
    struct script *s;
    cfg.iommu.l1_entries = 16;
    cfg.iommu.latency = 50;
    LOCAL_GPU(g) = to_and_fro_ended(&cfg, &s);
    script_write(g, MH_REG_SNAPSHOT, 1);
    assert_int_equal(latched(g, 0, MH_COUNTER_IOMMU_L1_HIT), 2);
    assert_int_equal(latched(g, 0, MH_COUNTER_STALLED_WARPS), 2);
}

/* 22 SMs of three warps each load a page: 66 wait for one walk. */
TEST(test_stalled_peak_saturates)
{
    struct mh_config cfg = walking_config(22);
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, 64 * SCRIPT_PAGE);
    script_launch(s, (struct mh_launch){.ctas = 22, .threads = 3 * 64});
    for (uint32_t i = 0; i < 66; i++)
        script_add(s, 0, i / 3, i % 3, op_load(in_page(1, 128 * (i % 32))));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    chain_run(g);
    script_write(g, MH_REG_SNAPSHOT, 1);
    assert_int_equal(latched(g, 0, MH_COUNTER_STALLED_WARPS), 66);
    assert_int_equal(latched(g, 0, MH_COUNTER_STALLED_PEAK), 63);
}

/* Launches of 4, 2 and 3 warps, 1000 cycles each. A SNAPSHOT sees the slots that were used since the one before. */
TEST(test_active_warps)
{
    static const uint32_t warps[] = {4, 2, 3};
    struct mh_config cfg = script_config(1, 1);
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, 64 * SCRIPT_PAGE);
    for (uint32_t l = 0; l < 3; l++) {
        script_launch(s, (struct mh_launch){.ctas = 1, .threads = 64 * warps[l]});
        for (uint32_t w = 0; w < warps[l]; w++)
            script_add(s, l, 0, w, op_after(1000 / warps[l], op_barrier()));
    }
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.launches, 1);
    assert_int_equal(snapped(g, MH_COUNTER_WARPS_ACTIVE), 4); /* the two that begin have two slots of the four */
    assert_int_equal(snapped(g, MH_COUNTER_WARPS_ACTIVE), 2);
    script_until(g, &g->tenant[0].count.launches, 2);
    assert_int_equal(snapped(g, MH_COUNTER_WARPS_ACTIVE), 3);
    chain_run(g);
    assert_int_equal(snapped(g, MH_COUNTER_WARPS_ACTIVE), 3);
    assert_int_equal(snapped(g, MH_COUNTER_WARPS_ACTIVE), 0);
    assert_int_equal(latched(g, 0, MH_COUNTER_WARPS_PEAK), 4);
}

/* Only the SNAPSHOT of an epoch restarts them: that of a window, statistics, their latching at the end and reads by a
 * debugger do not. */
TEST(test_nothing_else_restarts)
{
    struct mh_config cfg = walking_config(2);
    struct script *s;
    uint32_t value;
    LOCAL_GPU(g) = five_warps(&cfg, &s);
    chain_run(g);
    for (uint32_t i = 0; i < 2; i++) {
        const struct mh_counters *c = &mh_gpu_stats(g)->tenant[0];
        assert_int_equal(c->walks_peak, 1);
        assert_int_equal(c->stalled_peak, 5);
        assert_int_equal(c->warps_active, 3);
        assert_int_equal(mh_gpu_peek(g, MH_REG_SNAPSHOT, 4, &value), MH_ACCESS_OK);
        script_read(g, MH_REG_SNAPSHOT);
        script_write(g, MH_REG_SNAPSHOT, 0); /* illegal: dropped */
        script_write(g, MH_REG_SNAPSHOT, MH_SNAPSHOT_WINDOW);
        assert_int_equal(latched(g, 0, MH_COUNTER_STALLED_PEAK), 5);
    }
    mh_gpu_latch(g);
    script_write(g, MH_REG_SNAPSHOT, 1);
    assert_int_equal(latched(g, 0, MH_COUNTER_STALLED_PEAK), 5);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].stalled_peak, 5);
}
