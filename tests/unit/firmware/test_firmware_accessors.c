/* Which register each accessor of platform/gpu.h and policy.h reaches: of tenants, SMs and the window. */
#include "unit/test.h"

#include "fake_window.h"

#include "image/common/fw.h"

POLICY_OWNS(SM_CTA_LIMIT_0);
POLICY_OWNS(LAUNCH_EVENTS);
POLICY_OWNS(CTA_LIMIT);
POLICY_OWNS(CTA_THROTTLE);
POLICY_OWNS(ISSUE_RATE);
POLICY_OWNS(ISSUE_FIRST);
POLICY_OWNS(MISS_QUEUES);

static struct gpu_event last_event;

static enum policy_status test_init(const struct gpu_caps *caps)
{
    (void)caps;
    gpu_set_knob(LAUNCH_EVENTS, 0, 1);
    gpu_set_knob(MISS_QUEUES, 0, 1);
    gpu_set_knob(CTA_LIMIT, 3, 4);
    gpu_set_knob(CTA_THROTTLE, 3, 5);
    gpu_set_knob(ISSUE_RATE, 7, 6);
    gpu_set_knob(ISSUE_FIRST, 7, 1);
    gpu_limit_sm_ctas(0, 0, 7);
    gpu_limit_sm_ctas(0, 127, 8);
    gpu_limit_sm_ctas(5, 1, 0);
    gpu_limit_sm_ctas(7, 127, 9);
    return POLICY_OK;
}

static void test_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    (void)caps;
    last_event = *event;
}

const struct policy policy_test = {.name = "test", .init = test_init, .on_event = test_on_event};

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(test)
#include "image/common/image.h"

static void boot(void)
{
    fake_reset(8);
    fake_set(0x3000 + 5 * 0x200 + 1 * 4, 77); /* SM_CTA_LIMIT_5 of SM 1: to see a 0 written */
    fake_boot();
    fake.logged = 0;
}

/* Offsets as registers.def has them. */
TEST(knobs)
{
    boot();
    assert_int_equal(fake_get(0x1870), 1);         /* LAUNCH_EVENTS */
    assert_int_equal(fake_get(0x186c), 1);         /* MISS_QUEUES */
    assert_int_equal(fake_get(0x1004 + 0x300), 4); /* CTA_LIMIT */
    assert_int_equal(fake_get(0x1008 + 0x300), 5); /* CTA_THROTTLE */
    assert_int_equal(fake_get(0x1024 + 0x700), 6); /* ISSUE_RATE */
    assert_int_equal(fake_get(0x1028 + 0x700), 1); /* ISSUE_FIRST */
    assert_int_equal(fake_get(0x3000), 7);
    assert_int_equal(fake_get(0x3000 + 127 * 4), 8);
    assert_int_equal(fake_get(0x3000 + 5 * 0x200 + 1 * 4), 0);
    assert_int_equal(fake_get(0x3000 + 7 * 0x200 + 127 * 4), 9);
}

TEST(what_an_sm_holds)
{
    boot();
    fake_set(0x2400, 0x04030201);
    fake_set(0x2404, 0x08070605);
    fake_set(0x2400 + 8 * 127, 0xff000000);
    fake_set(0x2404 + 8 * 127, 0x20);
    for (uint32_t tenant = 0; tenant < 8; tenant++)
        assert_int_equal(gpu_sm_ctas(0, tenant / 4) >> tenant % 4 * 8 & 255, tenant + 1);
    assert_int_equal(gpu_sm_ctas(127, 0) >> 24, 255);
    assert_int_equal(gpu_sm_ctas(127, 1), 0x20);
}

TEST(what_a_cta_takes)
{
    struct gpu_cta cta;

    boot();
    fake_set(0x1084 + 0x700, 192);
    fake_set(0x1088 + 0x700, 6336);
    fake_set(0x108c + 0x700, 1000);
    gpu_read_cta(7, &cta);
    assert_int_equal(cta.threads, 192);
    assert_int_equal(cta.registers, 6336);
    assert_int_equal(cta.shared, 1000);
    assert_int_equal(fake.logged, 3);
}

TEST(capabilities)
{
    static const uint32_t at[] = {0x54, 0x58, 0x5c, 0x60, 0x64, 0x68, 0x6c};

    boot();
    for (uint32_t i = 0; i < sizeof at / sizeof at[0]; i++)
        fake_set(at[i], 1000 + i);
    assert_int_equal(gpu_cap(SM_REGISTERS), 1000);
    assert_int_equal(gpu_cap(SM_SHARED), 1001);
    assert_int_equal(gpu_cap(RATE_INTERVAL), 1002);
    assert_int_equal(gpu_cap(REPLY_BYTES), 1003);
    assert_int_equal(gpu_cap(LINE_BYTES), 1004);
    assert_int_equal(gpu_cap(NOC_PEAK), 1005);
    assert_int_equal(gpu_cap(DRAM_PEAK), 1006);
}

/* The cycle, and the counters that CCBP divides by it. A difference across 2^32 is right in the low word. */
TEST(snapshots)
{
    static const enum mh_counter_index counters[] = {MH_COUNTER_REQUESTS, MH_COUNTER_REQUEST_READS,
                                                     MH_COUNTER_ISSUE_DEMAND, MH_COUNTER_DRAM_CAUSED};
    uint32_t before;

    boot();
    fake_set(MH_REG_SNAP_CYCLE_LO, 0xfffffff0);
    fake_set(MH_REG_SNAP_CYCLE_HI, 5);
    assert_true(gpu_snap_cycle() == 0x5fffffff0);
    before = gpu_snap_cycle_low();
    fake_set(MH_REG_SNAP_CYCLE_LO, 0x10);
    assert_int_equal(gpu_snap_cycle_low() - before, 0x20);
    assert_int_equal(fake.logged, 4);
    for (uint32_t i = 0; i < 4; i++) {
        fake_counter(7, counters[i], 0x100000000 + i);
        assert_int_equal(gpu_count(7, counters[i]), i);
    }
}

/* A launch is an event like any other: the hook, then a COMMIT. */
TEST(launch_event)
{
    boot();
    fake_event(MH_EVENT_TENANT_LAUNCH, 6, 300);
    assert_int_equal(mh_twin_irq(), 0);
    assert_int_equal(last_event.kind, MH_EVENT_TENANT_LAUNCH);
    assert_int_equal(last_event.tenant, 6);
    assert_int_equal(last_event.argument, 300);
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 1);
}
