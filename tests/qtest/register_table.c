/*
 * The device in QEMU, over the bus, as an mcu would: resets, sizes, interrupt lines and time. What registers accept is
 * the model's: tests/unit/control/test_control_table.c.
 */
#include "unit/test.h"

#include "qtest/qtest.h"
#include "qtest/expected.h"

enum { IRQ_M_EXT = 11 };

/* What a CTA takes is the workload's (test_cta_registers): here it only stays as it is. */
static void expect_launches(void)
{
    for (unsigned i = 0; i < reg_count; i++)
        if (!strncmp(regs[i].name, "CTA_", 4) && regs[i].access == RO)
            regs[i].reset = get(regs[i].offset);
}

TEST(reset_values)
{
    expect_launches();
    for (unsigned i = 0; i < reg_count; i++)
        if (get(regs[i].offset) != regs[i].reset)
            fail_msg("%s at 0x%04x reads 0x%x, reset value is 0x%x", regs[i].name, regs[i].offset, get(regs[i].offset),
                     regs[i].reset);
    assert_int_equal(get(MH_REG_BAD_ACCESSES), 0);
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
    qtest_step(device, core_cycles(interval) / 2);
    assert_false(qtest_irq(device, IRQ_M_EXT));
    qtest_step(device, core_cycles(interval));
    assert_true(qtest_irq(device, IRQ_M_EXT));
    assert_int_equal(get(MH_REG_IRQ_PENDING), irq);
    set(MH_REG_IRQ_PENDING, 0);
    set(MH_REG_IRQ_PENDING, MH_IRQ_EVENT);
    assert_int_equal(get(MH_REG_IRQ_PENDING), irq);
    assert_true(qtest_irq(device, IRQ_M_EXT));
    set(MH_REG_IRQ_PENDING, irq);
    assert_int_equal(get(MH_REG_IRQ_PENDING), 0);
    assert_false(qtest_irq(device, IRQ_M_EXT));
}

TEST(timers_raise_and_acknowledge_clears)
{
    qtest_intercept(device);
    timer_raises(0, MH_IRQ_TIMER0);
    timer_raises(1, MH_IRQ_TIMER1);
    timer_raises(2, MH_IRQ_TIMER2);
}

TEST(snapshot_holds_the_gpu_cycle)
{
    const uint64_t t = 12345;
    uint64_t expected = t * cfg.clock.gpu_hz / cfg.mcu.hz;

    qtest_step(device, t);
    set(MH_REG_SNAPSHOT, 1);
    qtest_step(device, t);
    assert_int_equal(get(MH_REG_SNAP_CYCLE_LO), (uint32_t)expected);
    assert_int_equal(get(MH_REG_SNAP_CYCLE_HI), (uint32_t)(expected >> 32));
    assert_int_equal(get(MH_REG_SNAP_COUNT), 1);
}

TEST(wrong_sizes_are_counted)
{
    for (uint32_t byte = 0; byte < 4; byte++)
        assert_int_equal(qtest_read(device, MH_GPU_BASE + byte, 1), 0);
    assert_int_equal(qtest_read(device, MH_GPU_BASE + 2, 2), 0);
    qtest_write(device, MH_GPU_BASE + MH_REG_IRQ_ENABLE, 7, 1);
    qtest_write(device, MH_GPU_BASE + MH_REG_IRQ_ENABLE, 7, 2);
    assert_int_equal(get(MH_REG_IRQ_ENABLE), 0);
    assert_int_equal(get(MH_REG_BAD_ACCESSES), 7);
}

TEST_GROUP(.before_each = device_start, .after_each = device_stop);
