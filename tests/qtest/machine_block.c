/* What stands beside the register window: machine block, timer, memories, and how a run ends. */
#include "unit/test.h"

#include <sys/wait.h>
#include <unistd.h>

#include "memhelm/registers.h"
#include "qtest/qtest.h"

enum { MTIMECMP = 0x4000 };

static bool machine_defined(uint32_t offset)
{
#define MH_MACHINE_REG(name, at, width, access, unit, doc)                                                             \
    if (offset == (at))                                                                                                \
        return true;
#include "memhelm/registers.def"
    return false;
}

TEST(machine_block_survives_everything)
{
    for (uint32_t offset = 0; offset < MH_MACHINE_BYTES; offset += 4) {
        if (offset != MH_MACHINE_WATCHDOG)
            assert_int_equal(qtest_read(device, MH_MACHINE_BASE + offset, 4), 0);
        assert_int_equal(qtest_read(device, MH_MACHINE_BASE + offset, 1), 0);
        qtest_write(device, MH_MACHINE_BASE + offset, 0, 2);
        if (!machine_defined(offset))
            qtest_write(device, MH_MACHINE_BASE + offset, 1, 4);
    }
    /* Still there: half words have not reached EXIT. */
    assert_int_equal(get(MH_REG_ID), 0x4d48454c);
}

/* By itself. */
static void ends_with(int status)
{
    int ended = qtest_wait(device);

    device = NULL;
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), status);
}

static void watchdog_becomes(uint32_t value, uint32_t period)
{
    qtest_write(device, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG, value, 4);
    assert_int_equal(qtest_read(device, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG, 4), period);
}

/* Its reset value is in thousandths of an epoch; a longer period and none are refused. RESETS is read-only. */
TEST(watchdog_is_set)
{
    uint32_t reset = (uint32_t)(cfg.mcu.watchdog * cfg.run.epoch / 1000);

    assert_true(reset > 0);
    assert_int_equal(qtest_read(device, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG, 4), reset);
    watchdog_becomes(0xfffffff0, reset);
    watchdog_becomes(reset + 1, reset);
    watchdog_becomes(0, reset);
    watchdog_becomes(reset - 1, reset - 1);
    watchdog_becomes(reset, reset);
    qtest_write(device, MH_MACHINE_BASE + MH_MACHINE_RESETS, 5, 4);
    assert_int_equal(qtest_read(device, MH_MACHINE_BASE + MH_MACHINE_RESETS, 4), 0);
    set(MH_REG_COMMIT, 1);
    watchdog_becomes(reset - 1, reset);
}

/* Armed from the start: who never comes to a COMMIT is bitten as well. */
TEST(watchdog_needs_no_commit)
{
    qtest_step(device, 73000); /* 148 920 GPU cycles */
    assert_int_equal(get(MH_REG_ID), 0x4d48454c);
    qtest_step(device, 1000);
    ends_with(3);
}

TEST(mtime_counts_core_cycles)
{
    qtest_step(device, 12345);
    assert_int_equal(qtest_read(device, MH_ACLINT_BASE + 0xbff8, 4), 12345);
    assert_int_equal(qtest_read(device, MH_ACLINT_BASE + MTIMECMP, 4), 0);
}

TEST(tightly_coupled_memories_hold_words)
{
    const uint32_t addresses[] = {MH_ITCM_BASE, MH_ITCM_BASE + MH_ITCM_BYTES - 4, MH_DTCM_BASE,
                                  MH_DTCM_BASE + MH_DTCM_BYTES - 4};

    for (unsigned i = 0; i < 4; i++)
        qtest_write(device, addresses[i], 0x12345678 + i, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(qtest_read(device, addresses[i], 4), 0x12345678 + i);
    assert_int_equal(qtest_read(device, MH_DTCM_BASE + MH_DTCM_BYTES, 4), 0);
}

static void exit_code(uint32_t code, int status)
{
    remove(device_result());
    qtest_write(device, MH_MACHINE_BASE + MH_MACHINE_EXIT, code, 4);
    ends_with(status);
    assert_int_equal(access(device_result(), R_OK), 0);
}

/* To the end of the GPU's run, with a watchdog that is fed: in steps, an epoch and its answer in each. */
static void run_to_the_end(void)
{
    uint32_t pending = 0;

    set(MH_REG_TIMER_INTERVAL, (uint32_t)cfg.run.epoch);
    set(MH_REG_TIMER_CTRL, 2);
    for (int i = 0; i < 1000 && !(pending & MH_IRQ_EVENT); i++) {
        qtest_step(device, 10000); /* 20 400 GPU cycles, less than an epoch */
        pending = get(MH_REG_IRQ_PENDING);
        set(MH_REG_SNAPSHOT, 1);
        set(MH_REG_COMMIT, 1);
        qtest_write(device, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG_KICK, 1, 4);
    }
    assert_true(pending & MH_IRQ_EVENT);
}

TEST(exit_0_passes)
{
    run_to_the_end();
    exit_code(0, 0);
}

TEST(exit_0_before_the_end_fails)
{
    exit_code(0, 1);
}

static void decision(bool begin, uint32_t passed, uint32_t reported, int status)
{
    if (begin)
        qtest_write(device, MH_MACHINE_BASE + MH_MACHINE_BEGIN, MH_SOURCE_WALK_EPOCH, 4);
    qtest_step(device, passed);
    qtest_write(device, MH_MACHINE_BASE + MH_MACHINE_WALK_DECISION, reported, 4);
    run_to_the_end();
    exit_code(0, status);
}

TEST(a_decision_within_its_time_passes)
{
    decision(true, 812, 812, 0);
}

TEST(a_decision_longer_than_its_time_fails)
{
    decision(true, 812, 813, 1);
}

TEST(a_decision_without_a_begin_fails)
{
    decision(false, 812, 1, 1);
}

TEST(exit_7_fails)
{
    exit_code(7, 1);
}

TEST(fault_ends_the_run)
{
    qtest_write(device, MH_MACHINE_BASE + MH_MACHINE_FAULT_CAUSE, 5, 4);
    qtest_write(device, MH_MACHINE_BASE + MH_MACHINE_FAULT, 1, 4);
    ends_with(2);
}

/* Kicked once, by the COMMIT; then nobody comes. */
TEST(watchdog_ends_the_run)
{
    qtest_write(device, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG, 5000, 4);
    set(MH_REG_COMMIT, 1);
    qtest_write(device, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG_KICK, 1, 4);
    qtest_step(device, 2000);                                              /* 4080 GPU cycles */
    qtest_write(device, MH_MACHINE_BASE + MH_MACHINE_WATCHDOG_KICK, 1, 4); /* no COMMIT since */
    assert_int_equal(get(MH_REG_ID), 0x4d48454c);
    qtest_step(device, 1000);
    ends_with(3);
}

TEST(a_terminated_run_leaves_no_result)
{
    int ended;

    remove(device_result());
    qtest_step(device, 1000);
    ended = qtest_stop(device);
    device = NULL;
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 5);
    assert_int_not_equal(access(device_result(), F_OK), 0);
}

TEST_GROUP(.before_each = device_start, .after_each = device_stop);
