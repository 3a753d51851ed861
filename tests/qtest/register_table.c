/*
 * Walks the register table against the running device, over the bus, as a core would.
 *
 *   register_table QEMU DIR     DIR holds config.yaml, the resolved configuration of a run; results are written there
 *
 * What the table promises is computed here from the configuration, not by the code under test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "memhelm/config_file.h"
#include "memhelm/registers.h"
#include "qtest/qtest.h"

enum access { RO, RW, KNOB, SNAP, CMD, W1C, POP };
enum { MAX_REGISTERS = 1024, IRQ_M_EXT = 11, MTIMECMP = 0x4000 };

struct reg {
    const char *name;
    uint32_t offset, mask, reset, min, max;
    enum access access;
};

static const char *qemu, *run_dir;
static struct mh_config cfg;
static struct reg regs[MAX_REGISTERS];
static unsigned reg_count;

static struct {
    uint32_t sms, tenants, warps, lanes, cta_slots, walkers, levels, l2tlb_entries, bypass_entries, channels;
    uint32_t features, epoch, gpu_khz, mcu_khz, walk_queue, walk_queues, present, sm_root[MH_MAX_SMS];
} caps;

/* Where tenants have SMs of their own. */
static uint32_t root_of(uint32_t sm)
{
    for (uint32_t t = 0; t < cfg.tenants_count; t++)
        if (sm >= cfg.tenants[t].sm_first && sm < cfg.tenants[t].sm_first + cfg.tenants[t].sm_count)
            return t;
    return MH_NO_ROOT;
}

static void compute_caps(void)
{
    caps.sms = cfg.sm.count;
    caps.tenants = cfg.tenants_count;
    caps.warps = cfg.sm.warps;
    caps.lanes = cfg.sm.lanes;
    caps.cta_slots = cfg.sm.cta_slots;
    caps.walkers = mh_config_walkers(&cfg);
    caps.levels = cfg.walk.levels;
    caps.l2tlb_entries = cfg.l2tlb.entries;
    caps.bypass_entries = cfg.l2tlb.bypass_entries;
    caps.channels = cfg.dram.channels;
    caps.features = MH_FEATURE_CTA_LIMIT | MH_FEATURE_CTA_THROTTLE | MH_FEATURE_SM_THROTTLE | MH_FEATURE_L2_BYPASS;
    caps.features |= MH_FEATURE_WALK_ORDER | MH_FEATURE_WALK_SCORES;
    caps.features |= cfg.l2tlb.bypass_entries ? MH_FEATURE_TOKENS : 0;
    caps.features |= cfg.walk.pwc_bytes ? MH_FEATURE_PWC : 0;
    caps.features |= cfg.dram.golden ? MH_FEATURE_DRAM_QUEUES : 0;
    caps.features |= cfg.sm.share ? 0 : MH_FEATURE_SM_ROOT;
    for (uint32_t t = 0; t < cfg.tenants_count; t++)
        caps.present |= (uint32_t)!cfg.tenants[t].arrive << t;
    for (uint32_t s = 0; s < cfg.sm.count; s++)
        caps.sm_root[s] = root_of(s);
    caps.walk_queue = cfg.walk.buffer ? cfg.walk.buffer : cfg.l2tlb.mshrs;
    caps.walk_queues = 1;
    caps.features |= MH_FEATURE_WALK_QUEUES;
    caps.epoch = (uint32_t)cfg.run.epoch;
    caps.gpu_khz = (uint32_t)(cfg.clock.gpu_hz / 1000);
    caps.mcu_khz = (uint32_t)(cfg.mcu.hz / 1000);
}

static uint32_t copies(uint32_t offset, uint32_t count)
{
    if (offset == MH_REG_WALKER_OWNER)
        return caps.walkers;
    if (count == MH_MAX_SMS)
        return caps.sms;
    return count == MH_MAX_TENANTS ? caps.tenants : count;
}

static void build_table(void)
{
#define CAP(name) caps.name
#define MH_REG(name, offset, count, stride, width, access, reset, min, max, unit, doc)                                 \
    for (uint32_t COPY = 0; COPY < copies(offset, count); COPY++)                                                      \
        regs[reg_count++] =                                                                                            \
            (struct reg){#name, offset + COPY * (stride), (uint32_t)((1ull << (width)) - 1), reset, min, max, access};
#include "memhelm/registers.def"
    for (uint32_t tenant = 0; tenant < caps.tenants; tenant++)
        for (uint32_t word = 0; word < 2 * MH_COUNTERS; word++)
            regs[reg_count++] = (struct reg){
                "counter", MH_COUNTER_BASE + tenant * MH_COUNTER_STRIDE + 4 * word, UINT32_MAX, 0, 0, 0, SNAP};
}

static struct qtest *q;

static uint32_t get(uint32_t offset)
{
    return qtest_read(q, MH_GPU_BASE + offset, 4);
}

static void set(uint32_t offset, uint32_t value)
{
    qtest_write(q, MH_GPU_BASE + offset, value, 4);
}

static int start(void **state)
{
    (void)state;
    q = qtest_start(qemu, run_dir);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    if (q)
        qtest_stop(q);
    q = NULL;
    return 0;
}

static void reset_values(void **state)
{
    (void)state;
    for (unsigned i = 0; i < reg_count; i++)
        if (get(regs[i].offset) != regs[i].reset)
            fail_msg("%s at 0x%04x reads 0x%x, reset value is 0x%x", regs[i].name, regs[i].offset, get(regs[i].offset),
                     regs[i].reset);
    assert_int_equal(get(MH_REG_BAD_ACCESSES), 0);
}

static void read_only_registers_keep_their_value(void **state)
{
    uint32_t dropped = 0;

    (void)state;
    for (unsigned i = 0; i < reg_count; i++) {
        const struct reg *r = &regs[i];

        if ((r->access != RO && r->access != SNAP && r->access != POP) || r->offset == MH_REG_BAD_WRITES)
            continue;
        set(r->offset, ~r->reset);
        if (get(r->offset) != r->reset)
            fail_msg("%s at 0x%04x was written", r->name, r->offset);
        assert_int_equal(get(MH_REG_BAD_WRITES), ++dropped);
    }
    assert_true(dropped > 100);
}

static void try_range(const struct reg *r, uint32_t value, bool legal)
{
    uint32_t before = get(r->offset), dropped = get(MH_REG_BAD_WRITES);

    set(r->offset, value);
    if (get(r->offset) != (legal ? value : before) || get(MH_REG_BAD_WRITES) != dropped + !legal)
        fail_msg("%s at 0x%04x: %s value 0x%x, reads 0x%x then, BAD_WRITES %u -> %u", r->name, r->offset,
                 legal ? "legal" : "illegal", value, get(r->offset), dropped, get(MH_REG_BAD_WRITES));
}

static void ranges_of_read_write_registers(void **state)
{
    (void)state;
    for (unsigned i = 0; i < reg_count; i++) {
        const struct reg *r = &regs[i];

        if (r->access != RW)
            continue;
        try_range(r, r->max, true);
        try_range(r, r->min, true);
        if (r->min > 0)
            try_range(r, r->min - 1, false);
        if (r->max < UINT32_MAX)
            try_range(r, r->max + 1, false);
        try_range(r, UINT32_MAX, r->max == UINT32_MAX);
    }
}

/* COMMIT of `value`; returns COMMIT_STATUS. */
static uint32_t commit(uint32_t offset, uint32_t value)
{
    set(offset, value);
    assert_int_equal(get(offset), value);
    set(MH_REG_COMMIT, 1);
    return get(MH_REG_COMMIT_STATUS);
}

static void ranges_of_knobs(void **state)
{
    uint32_t applied = 0, rejected = 0;

    (void)state;
    for (unsigned i = 0; i < reg_count; i++) {
        const struct reg *r = &regs[i];

        if (r->access != KNOB)
            continue;
        assert_int_equal(commit(r->offset, r->min), 0);
        assert_int_equal(commit(r->offset, r->max + 1), 1);
        assert_int_equal(get(MH_REG_COMMIT_BAD), r->offset);
        assert_int_equal(get(r->offset), r->min);
        assert_int_equal(commit(r->offset, r->max), 0);
        applied += 2, rejected++;
        assert_int_equal(get(MH_REG_COMMITS), applied);
        assert_int_equal(get(MH_REG_REJECTS), rejected);
    }
    /* L2, DRAM, eight of the order of walks, four of their queues */
    assert_int_equal(rejected, 6 * caps.tenants + MH_MAX_SMS / 32 + 14 + caps.walkers);
}

/* The shadow shows the value in force only after a rejected COMMIT of that very register. */
static uint32_t in_force(const struct reg *r)
{
    assert_int_equal(commit(r->offset, r->max + 1), 1);
    return get(r->offset);
}

static const struct reg *find(uint32_t offset)
{
    for (unsigned i = 0; i < reg_count; i++)
        if (regs[i].offset == offset)
            return &regs[i];
    fail_msg("no register at 0x%04x", offset);
    return NULL;
}

static void commit_is_all_or_nothing(void **state)
{
    const struct reg *first = find(MH_REG_TOKENS);
    const struct reg *last = find(MH_REG_CTA_LIMIT + (caps.tenants - 1) * MH_REG_CTA_LIMIT_STRIDE);

    (void)state;
    set(first->offset, first->min);
    assert_int_equal(commit(last->offset, last->max + 1), 1);
    assert_int_equal(get(MH_REG_COMMIT_BAD), last->offset);
    assert_int_equal(in_force(first), first->reset);
    set(last->offset, last->min);
    assert_int_equal(commit(first->offset, first->min), 0);
    assert_int_equal(in_force(first), first->min);
    assert_int_equal(in_force(last), last->min);
}

/* More core cycles than `gpu` GPU cycles take, by at most one quantum and one cycle. */
static uint64_t core_cycles(uint64_t gpu)
{
    return gpu * cfg.mcu.hz / cfg.clock.gpu_hz + cfg.mcu.quantum + 1;
}

static void timer_raises_and_acknowledge_clears(void **state)
{
    const uint32_t interval = 1000;

    (void)state;
    qtest_intercept(q);
    set(MH_REG_IRQ_ENABLE, MH_IRQ_TIMER0);
    set(MH_REG_TIMER_INTERVAL, interval);
    set(MH_REG_TIMER_CTRL, 1);
    qtest_step(q, core_cycles(interval) / 2);
    assert_false(qtest_irq(q, IRQ_M_EXT));
    qtest_step(q, core_cycles(interval));
    assert_true(qtest_irq(q, IRQ_M_EXT));
    assert_int_equal(get(MH_REG_IRQ_PENDING), MH_IRQ_TIMER0);
    set(MH_REG_IRQ_PENDING, 0);
    set(MH_REG_IRQ_PENDING, MH_IRQ_EVENT);
    assert_int_equal(get(MH_REG_IRQ_PENDING), MH_IRQ_TIMER0);
    assert_true(qtest_irq(q, IRQ_M_EXT));
    set(MH_REG_IRQ_PENDING, MH_IRQ_TIMER0);
    assert_int_equal(get(MH_REG_IRQ_PENDING), 0);
    assert_false(qtest_irq(q, IRQ_M_EXT));
}

static void snapshot_holds_the_gpu_cycle(void **state)
{
    const uint64_t t = 12345;
    uint64_t expected = t * cfg.clock.gpu_hz / cfg.mcu.hz;

    (void)state;
    qtest_step(q, t);
    set(MH_REG_SNAPSHOT, 1);
    qtest_step(q, t);
    assert_int_equal(get(MH_REG_SNAP_CYCLE_LO), (uint32_t)expected);
    assert_int_equal(get(MH_REG_SNAP_CYCLE_HI), (uint32_t)(expected >> 32));
    assert_int_equal(get(MH_REG_SNAP_COUNT), 1);
}

static bool defined(uint32_t offset)
{
    for (unsigned i = 0; i < reg_count; i++)
        if (regs[i].offset == offset)
            return true;
    return false;
}

static void undefined_offsets_are_counted(void **state)
{
    uint32_t bad = 0;

    (void)state;
    for (uint32_t offset = 0; offset < MH_WINDOW_BYTES; offset += 4) {
        if (defined(offset))
            continue;
        assert_int_equal(get(offset), 0);
        set(offset, UINT32_MAX);
        bad += 2;
    }
    assert_int_equal(get(MH_REG_BAD_ACCESSES), bad);
    assert_int_equal(get(MH_REG_ID), 0x4d48454c);
}

static void wrong_sizes_are_counted(void **state)
{
    (void)state;
    for (uint32_t byte = 0; byte < 4; byte++)
        assert_int_equal(qtest_read(q, MH_GPU_BASE + byte, 1), 0);
    assert_int_equal(qtest_read(q, MH_GPU_BASE + 2, 2), 0);
    qtest_write(q, MH_GPU_BASE + MH_REG_IRQ_ENABLE, 7, 1);
    qtest_write(q, MH_GPU_BASE + MH_REG_IRQ_ENABLE, 7, 2);
    assert_int_equal(get(MH_REG_IRQ_ENABLE), 0);
    assert_int_equal(get(MH_REG_BAD_ACCESSES), 7);
}

static bool machine_defined(uint32_t offset)
{
#define MH_MACHINE_REG(name, at, width, access, unit, doc)                                                             \
    if (offset == (at))                                                                                                \
        return true;
#include "memhelm/registers.def"
    return false;
}

static void machine_block_survives_everything(void **state)
{
    (void)state;
    for (uint32_t offset = 0; offset < MH_MACHINE_BYTES; offset += 4) {
        if (offset != MH_MACHINE_WATCHDOG)
            assert_int_equal(qtest_read(q, MH_MACHINE_BASE + offset, 4), 0);
        assert_int_equal(qtest_read(q, MH_MACHINE_BASE + offset, 1), 0);
        qtest_write(q, MH_MACHINE_BASE + offset, 0, 2);
        if (!machine_defined(offset))
            qtest_write(q, MH_MACHINE_BASE + offset, 1, 4);
    }
    /* Still there: half words have not reached EXIT. */
    assert_int_equal(get(MH_REG_ID), 0x4d48454c);
}

/* Its reset value is in thousandths of an epoch; RESETS is read-only. No COMMIT: it bites nobody. */
static void watchdog_is_set(void **state)
{
    uint32_t reset = (uint32_t)(cfg.mcu.watchdog * cfg.run.epoch / 1000);

    (void)state;
    assert_true(reset > 0);
    assert_int_equal(qtest_read(q, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG, 4), reset);
    qtest_write(q, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG, 0xfffffff0, 4);
    assert_int_equal(qtest_read(q, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG, 4), 0xfffffff0);
    qtest_write(q, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG, 0, 4);
    assert_int_equal(qtest_read(q, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG, 4), 0);
    qtest_write(q, MH_MACHINE_BASE + MH_MACHINE_RESETS, 5, 4);
    assert_int_equal(qtest_read(q, MH_MACHINE_BASE + MH_MACHINE_RESETS, 4), 0);
    qtest_step(q, 80000); /* 163 200 GPU cycles */
    assert_int_equal(get(MH_REG_ID), 0x4d48454c);
}

static void mtime_counts_core_cycles(void **state)
{
    (void)state;
    qtest_step(q, 12345);
    assert_int_equal(qtest_read(q, MH_ACLINT_BASE + 0xbff8, 4), 12345);
    assert_int_equal(qtest_read(q, MH_ACLINT_BASE + MTIMECMP, 4), 0);
}

static void tightly_coupled_memories_hold_words(void **state)
{
    const uint32_t addresses[] = {MH_ITCM_BASE, MH_ITCM_BASE + MH_ITCM_BYTES - 4, MH_DTCM_BASE,
                                  MH_DTCM_BASE + MH_DTCM_BYTES - 4};

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        qtest_write(q, addresses[i], 0x12345678 + i, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(qtest_read(q, addresses[i], 4), 0x12345678 + i);
    assert_int_equal(qtest_read(q, MH_DTCM_BASE + MH_DTCM_BYTES, 4), 0);
}

static void remove_result(char *path, size_t bytes)
{
    snprintf(path, bytes, "%s/result.json", run_dir);
    remove(path);
}

static void exit_code(uint32_t code, int status)
{
    char path[600];
    int ended;

    remove_result(path, sizeof path);
    qtest_write(q, MH_MACHINE_BASE + MH_MACHINE_EXIT, code, 4);
    ended = qtest_wait(q);
    q = NULL;
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), status);
    assert_int_equal(access(path, R_OK), 0);
}

static void exit_0_passes(void **state)
{
    (void)state;
    exit_code(0, 0);
}

static void exit_7_fails(void **state)
{
    (void)state;
    exit_code(7, 1);
}

static void fault_ends_the_run(void **state)
{
    int ended;

    (void)state;
    qtest_write(q, MH_MACHINE_BASE + MH_MACHINE_FAULT_CAUSE, 5, 4);
    qtest_write(q, MH_MACHINE_BASE + MH_MACHINE_FAULT, 1, 4);
    ended = qtest_wait(q);
    q = NULL;
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 2);
}

/* Kicked once, by the COMMIT; then nobody comes. */
static void watchdog_ends_the_run(void **state)
{
    int ended;

    (void)state;
    set(MH_REG_COMMIT, 1);
    qtest_write(q, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG, 5000, 4);
    qtest_write(q, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG_KICK, 1, 4);
    qtest_step(q, 2000);                                              /* 4080 GPU cycles */
    qtest_write(q, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG_KICK, 1, 4); /* no COMMIT since */
    assert_int_equal(get(MH_REG_ID), 0x4d48454c);
    qtest_step(q, 1000);
    ended = qtest_wait(q);
    q = NULL;
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 3);
}

static void a_terminated_run_leaves_no_result(void **state)
{
    char path[600];
    int ended;

    (void)state;
    remove_result(path, sizeof path);
    qtest_step(q, 1000);
    ended = qtest_stop(q);
    q = NULL;
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 5);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void load_config(void)
{
    char path[600];
    struct mh_error err;

    snprintf(path, sizeof path, "%s/config.yaml", run_dir);
    if (mh_config_load(&cfg, path, &err) || mh_config_resolve(&cfg, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    if (cfg.mcu.hz == 0) {
        fprintf(stderr, "%s: mcu.hz must not be 0: time is to pass here without a core that sleeps\n", path);
        exit(1);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(reset_values),
        TEST(read_only_registers_keep_their_value),
        TEST(ranges_of_read_write_registers),
        TEST(ranges_of_knobs),
        TEST(commit_is_all_or_nothing),
        TEST(timer_raises_and_acknowledge_clears),
        TEST(snapshot_holds_the_gpu_cycle),
        TEST(undefined_offsets_are_counted),
        TEST(wrong_sizes_are_counted),
        TEST(machine_block_survives_everything),
        TEST(watchdog_is_set),
        TEST(watchdog_ends_the_run),
        TEST(mtime_counts_core_cycles),
        TEST(tightly_coupled_memories_hold_words),
        TEST(exit_0_passes),
        TEST(exit_7_fails),
        TEST(fault_ends_the_run),
        TEST(a_terminated_run_leaves_no_result),
    };

    if (argc != 3) {
        fprintf(stderr, "usage: %s QEMU DIR\n", argv[0]);
        return 2;
    }
    qemu = argv[1], run_dir = argv[2];
    load_config();
    compute_caps();
    build_table();
    return cmocka_run_group_tests_name("qtest", tests, NULL, NULL);
}
