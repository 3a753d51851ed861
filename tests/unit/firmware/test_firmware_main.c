/* The common main of all images, in its native twin, against a fake GPU window. */
#include "unit/test.h"

#include "fake_window.h"

#include "memhelm/config.h"

#include "image/common/fw.h"
#include "platform/console.h"

_Static_assert(GPU_MAX_TENANTS >= MH_MAX_TENANTS, "a policy's state has room for every tenant the model can have");

/* A policy that notes what it is called with. */
static struct {
    unsigned epochs;
    struct gpu_event event;
    enum policy_status status;
} probed;

static enum policy_status probe_init(const struct gpu_caps *caps)
{
    (void)caps;
    return probed.status;
}

static void probe_on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    probed.epochs++;
}

static void probe_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    (void)caps;
    probed.event = *event;
}

const struct policy policy_probe = {
    .name = "probe", .init = probe_init, .on_epoch = probe_on_epoch, .on_event = probe_on_event};

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(mask_tokens) POLICY(probe)
#include "image/common/image.h"

static void reset(uint32_t tenants)
{
    fake_reset(tenants);
    for (uint32_t tenant = 0; tenant < tenants; tenant++)
        fake_counter(tenant, MH_COUNTER_WARPS_PEAK, 64);
    memset(&probed, 0, sizeof probed);
}

/* The console begins behind the boot. */
static void boot_quietly(uint32_t tenants)
{
    reset(tenants);
    fake_boot();
    memset(fake.console, 0, sizeof fake.console);
}

static void assert_log(const struct fake_access *expected, size_t count)
{
    for (size_t i = 0; i < count && i < fake.logged; i++)
        if (memcmp(&fake.log[i].offset, &expected[i].offset, 8) != 0 || fake.log[i].write != expected[i].write)
            fail_msg("access %zu: %s 0x%x = 0x%x, expected %s 0x%x = 0x%x", i, fake.log[i].write ? "write" : "read",
                     (unsigned)fake.log[i].offset, (unsigned)fake.log[i].value, expected[i].write ? "write" : "read",
                     (unsigned)expected[i].offset, (unsigned)expected[i].value);
    assert_int_equal(fake.logged, count);
}

#define READ(offset, value)                                                                                            \
    {                                                                                                                  \
        false, (offset), (value)                                                                                       \
    }
#define WRITE(offset, value)                                                                                           \
    {                                                                                                                  \
        true, (offset), (value)                                                                                        \
    }
#define TENANT1(name) (MH_REG_##name + MH_REG_##name##_STRIDE)

TEST(boot_in_order)
{
    static const struct fake_access expected[] = {
        WRITE(MH_REG_IRQ_ENABLE, 0),
        READ(MH_REG_ID, 0x4d48454c),
        READ(MH_REG_VERSION, MH_REGISTERS_VERSION),
        READ(MH_REG_CAP_SMS, 30),
        READ(MH_REG_CAP_TENANTS, 2),
        READ(MH_REG_CAP_WARPS, 64),
        READ(MH_REG_CAP_LANES, 64),
        READ(MH_REG_CAP_CTA_SLOTS, 16),
        READ(MH_REG_CAP_WALKERS, 16),
        READ(MH_REG_CAP_LEVELS, 0),
        READ(MH_REG_CAP_L2TLB, 0),
        READ(MH_REG_CAP_BYPASS, 0),
        READ(MH_REG_CAP_CHANNELS, 0),
        READ(MH_REG_CAP_FEATURES, MH_FEATURE_TOKENS | MH_FEATURE_CTA_LIMIT | MH_FEATURE_WALK_QUEUES),
        READ(MH_REG_CAP_EPOCH, 100000),
        READ(MH_REG_CAP_WALK_QUEUE, 192),
        READ(MH_REG_CAP_UVM, 0),
        READ(MH_REG_CAP_UVM_UNIT, 0),
        WRITE(MH_REG_KNOB_RESET, 1),
        WRITE(MH_REG_TIMER_INTERVAL, 100000),
        READ(MH_REG_TIMER_INTERVAL, 100000),
        WRITE(MH_REG_TIMER_CTRL, 2),
        WRITE(MH_REG_COMMIT, 1),
        READ(MH_REG_COMMIT_STATUS, 0),
        WRITE(MH_REG_IRQ_PENDING, MH_IRQ_TIMER0 | MH_IRQ_WALK_EPOCH),
        WRITE(MH_REG_IRQ_ENABLE, MH_IRQ_TIMER0 | MH_IRQ_EVENT),
    };

    reset(2);
    fake_set(MH_REG_IRQ_PENDING, 127); /* left over from before a reset of the mcu */
    fake_boot();
    assert_log(expected, sizeof expected / sizeof expected[0]);
    assert_int_equal(fake_get(MH_REG_IRQ_PENDING), 127 & ~(MH_IRQ_TIMER0 | MH_IRQ_WALK_EPOCH));
    assert_string_equal(fake.console,
                        "memhelm: boot image=test version=" FW_VERSION " registers=6 sms=30 tenants=2 warps=64 "
                        "epoch=100000 policies=defaults,mask_tokens,probe\n");
}

TEST(epoch_in_order)
{
    static const struct fake_access expected[] = {
        READ(MH_REG_IRQ_PENDING, MH_IRQ_TIMER0),
        WRITE(MH_REG_IRQ_PENDING, MH_IRQ_TIMER0),
        WRITE(MH_REG_SNAPSHOT, 1),
        READ(MH_COUNTER_BASE + 8 * MH_COUNTER_WARPS_PEAK, 64),
        READ(MH_COUNTER_BASE + 8 * MH_COUNTER_L2TLB_ACCESS, 1000),
        READ(MH_COUNTER_BASE + 8 * MH_COUNTER_L2TLB_HIT, 500),
        READ(MH_COUNTER_BASE + 8 * MH_COUNTER_BYPASS_HIT, 0),
        WRITE(MH_REG_TOKENS, 51),
        WRITE(MH_REG_COMMIT, 1),
        READ(MH_REG_COMMIT_STATUS, 0),
    };

    reset(1);
    fake_boot();
    fake_counter(0, MH_COUNTER_L2TLB_ACCESS, 1000);
    fake_counter(0, MH_COUNTER_L2TLB_HIT, 500);
    fake.logged = 0;
    assert_int_equal(fake_epoch(), 0);
    assert_log(expected, sizeof expected / sizeof expected[0]);
    assert_int_equal(probed.epochs, 1);
}

TEST(one_commit_per_epoch)
{
    reset(2);
    fake_boot();
    fake.logged = 0;
    for (int i = 0; i < 5; i++)
        assert_int_equal(fake_epoch(), 0); /* after the first no knob changes, and there is a COMMIT all the same */
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 5);
    assert_int_equal(fake_count(true, MH_REG_SNAPSHOT), 5);
    assert_int_equal(probed.epochs, 5);
}

/* A source without a hook is masked and, found pending with another, not served. */
TEST(hooks_nobody_has)
{
    reset(2);
    fake_boot();
    fake.logged = 0;
    assert_int_equal(fake_irq(MH_IRQ_EVENT | MH_IRQ_WALK_EPOCH | MH_IRQ_WALK_ARRIVAL), 0);
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 0);
    assert_int_equal(fake.logged, 3); /* IRQ_PENDING read and cleared, EVENT_POP: none */
}

/* All knobs but those that are 0, in the order of their table: each tenant's, then the GPU's; none of walkers. */
static void assert_status_line(void)
{
    char line[2048] = "memhelm: status image=test epochs=1";
#define ADD(...) snprintf(line + strlen(line), sizeof line - strlen(line), __VA_ARGS__)
#define SHOW(format, name, at)                                                                                         \
    if (fake_get(at))                                                                                                  \
        ADD(format, name, fake_get(at));
    for (uint32_t tenant = 0; tenant < 2; tenant++) {
        ADD(" t%u:", tenant);
#define SHOW_TENANT(name, at) SHOW(" %s=%u", name, (at) + tenant * MH_TENANT_STRIDE)
#define SHOW_GPU(name, at)
#define SHOW_SM_MASK(name, at)
#define SHOW_WALKER(name, at)
#define SHOW_NONE(name, at)
#define SHOW_TENANT_SM(tenant)                        SHOW_NONE
#define MH_KNOB_REG(name, member, shape, offset, ...) SHOW_##shape(#name, offset)
#include "memhelm/registers.def"
    }
#undef SHOW_TENANT
#undef SHOW_GPU
#undef SHOW_SM_MASK
#define SHOW_TENANT(name, at)
#define SHOW_GPU(name, at)                            SHOW(" %s=0x%x", name, at)
#define SHOW_SM_MASK(name, at)                        SHOW(" %s=0x%x", name, at)
#define MH_KNOB_REG(name, member, shape, offset, ...) SHOW_##shape(#name, offset)
#include "memhelm/registers.def"
    ADD("\n");
    assert_string_equal(fake.console, line);
    assert_non_null(strstr(line, " t1: TOKENS=51 CTA_LIMIT=16 "));
    assert_non_null(strstr(line, " WALK_BATCH=0x1 "));
    assert_null(strstr(line, "L2_BYPASS="));
}

/* Events are served in order, all of them in one interrupt; those of tenants reach the policies and are committed. */
TEST(events_in_order)
{
    reset(2);
    fake_boot();
    fake_epoch();
    fake.logged = 0;
    memset(fake.console, 0, sizeof fake.console);
    fake_event(MH_EVENT_TENANT_DONE, 1, 7);
    fake_event(MH_EVENT_HOST_STATUS, 0, 0);
    assert_int_equal(mh_twin_irq(), 0);
    assert_int_equal(probed.event.kind, MH_EVENT_TENANT_DONE);
    assert_int_equal(probed.event.tenant, 1);
    assert_int_equal(probed.event.argument, 7);
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 1);
    assert_int_equal(fake_count(false, MH_REG_EVENT_POP), 3);
    assert_status_line();
}

/* A request while a line is printed gets the next line, also before the end. */
TEST(one_status_line_for_all)
{
    boot_quietly(2);
    for (uint32_t i = 0; i < 3; i++)
        fake_event(MH_EVENT_HOST_STATUS, 0, 0);
    assert_int_equal(mh_twin_irq(), 0);
    assert_int_equal(strncmp(fake.console, "memhelm: status image=test epochs=0 ", 36), 0);
    assert_string_equal(strchr(fake.console, '\n'), "\n");
}

/* A line may take longer than the firmware has for its end. */
TEST(no_status_line_at_the_end)
{
    boot_quietly(2);
    fake_event(MH_EVENT_HOST_STATUS, 0, 0);
    fake_event(MH_EVENT_HOST_STOP, 0, 0);
    assert_int_equal(mh_twin_irq(), 1);
    assert_string_equal(fake.console, "memhelm: PASS image=test epochs=0\n");
}

/* A timer and the end of the run in one interrupt: the decision first. Nothing runs after EXIT. */
TEST(stop_passes)
{
    boot_quietly(2);
    fake_event(MH_EVENT_HOST_STOP, 0, 0);
    fake_event(MH_EVENT_TENANT_DONE, 0, 0);
    assert_int_equal(fake_epoch(), 1);
    assert_int_equal(fake.exits, 1);
    assert_int_equal(fake.exit_code, 0);
    assert_string_equal(fake.console, "memhelm: PASS image=test epochs=1\n");
    assert_int_equal(probed.event.kind, MH_EVENT_NONE);
    fake.logged = 0;
    assert_int_equal(fake_epoch(), 1);
    assert_int_equal(fake.logged, 0);
    assert_int_equal(fake.exits, 1);
}

/* At once: nothing is decided, or simulated, under knobs that are not the policy's. */
TEST(rejected_commit_ends_the_run)
{
    reset(2);
    fake_boot();
    assert_int_equal(fake_epoch(), 0);
    memset(fake.console, 0, sizeof fake.console);
    fake.reject_offset = TENANT1(TOKENS);
    assert_int_equal(fake_epoch(), 1);
    assert_int_equal(fake.exit_code, FW_FAIL_COMMIT);
    assert_string_equal(fake.console,
                        "memhelm: FAIL image=test epochs=1 reason=a COMMIT was rejected register=0x1100\n");

    reset(2); /* and the next run knows nothing of it */
    fake_boot();
    fake_event(MH_EVENT_HOST_STOP, 0, 0);
    assert_int_equal(mh_twin_irq(), 1);
    assert_int_equal(fake.exit_code, 0);
}

/* Of the boot, too. */
TEST(rejected_commit_ends_the_boot)
{
    reset(2);
    fake.reject_offset = MH_REG_CTA_LIMIT;
    assert_int_equal(mh_twin_init(&fake_host), 1);
    assert_int_equal(fake.exit_code, FW_FAIL_COMMIT);
}

/* What boot refuses: a register to spoil, the exit code, a part of the reason. */
TEST(boot_refuses)
{
    static const struct {
        uint32_t offset, value;
        int code;
        const char *reason;
    } cases[] = {
        {MH_REG_ID, 0, FW_FAIL_GPU, "reason=no GPU window"},
        {MH_REG_VERSION, MH_REGISTERS_VERSION + 1, FW_FAIL_GPU, "another register table"},
        {MH_REG_CAP_TENANTS, 0, FW_FAIL_GPU, "CAP_TENANTS"},
        {MH_REG_CAP_TENANTS, GPU_MAX_TENANTS + 1, FW_FAIL_GPU, "CAP_TENANTS"},
        {MH_REG_CAP_FEATURES, MH_FEATURE_CTA_LIMIT, FW_FAIL_POLICY, "policy steers: mask_tokens"},
        {MH_REG_CAP_EPOCH, 99, FW_FAIL_TIMER, "CAP_EPOCH"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reset(2);
        fake_set(cases[i].offset, cases[i].value);
        assert_int_equal(mh_twin_init(&fake_host), 1);
        assert_int_equal(fake.exits, 1);
        assert_int_equal(fake.exit_code, cases[i].code);
        assert_non_null(strstr(fake.console, "memhelm: FAIL image=test"));
        assert_non_null(strstr(fake.console, cases[i].reason));
        assert_int_equal(fake_get(MH_REG_IRQ_ENABLE), 0);
        assert_int_equal(mh_twin_irq(), 1);
    }
}

TEST(as_many_tenants_as_there_is_room_for)
{
    reset(GPU_MAX_TENANTS);
    fake_boot();
    assert_int_equal(fake_epoch(), 0);
    for (uint32_t tenant = 0; tenant < GPU_MAX_TENANTS; tenant++)
        assert_int_equal(fake_knob(TOKENS, tenant), 51);
}

TEST(error_response_is_a_fault)
{
    reset(2);
    fake_boot();
    fake.error_offset = MH_REG_SNAPSHOT;
    assert_int_equal(fake_epoch(), 1);
    assert_int_equal(fake.exit_code, MH_TWIN_EXIT_FAULT);
    assert_non_null(strstr(fake.console, "memhelm: FAULT image=test write of GPU window offset 0x100"));
    assert_int_equal(mh_twin_irq(), 1);
    assert_int_equal(fake.exits, 1);
}

/* One loaded twin serves several runs: the second leaves the same log as the first. */
TEST(second_run_is_like_the_first)
{
    static struct fake_access first[FAKE_LOG_MAX];
    unsigned logged = 0;

    for (int run = 0; run < 2; run++) {
        reset(2);
        fake_boot();
        for (unsigned i = 1; i <= 6; i++) {
            fake_counter(0, MH_COUNTER_L2TLB_ACCESS, 1000 * i);
            fake_counter(0, MH_COUNTER_L2TLB_HIT, 1000 * i / (1 + i % 3));
            assert_int_equal(fake_epoch(), 0);
        }
        fake_event(MH_EVENT_HOST_STOP, 0, 0);
        assert_int_equal(mh_twin_irq(), 1);
        if (run == 0) {
            logged = fake.logged;
            memcpy(first, fake.log, sizeof first);
        }
    }
    assert_log(first, logged);
}

TEST(console_formats)
{
    boot_quietly(1);
    console_printf("[%s|%u|%u|%x|%x|%%|%u]", "text", 0u, 4294967295u, 0u, 0xdeadbeefu, 1234u);
    assert_string_equal(fake.console, "[text|0|4294967295|0|deadbeef|%|1234]");
    memset(fake.console, 0, sizeof fake.console);
    console_printf("%s", "");
    assert_string_equal(fake.console, "");
}
