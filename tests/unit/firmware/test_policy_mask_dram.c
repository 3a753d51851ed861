/* MASK's thresholds of the silver queue: the decision by table, against doubles for every count, and the glue. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "fake_window.h"

#include "policy/mask_dram.h"

/* The image of this test: the policy alone. */
#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(mask_dram)
#include "image/common/image.h"

struct row {
    const char *name;
    uint32_t tenants;
    struct mask_dram_counters now[8];
    uint32_t expected[8];
};

static const struct row rows[] = {
    {"alone", 1, {{5, 7}}, {500}},
    {"alone and idle", 1, {{0, 0}}, {500}},
    {"equal", 2, {{8, 8}, {8, 8}}, {250, 250}},
    {"walks count as much as warps", 2, {{4, 16}, {16, 4}}, {250, 250}},
    {"one to three", 2, {{1, 10}, {3, 10}}, {125, 375}},
    {"no walks, nothing", 2, {{0, 63}, {1, 1}}, {0, 500}},
    {"no warps, nothing", 2, {{63, 0}, {1, 1}}, {0, 500}},
    {"both zero by one factor each", 2, {{0, 63}, {63, 0}}, {250, 250}},
    {"all zero, two", 2, {{0, 0}, {0, 0}}, {250, 250}},
    {"all zero, three: rounded down", 3, {{0, 0}, {0, 0}, {0, 0}}, {166, 166, 166}},
    {"all zero, seven", 7, {{0, 0}}, {71, 71, 71, 71, 71, 71, 71}},
    {"all zero, eight", 8, {{0, 0}}, {62, 62, 62, 62, 62, 62, 62, 62}},
    {"a third: to the nearest, below", 3, {{1, 1}, {1, 1}, {1, 1}}, {167, 167, 167}},
    {"halves: up", 2, {{1, 2}, {37, 54}}, {1, 500}},            /* 0.5 and 499.5 */
    {"below a half: down", 2, {{1, 2}, {40, 50}}, {0, 500}},    /* 0.4995 */
    {"above a half: up", 2, {{1, 2}, {35, 57}}, {1, 499}},      /* 0.5008 */
    {"saturated against one", 2, {{63, 63}, {1, 1}}, {500, 0}}, /* 0.126 */
    {"saturated", 2, {{63, 63}, {63, 63}}, {250, 250}},
    {"above 63 is 63", 2, {{255, 63}, {63, 64}}, {250, 250}},
    {"eight saturated",
     8,
     {{63, 63}, {63, 63}, {63, 63}, {63, 63}, {63, 63}, {63, 63}, {63, 63}, {63, 63}},
     {63, 63, 63, 63, 63, 63, 63, 63}}, /* 62.5 */
    {"four, in proportion", 4, {{1, 1}, {2, 1}, {3, 1}, {4, 1}}, {50, 100, 150, 200}},
};

static void shares_by_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t thresh[8];

        mask_dram_decide(rows[i].now, rows[i].tenants, thresh);
        for (uint32_t t = 0; t < rows[i].tenants; t++)
            if (thresh[t] != rows[i].expected[t])
                fail_msg("%s: tenant %u gets %u, not %u", rows[i].name, t, thresh[t], rows[i].expected[t]);
    }
}

/* Half a request off the exact share at most, and never more than thresh_max. */
static void check(const struct mask_dram_counters *now, uint32_t tenants)
{
    uint32_t thresh[8];
    double sum = 0;

    mask_dram_decide(now, tenants, thresh);
    for (uint32_t t = 0; t < tenants; t++)
        sum += (double)now[t].walks * now[t].stalled;
    for (uint32_t t = 0; t < tenants; t++) {
        double exact = sum > 0 ? MASK_DRAM_THRESH_MAX * ((double)now[t].walks * now[t].stalled) / sum
                               : floor((double)MASK_DRAM_THRESH_MAX / tenants);

        if (fabs(thresh[t] - exact) > 0.5 + 1e-9 || thresh[t] > MASK_DRAM_THRESH_MAX)
            fail_msg("tenant %u of %u: %u, exactly %f", t, tenants, thresh[t], exact);
    }
}

/* Every pair of counters of two tenants. */
static void two_tenants_against_doubles(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 1u << 24; n++) {
        struct mask_dram_counters now[2] = {{n & 63, n >> 6 & 63}, {n >> 12 & 63, n >> 18}};

        check(now, 2);
    }
}

static void more_tenants_against_doubles(void **state)
{
    uint64_t x = 1;

    (void)state;
    for (uint32_t n = 0; n < 2000000; n++) {
        struct mask_dram_counters now[8];

        for (uint32_t t = 0; t < 8; t++) {
            x = x * 6364136223846793005 + 1442695040888963407; /* Knuth's MMIX */
            now[t] = (struct mask_dram_counters){x >> 58, x >> 52 & 63};
        }
        check(now, 1 + n % 8);
    }
}

static uint32_t thresh_of(uint32_t tenant)
{
    return fake_get(MH_REG_SILVER_THRESH + tenant * MH_REG_SILVER_THRESH_STRIDE);
}

static void measured(uint32_t tenant, uint32_t walks, uint32_t stalled)
{
    fake_counter(tenant, MH_COUNTER_WALKS_PEAK, walks);
    fake_counter(tenant, MH_COUNTER_STALLED_PEAK, stalled);
}

static void queues_are_apart_and_follow_the_counters(void **state)
{
    (void)state;
    fake_reset(3);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_DRAM_QUEUES);
    assert_int_equal(mh_twin_init(&fake_host), 0);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 1);
    for (uint32_t t = 0; t < 3; t++)
        assert_int_equal(thresh_of(t), 166);
    measured(0, 10, 2);
    measured(1, 3, 20);
    measured(2, 63, 0);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(thresh_of(0), 125);
    assert_int_equal(thresh_of(1), 375);
    assert_int_equal(thresh_of(2), 0);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 1);
}

/* Nobody to take turns with: one queue, whatever is measured. */
static void one_tenant_keeps_one_queue(void **state)
{
    (void)state;
    for (uint32_t tenants = 1; tenants <= 2; tenants++) {
        fake_reset(tenants);
        fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_DRAM_QUEUES);
        assert_int_equal(mh_twin_init(&fake_host), 0);
        measured(0, 10, 2);
        assert_int_equal(fake_epoch(), 0);
        assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), tenants > 1);
    }
}

static void event(uint32_t kind, uint32_t tenant)
{
    fake_event(kind, tenant, 0);
    fake.logged = 0;
    assert_int_equal(mh_twin_irq(), 0);
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 1);
}

static void assert_thresh(uint32_t t0, uint32_t t1, uint32_t t2)
{
    assert_int_equal(thresh_of(0), t0);
    assert_int_equal(thresh_of(1), t1);
    assert_int_equal(thresh_of(2), t2);
}

/* A late tenant has no share until it arrives, an equal one until the end of the epoch, then its own. */
static void arrivals_give_equal_shares(void **state)
{
    (void)state;
    fake_reset(3);
    fake_set(MH_REG_TENANTS, 3);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_DRAM_QUEUES);
    assert_int_equal(mh_twin_init(&fake_host), 0);
    measured(0, 10, 2);
    measured(1, 3, 20);
    assert_int_equal(fake_epoch(), 0);
    assert_thresh(125, 375, 0);
    event(MH_EVENT_TENANT_DONE, 0);
    assert_thresh(125, 375, 0);
    event(MH_EVENT_TENANT_ARRIVED, 2);
    assert_thresh(166, 166, 166);
    measured(2, 5, 24);
    assert_int_equal(fake_epoch(), 0);
    assert_thresh(50, 150, 300);
    event(MH_EVENT_TENANT_LEFT, 1);
    assert_thresh(50, 150, 300);
}

static void refuses_a_gpu_without_the_queues(void **state)
{
    (void)state;
    fake_reset(2);
    fake_assert_refused();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_by_table),
        cmocka_unit_test(two_tenants_against_doubles),
        cmocka_unit_test(more_tenants_against_doubles),
        cmocka_unit_test(queues_are_apart_and_follow_the_counters),
        cmocka_unit_test(one_tenant_keeps_one_queue),
        cmocka_unit_test(arrivals_give_equal_shares),
        cmocka_unit_test(refuses_a_gpu_without_the_queues),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
