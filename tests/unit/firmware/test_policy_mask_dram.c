/* MASK's thresholds of the silver queue: the decision by table, against doubles, the epoch's means, and the glue. */
#include "unit/test.h"

#include <math.h>

#include "fake_window.h"

#include "policy/mask/mask.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(mask_dram)
#include "image/common/image.h"

/* Half a request and `tolerance` off the exact share at most, and never more than thresh_max. */
static void check(const struct mask_dram_counters *now, uint32_t tenants, double tolerance)
{
    uint32_t thresh[8];
    double sum = 0;

    mask_dram_decide(now, tenants, thresh);
    for (uint32_t t = 0; t < tenants; t++)
        sum += (double)now[t].walks * now[t].stalled;
    for (uint32_t t = 0; t < tenants; t++) {
        double exact = sum > 0 ? MASK_DRAM_THRESH_MAX * ((double)now[t].walks * now[t].stalled) / sum
                               : floor((double)MASK_DRAM_THRESH_MAX / tenants);

        if (fabs(thresh[t] - exact) > 0.5 + tolerance || thresh[t] > MASK_DRAM_THRESH_MAX)
            fail_msg("tenant %u of %u: %u, exactly %f", t, tenants, thresh[t], exact);
    }
}

/* Every pair of counts of 6 bits of two tenants. */
TEST(two_tenants_against_doubles)
{
    for (uint32_t n = 0; n < 1u << 24; n++) {
        struct mask_dram_counters now[2] = {{n & 63, n >> 6 & 63}, {n >> 12 & 63, n >> 18}};

        check(now, 2, 1e-9);
    }
}

static uint64_t seed = 1;

static uint32_t random_below(uint32_t n)
{
    seed = seed * 6364136223846793005 + 1442695040888963407; /* Knuth's MMIX */
    return (uint32_t)((seed >> 32) * n >> 32);
}

TEST(more_tenants_against_doubles)
{
    for (uint32_t n = 0; n < 2000000; n++) {
        uint32_t largest = n & 8 ? 64 : 16129;
        struct mask_dram_counters now[8];

        for (uint32_t t = 0; t < 8; t++)
            now[t] = (struct mask_dram_counters){(uint16_t)random_below(largest), (uint16_t)random_below(largest)};
        /* Scaled products are too small by less than 1 of 2^22. */
        check(now, 1 + n % 8, largest == 64 ? 1e-9 : 500.0 * 8 / (1 << 22));
    }
}

struct means {
    const char *name;
    uint32_t cycles;
    struct mask_dram_sums sums;
    double walks, stalled;
};

static const struct means means[] = {
    {"nothing", 100000, {0, 0, 0}, 0, 0},
    {"no cycles", 0, {0, 3, 6}, 0, 2},
    {"none ended", 100000, {2500000, 0, 0}, 25, 0},
    {"as figures 5 and 6", 100000, {2400000, 4000, 126000}, 24, 31.5},
    {"one short walk", 100000, {1000, 1, 1}, 0.01, 1},
    {"a quarter", 100000, {25000, 100, 25}, 0.25, 0.25},
    {"stop at 63", 100000, {6400000, 10, 640}, 63, 63},
    {"just below", 100000, {6290000, 100, 6299}, 62.9, 62.99},
    {"few cycles", 100, {2400, 10, 20}, 24, 2},
    {"many cycles", 200000000, {4000000000u, 50000000, 600000000}, 20, 12},
    {"the largest", UINT32_MAX, {UINT32_MAX, UINT32_MAX, UINT32_MAX}, 1, 1},
};

TEST(means_by_table)
{
    for (size_t i = 0; i < sizeof means / sizeof means[0]; i++) {
        const struct means *m = &means[i];
        /* A tenant with both known is the unit. */
        struct mask_dram_sums epoch[2] = {m->sums, {m->cycles, 1, 1}};
        struct mask_dram_counters now[2];

        mask_dram_means(epoch, 2, m->cycles, now);
        double walks = now[1].walks ? now[0].walks / (double)now[1].walks : 0;
        double stalled = now[0].stalled / (double)now[1].stalled;
        if (fabs(walks - m->walks) > 0.008 * m->walks + 0.008 || fabs(stalled - m->stalled) > 0.004)
            fail_msg("%s: %f walks, %f warps", m->name, walks, stalled);
    }
}

/* The error that the header promises, and no more than 14 bits. */
TEST(means_against_doubles)
{
    for (uint32_t n = 0; n < 1000000; n++) {
        uint32_t cycles = 1 + random_below(1u << (1 + n % 27));
        uint32_t ended = 1 + random_below(1u << (1 + n % 20));
        struct mask_dram_sums epoch = {(uint32_t)(random_below(80u << 8) / 256.0 * cycles) & INT32_MAX, ended,
                                       (uint32_t)(random_below(80u << 8) / 256.0 * ended)};
        struct mask_dram_counters now;
        uint32_t unit = cycles;

        while (unit >= 256)
            unit /= 2;
        mask_dram_means(&epoch, 1, cycles, &now);
        double walks = fmin(63, (double)epoch.walks_area / cycles), stalled = fmin(63, (double)epoch.stalled / ended);
        if (fabs(now.walks / (double)unit - walks) > 0.008 * walks + 1.0 / unit ||
            fabs(now.stalled / 256.0 - stalled) > 0.004 || (now.walks | now.stalled) >> 14)
            fail_msg("%u in %u cycles, %u for %u", epoch.walks_area, cycles, epoch.stalled, ended);
    }
}

enum { EPOCH = 100000 };

/* A further epoch of a tenant: walks at a time, and warps for each of 100 walks. */
static void measured(uint32_t tenant, uint32_t walks, uint32_t stalled)
{
    static const enum mh_counter_index counters[] = {MH_COUNTER_WALKS_AREA, MH_COUNTER_WALKS, MH_COUNTER_STALLED_WARPS};
    const uint32_t more[] = {walks * EPOCH, 100, stalled * 100};

    for (uint32_t i = 0; i < 3; i++)
        fake_counter(tenant, counters[i], fake_get(fake_counter_offset(tenant, counters[i])) + more[i]);
}

static void epoch(void)
{
    fake_set(MH_REG_SNAP_CYCLE_LO, fake_get(MH_REG_SNAP_CYCLE_LO) + EPOCH);
    assert_int_equal(fake_epoch(), 0);
}

static void begin(uint32_t tenants)
{
    fake_reset(tenants);
    fake_set(MH_REG_TENANTS, tenants);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_DRAM_QUEUES);
    fake_boot();
}

static void assert_thresh(uint32_t t0, uint32_t t1, uint32_t t2)
{
    assert_int_equal(fake_knob(SILVER_THRESH, 0), t0);
    assert_int_equal(fake_knob(SILVER_THRESH, 1), t1);
    assert_int_equal(fake_knob(SILVER_THRESH, 2), t2);
}

TEST(queues_are_apart_and_follow_the_counters)
{
    begin(3);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 1);
    assert_thresh(166, 166, 166);
    measured(0, 10, 2);
    measured(1, 3, 20);
    measured(2, 63, 0);
    epoch();
    assert_thresh(125, 375, 0);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 1);
}

/* The means are of the epoch alone, not of all since the start; maxima do not matter. */
TEST(each_epoch_counts_for_itself)
{
    begin(2);
    measured(0, 40, 30);
    measured(1, 10, 30);
    epoch();
    assert_thresh(400, 100, 0);
    fake_counter(0, MH_COUNTER_WALKS_PEAK, 63);
    fake_counter(1, MH_COUNTER_WALKS_PEAK, 63);
    measured(0, 10, 5);
    measured(1, 20, 10);
    epoch();
    assert_thresh(100, 400, 0);
    epoch(); /* no walks */
    assert_thresh(250, 250, 0);
}

/* No other tenant to take turns with, but walks to go first. */
TEST(one_tenant_has_the_queues_too)
{
    begin(1);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 1);
    assert_int_equal(fake_knob(SILVER_THRESH, 0), MASK_DRAM_THRESH_MAX);
    measured(0, 10, 2);
    epoch();
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 1);
    assert_int_equal(fake_knob(SILVER_THRESH, 0), MASK_DRAM_THRESH_MAX);
}

/* A late tenant has no share until it arrives, an equal one until the end of the epoch, then its own. */
TEST(arrivals_give_equal_shares)
{
    begin(3);
    measured(0, 10, 2);
    measured(1, 3, 20);
    epoch();
    assert_thresh(125, 375, 0);
    fake_hear(MH_EVENT_TENANT_DONE, 0);
    assert_thresh(125, 375, 0);
    fake_hear(MH_EVENT_TENANT_ARRIVED, 2);
    assert_thresh(166, 166, 166);
    measured(0, 10, 2);
    measured(1, 3, 20);
    measured(2, 5, 24);
    epoch();
    assert_thresh(50, 150, 300);
    fake_hear(MH_EVENT_TENANT_LEFT, 1);
    assert_thresh(50, 150, 300);
}

TEST(refuses_a_gpu_without_the_queues)
{
    fake_reset(2);
    fake_assert_refused();
}
