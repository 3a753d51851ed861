/* DWS++: the decision at, below and above each edge of tables IV and VII, and the glue on a fake window. */
#include "unit/test.h"

#include "fake_window.h"

#include "policy/walk/walk.h"

#define IMAGE_NAME "test"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(walk_partition)                                                                                             \
    POLICY(walk_dwspp)
#include "image/common/image.h"

enum { NEVER = MH_DIFF_NEVER, MOST = 65535 };

/* Two tenants; the aggressive table has 300 wherever the default one has a row at all. */
static const struct {
    const char *name;
    uint32_t a, b;
    uint16_t by_default, aggressive;
} edges[] = {
    {"equal", 100, 100, 400, 300},
    {"1.4999", 14999, 10000, 400, 300},
    {"1.5: included", 15000, 10000, 400, 300},
    {"1.5001", 15001, 10000, 600, 300},
    {"1.9999", 19999, 10000, 600, 300},
    {"2: included", 20000, 10000, 600, 300},
    {"2.0001", 20001, 10000, 800, 300},
    {"2.9999", 29999, 10000, 800, 300},
    {"3: included", 30000, 10000, 800, 300},
    {"3.0001", 30001, 10000, 900, 300},
    {"3.9999", 39999, 10000, 900, 300},
    {"4: included", 40000, 10000, 900, 300},
    {"4.0001", 40001, 10000, NEVER, 300},
    {"160 of 200: 4", 160, 40, 900, 300},
    {"161 of 200: above 4", 161, 39, NEVER, 300},
    {"120 of 200: 1.5", 120, 80, 400, 300},
    {"121 of 200", 121, 79, 600, 300},
    {"one walk each", 1, 1, 400, 300},
    {"1 and 4", 1, 4, 900, 300},
    {"1 and 5", 1, 5, NEVER, 300},
    {"one has none", 200, 0, NEVER, 300},
    {"saturated", MOST, MOST, 400, 300},
    {"saturated, the other at 1.5", MOST, 43690, 400, 300},
    {"saturated, the other below", MOST, 43689, 600, 300},
    {"saturated and 1", MOST, 1, NEVER, 300},
};

static void assert_decision(const char *name, const struct dwspp_table *table, uint32_t tenants, const uint32_t *enq,
                            const uint16_t *expected)
{
    uint16_t got[8] = {0};

    dwspp_decide(table, tenants, enq, got);
    for (uint32_t t = 0; t < tenants; t++)
        if (got[t] != expected[t])
            fail_msg("%s: tenant %u has %u, expected %u", name, (unsigned)t, got[t], expected[t]);
}

/* The larger of the two; both tenants get the same. The conservative table differs in QUEUE_THRES alone. */
TEST(every_edge)
{
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
        for (uint32_t swap = 0; swap < 2; swap++) {
            const uint32_t enq[] = {swap ? edges[i].b : edges[i].a, swap ? edges[i].a : edges[i].b};
            const uint16_t normal[] = {edges[i].by_default, edges[i].by_default};
            const uint16_t aggressive[] = {edges[i].aggressive, edges[i].aggressive};

            assert_decision(edges[i].name, &dwspp_tables[DWSPP_DEFAULT], 2, enq, normal);
            assert_decision(edges[i].name, &dwspp_tables[DWSPP_CONSERVATIVE], 2, enq, normal);
            assert_decision(edges[i].name, &dwspp_tables[DWSPP_AGGRESSIVE], 2, enq, aggressive);
        }
}

/* Integers and doubles agree everywhere: the bounds are exact in both. */
TEST(against_doubles)
{
    static const double bound[] = {1.5, 2, 3, 4};

    for (uint32_t a = 1; a <= MOST; a += a < 600 ? 1 : 977)
        for (uint32_t b = 1; b <= a; b += b < 600 ? 1 : 613) {
            const uint32_t enq[] = {a, b};
            uint32_t row = 0;

            while (row < 4 && (double)a > bound[row] * (double)b)
                row++;
            const uint16_t expected[] = {dwspp_tables[DWSPP_DEFAULT].diff_thres[row],
                                         dwspp_tables[DWSPP_DEFAULT].diff_thres[row]};
            assert_decision("double", &dwspp_tables[DWSPP_DEFAULT], 2, enq, expected);
        }
}

/* Each against the largest of the others; one without walks stops its own stealing, not that of the others. */
TEST(many_tenants)
{
    static const struct {
        uint32_t tenants, enq[8];
        uint16_t expected[8];
    } rows[] = {
        {1, {200}, {NEVER}},
        {3, {100, 80, 20}, {400, 400, NEVER}},
        {3, {100, 100, 0}, {400, 400, NEVER}},
        {3, {200, 0, 0}, {NEVER, NEVER, NEVER}},
        {3, {90, 60, 50}, {400, 400, 600}},
        {4, {80, 40, 40, 40}, {600, 600, 600, 600}},
        {4, {40, 80, 40, 40}, {600, 600, 600, 600}},
        {4, {60, 60, 20, 15}, {400, 400, 800, 900}},
        {8, {1, 2, 3, 4, 5, 6, 7, 8}, {NEVER, 900, 800, 600, 600, 400, 400, 400}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_decision("many", &dwspp_tables[DWSPP_DEFAULT], rows[i].tenants, rows[i].enq, rows[i].expected);
}

/* "with 12, 0.51 is up to 6 and 0.17 up to 2": the largest n with n / entries <= the fraction. */
TEST(queue_threshold)
{
    assert_int_equal(dwspp_queue_thres(&dwspp_tables[DWSPP_DEFAULT], 12), 6);
    assert_int_equal(dwspp_queue_thres(&dwspp_tables[DWSPP_AGGRESSIVE], 12), 6);
    assert_int_equal(dwspp_queue_thres(&dwspp_tables[DWSPP_CONSERVATIVE], 12), 2);
    for (uint32_t entries = 0; entries <= 4096; entries++)
        for (uint32_t which = 0; which < 2; which++) {
            const struct dwspp_table *table = which ? &dwspp_tables[DWSPP_CONSERVATIVE] : &dwspp_tables[DWSPP_DEFAULT];
            uint32_t thres = dwspp_queue_thres(table, entries);

            assert_true(thres * 100 <= entries * table->queue_percent);
            assert_true((thres + 1) * 100 > entries * table->queue_percent);
        }
}

static void boot(uint32_t tenants)
{
    fake_reset(tenants);
    fake_boot();
    fake.logged = 0;
}

static void walk_epoch(uint32_t enq0, uint32_t enq1)
{
    fake_set(MH_REG_WALK_ENQ, enq0);
    fake_set(MH_REG_WALK_ENQ + MH_REG_WALK_ENQ_STRIDE, enq1);
    fake.logged = 0;
    assert_int_equal(fake_irq(MH_IRQ_WALK_EPOCH), 0);
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 1);
}

/* No steal by thresholds before the first epoch has ended. */
TEST(knobs_at_boot)
{
    boot(2);
    assert_int_equal(fake_get(MH_REG_WALK_QUEUES), 1);
    assert_int_equal(fake_get(MH_REG_WALK_STEAL), MH_STEAL_DWSPP);
    assert_int_equal(fake_get(MH_REG_QUEUE_THRES), 6);
    assert_int_equal(fake_get(MH_REG_WALK_EPOCH), 200);
    assert_int_equal(fake_knob(DIFF_THRES, 0), NEVER);
    assert_int_equal(fake_knob(DIFF_THRES, 1), NEVER);
}

/* Two reads of IRQ_PENDING and COMMIT_STATUS, two of WALK_ENQ, and as many writes of knobs as there are changes. */
TEST(short_handler)
{
    boot(2);
    walk_epoch(160, 40);
    assert_int_equal(fake_knob(DIFF_THRES, 0), 900);
    assert_int_equal(fake_knob(DIFF_THRES, 1), 900);
    assert_int_equal(fake.logged, 8);
    walk_epoch(150, 50);
    assert_int_equal(fake_knob(DIFF_THRES, 1), 800);
    walk_epoch(140, 60);
    assert_int_equal(fake.logged, 6);
    walk_epoch(200, 0);
    assert_int_equal(fake_knob(DIFF_THRES, 0), NEVER);
    assert_int_equal(fake_knob(DIFF_THRES, 1), NEVER);
}

/* An mcu that starts again knows nothing of what it set before. */
TEST(restart)
{
    boot(2);
    walk_epoch(100, 100);
    assert_int_equal(fake_knob(DIFF_THRES, 0), 400);
    fake_boot();
    assert_int_equal(fake_knob(DIFF_THRES, 0), NEVER);
    walk_epoch(100, 100);
    assert_int_equal(fake_knob(DIFF_THRES, 0), 400);
}

TEST(without_queues)
{
    fake_reset(2);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_TOKENS);
    assert_int_equal(mh_twin_init(&fake_host), 1);
    assert_int_equal(fake.exit_code, 2);
    assert_non_null(strstr(fake.console, "this GPU lacks what the policy steers: walk_partition"));
}
