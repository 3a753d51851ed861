/*
 * Walks the register table against the running device, over the bus, as an mcu would.
 *
 *   register_table QEMU DIR     DIR holds config.yaml, the resolved configuration of a run; results are written there
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "qtest/device.h"
#include "qtest/expected.h"
#include "qtest/machine_block.h"

enum { IRQ_M_EXT = 11 };

/* What a CTA takes is the workload's (test_cta_registers): here it only stays as it is. */
static void expect_launches(void)
{
    for (unsigned i = 0; i < reg_count; i++)
        if (!strncmp(regs[i].name, "CTA_", 4) && regs[i].access == RO)
            regs[i].reset = get(regs[i].offset);
}

static void reset_values(void **state)
{
    (void)state;
    expect_launches();
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
    expect_launches();
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
    /* each knob's copies: as many as its shape says */
    uint32_t knobs = 0;
#define COPIES_TENANT                         caps.tenants
#define COPIES_GPU                            1
#define COPIES_SM_MASK                        1
#define COPIES_WALKER                         caps.walkers
#define COPIES_TENANT_SM(tenant)              ((tenant) < caps.tenants ? caps.sms : 0)
#define MH_KNOB_REG(name, member, shape, ...) knobs += COPIES_##shape;
#include "memhelm/registers.def"
    assert_int_equal(rejected, knobs);
}

/* The shadow shows the value in force only after a rejected COMMIT of that very register. */
static uint32_t in_force(const struct reg *r)
{
    assert_int_equal(commit(r->offset, r->max + 1), 1);
    return get(r->offset);
}

static void commit_is_all_or_nothing(void **state)
{
    const struct reg *first = expected_find(MH_REG_TOKENS);
    const struct reg *last = expected_find(MH_REG_CTA_LIMIT + (caps.tenants - 1) * MH_REG_CTA_LIMIT_STRIDE);

    (void)state;
    assert_true(first && last);
    set(first->offset, first->min);
    assert_int_equal(commit(last->offset, last->max + 1), 1);
    assert_int_equal(get(MH_REG_COMMIT_BAD), last->offset);
    assert_int_equal(in_force(first), first->reset);
    set(last->offset, last->min);
    assert_int_equal(commit(first->offset, first->min), 0);
    assert_int_equal(in_force(first), first->min);
    assert_int_equal(in_force(last), last->min);
}

/* More mcu cycles than `gpu` GPU cycles take, by at most one quantum and one cycle. */
static uint64_t core_cycles(uint64_t gpu)
{
    return gpu * cfg.mcu.hz / cfg.clock.gpu_hz + cfg.mcu.quantum + 1;
}

static void timer_raises(uint32_t timer, uint32_t irq)
{
    const uint32_t interval = 1000;

    set(MH_REG_IRQ_ENABLE, irq);
    set(MH_REG_TIMER_INTERVAL + timer * MH_REG_TIMER_INTERVAL_STRIDE, interval);
    set(MH_REG_TIMER_CTRL + timer * MH_REG_TIMER_CTRL_STRIDE, 1);
    qtest_step(q, core_cycles(interval) / 2);
    assert_false(qtest_irq(q, IRQ_M_EXT));
    qtest_step(q, core_cycles(interval));
    assert_true(qtest_irq(q, IRQ_M_EXT));
    assert_int_equal(get(MH_REG_IRQ_PENDING), irq);
    set(MH_REG_IRQ_PENDING, 0);
    set(MH_REG_IRQ_PENDING, MH_IRQ_EVENT);
    assert_int_equal(get(MH_REG_IRQ_PENDING), irq);
    assert_true(qtest_irq(q, IRQ_M_EXT));
    set(MH_REG_IRQ_PENDING, irq);
    assert_int_equal(get(MH_REG_IRQ_PENDING), 0);
    assert_false(qtest_irq(q, IRQ_M_EXT));
}

static void timers_raise_and_acknowledge_clears(void **state)
{
    (void)state;
    qtest_intercept(q);
    timer_raises(0, MH_IRQ_TIMER0);
    timer_raises(1, MH_IRQ_TIMER1);
    timer_raises(2, MH_IRQ_TIMER2);
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

static void undefined_offsets_are_counted(void **state)
{
    uint32_t bad = 0;

    (void)state;
    for (uint32_t offset = 0; offset < MH_WINDOW_BYTES; offset += 4) {
        if (expected_find(offset))
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

#define TEST(f) cmocka_unit_test_setup_teardown(f, device_start, device_stop)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(reset_values),
        TEST(read_only_registers_keep_their_value),
        TEST(ranges_of_read_write_registers),
        TEST(ranges_of_knobs),
        TEST(commit_is_all_or_nothing),
        TEST(timers_raise_and_acknowledge_clears),
        TEST(snapshot_holds_the_gpu_cycle),
        TEST(undefined_offsets_are_counted),
        TEST(wrong_sizes_are_counted),
        TEST(machine_block_survives_everything),
        TEST(watchdog_is_set),
        TEST(watchdog_ends_the_run),
        TEST(mtime_counts_core_cycles),
        TEST(tightly_coupled_memories_hold_words),
        TEST(exit_0_passes),
        TEST(watchdog_needs_no_commit),
        TEST(exit_0_before_the_end_fails),
        TEST(a_decision_within_its_time_passes),
        TEST(a_decision_longer_than_its_time_fails),
        TEST(a_decision_without_a_begin_fails),
        TEST(exit_7_fails),
        TEST(fault_ends_the_run),
        TEST(a_terminated_run_leaves_no_result),
    };

    if (argc != 3) {
        fprintf(stderr, "usage: %s QEMU DIR\n", argv[0]);
        return 2;
    }
    device_open(argv[1], argv[2]);
    expected_build(&cfg);
    return cmocka_run_group_tests_name("qtest", tests, NULL, NULL);
}
