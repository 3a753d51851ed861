/* Parameters of MASK: its simulator's L2 bypass, the golden queue alone, and maxima in equation 1. */
#include "unit/test.h"

#include "fake_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(mask_tokens) POLICY(mask_cache) POLICY(mask_dram)
#include "image/common/image.h"

/* The mask after boot on a GPU whose page tables have so many levels. */
static uint32_t mask_at_boot(uint32_t levels)
{
    fake_param(cache_static, 1);
    fake_param(dram_turns, 0);
    fake_param(dram_peak, 0);
    fake_reset(2);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_TOKENS | MH_FEATURE_L2_BYPASS | MH_FEATURE_DRAM_QUEUES);
    fake_set(MH_REG_CAP_LEVELS, levels);
    fake_boot();
    return fake_get(MH_REG_L2_BYPASS);
}

/* Bit d - 1 is depth d, 1 = root: all but the deepest. */
TEST(upper_levels_bypass_the_leaf_does_not)
{
    assert_int_equal(mask_at_boot(4), 0x7);
    assert_int_equal(mask_at_boot(3), 0x3);
    assert_int_equal(mask_at_boot(1), 0x0);
}

TEST(hit_rates_change_nothing)
{
    mask_at_boot(4);
    for (uint32_t epoch = 1; epoch <= 3; epoch++) {
        for (uint32_t tenant = 0; tenant < 2; tenant++) {
            fake_counter(tenant, MH_COUNTER_L2_ACCESS, 1000 * epoch);
            fake_counter(tenant, MH_COUNTER_PTE1_ACCESS, 1000 * epoch);
            fake_counter(tenant, MH_COUNTER_PTE1_HIT, 1000 * epoch);
            fake_counter(tenant, MH_COUNTER_PTE4_ACCESS, 1000 * epoch);
        }
        fake_epoch();
        assert_int_equal(fake_get(MH_REG_L2_BYPASS), 0x7);
    }
}

TEST(golden_has_no_turns)
{
    mask_at_boot(4);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 1);
    assert_int_equal(fake_get(MH_REG_SILVER_THRESH), 0);
}

static void assert_thresh(uint32_t t0, uint32_t t1)
{
    assert_int_equal(fake_get(MH_REG_SILVER_THRESH), t0);
    assert_int_equal(fake_knob(SILVER_THRESH, 1), t1);
}

static void peaks(uint32_t tenant, uint32_t walks, uint32_t stalled)
{
    fake_counter(tenant, MH_COUNTER_WALKS_PEAK, walks);
    fake_counter(tenant, MH_COUNTER_STALLED_PEAK, stalled);
}

/* Sums do not matter: two tenants that reach 63 have equal turns, however many walks they have on average. */
TEST(follows_the_gauges)
{
    fake_param(cache_static, 0);
    fake_param(dram_turns, 1);
    fake_param(dram_peak, 1);
    fake_reset(2);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_TOKENS | MH_FEATURE_L2_BYPASS | MH_FEATURE_DRAM_QUEUES);
    fake_set(MH_REG_CAP_LEVELS, 4);
    fake_boot();
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 1);
    assert_thresh(250, 250);
    peaks(0, 10, 10);
    peaks(1, 30, 10);
    assert_int_equal(fake_epoch(), 0);
    assert_thresh(125, 375);
    fake_counter(0, MH_COUNTER_WALKS_AREA, 5000000);
    peaks(0, 63, 63);
    peaks(1, 63, 63);
    assert_int_equal(fake_epoch(), 0);
    assert_thresh(250, 250);
}

TEST(without_the_knob_refused)
{
    fake_reset(2);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_TOKENS | MH_FEATURE_DRAM_QUEUES);
    fake_set(MH_REG_CAP_LEVELS, 4);
    assert_int_not_equal(mh_twin_init(&fake_host), 0);
}
