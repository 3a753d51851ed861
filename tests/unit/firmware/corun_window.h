/*
 * For tests of policies of co-runs on a fake window: a GPU of 30 SMs of ten CTA slots, CTAs that take a tenth of an SM,
 * counters that go on by themselves, and what the policies' second timer was told. cmocka.h comes first.
 */
#ifndef TESTS_CORUN_WINDOW_H
#define TESTS_CORUN_WINDOW_H

#include "fake_window.h"

enum { CORUN_TEST_TICK = 200, CORUN_TEST_SMS = 30, CORUN_TEST_SLOTS = 10 };

/** What a CTA of the tenant takes: `tenths` of the registers, and one warp. */
static inline void corun_cta(uint32_t tenant, uint32_t tenths)
{
    fake_set(MH_REG_CTA_THREADS + tenant * MH_TENANT_STRIDE, 32);
    fake_set(MH_REG_CTA_REGISTERS + tenant * MH_TENANT_STRIDE, tenths * 1000);
    fake_set(MH_REG_CTA_SHARED + tenant * MH_TENANT_STRIDE, 0);
}

/** Resets the window. Of the bandwidths that can be sustained half are 7200 reads and 7000 DRAM accesses in 2^16
 * cycles. */
static inline void corun_reset(uint32_t tenants)
{
    fake_reset(tenants);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_MISS_QUEUES | MH_FEATURE_CTA_LIMIT | MH_FEATURE_CTA_THROTTLE);
    fake_set(MH_REG_CAP_LANES, 32);
    fake_set(MH_REG_CAP_CTA_SLOTS, CORUN_TEST_SLOTS);
    fake_set(MH_REG_CAP_SM_REGISTERS, 10000);
    fake_set(MH_REG_CAP_SM_SHARED, 10000);
    fake_set(MH_REG_CAP_RATE_INTERVAL, 65536);
    fake_set(MH_REG_CAP_REPLY_BYTES, 160);
    fake_set(MH_REG_CAP_LINE_BYTES, 128);
    fake_set(MH_REG_CAP_NOC_PEAK, 60000);
    fake_set(MH_REG_CAP_DRAM_PEAK, 40000);
    for (uint32_t tenant = 0; tenant < tenants; tenant++)
        corun_cta(tenant, 1);
}

static inline void corun_boot(uint32_t tenants)
{
    corun_reset(tenants);
    fake_boot();
}

/** The tenant's CTAs on an SM. */
static inline void corun_holds(uint32_t sm, uint32_t tenant, uint32_t ctas)
{
    uint32_t word = MH_REG_SM_CTAS_0 + sm * (uint32_t)MH_REG_SM_CTAS_0_STRIDE + tenant / 4 * 4, bits = tenant % 4 * 8;

    fake_set(word, (fake_get(word) & ~(255u << bits)) | ctas << bits);
}

static inline void corun_hold_all(uint32_t tenant, uint32_t ctas)
{
    for (uint32_t sm = 0; sm < CORUN_TEST_SMS; sm++)
        corun_holds(sm, tenant, ctas);
}

/** GPU cycles to the policies' second timer; 0: it does not run. */
static inline uint32_t corun_timer(void)
{
    return fake_get(MH_REG_TIMER_CTRL + 2 * MH_REG_TIMER_CTRL_STRIDE) == GPU_TIMER_ONE_SHOT
               ? fake_get(MH_REG_TIMER_INTERVAL + 2 * MH_REG_TIMER_INTERVAL_STRIDE)
               : 0;
}

/** It was set to `cycles`, and they pass. */
static inline void corun_tick(uint32_t cycles)
{
    assert_int_equal(corun_timer(), cycles);
    fake.logged = 0;
    fake_set(MH_REG_SNAP_CYCLE_LO, fake_get(MH_REG_SNAP_CYCLE_LO) + cycles);
    assert_int_equal(fake_timer_2(), 0);
}

/** Counters go on: requests, of which each is a read, and one in `per_dram` goes to DRAM; and instructions. */
static inline void corun_count_on(uint32_t tenant, uint32_t requests, uint32_t per_dram, uint32_t instructions)
{
    static const enum mh_counter_index same[] = {MH_COUNTER_REQUESTS, MH_COUNTER_REQUEST_READS,
                                                 MH_COUNTER_ISSUE_DEMAND};

    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        fake.reg[fake_counter_offset(tenant, same[i]) / 4] += requests;
    fake.reg[fake_counter_offset(tenant, MH_COUNTER_DRAM_CAUSED) / 4] += requests / per_dram;
    fake.reg[fake_counter_offset(tenant, MH_COUNTER_WARP_INSTR) / 4] += instructions;
}

/** An event, at once. */
static inline void corun_event(uint32_t kind, uint32_t tenant)
{
    fake.events_in = fake.events_out = 0;
    fake.logged = 0;
    fake_event(kind, tenant, 0);
    assert_int_equal(mh_twin_irq(), 0);
}

/** A tenant has come or gone: `there` are. */
static inline void corun_changes(uint32_t kind, uint32_t tenant, uint32_t there)
{
    fake_set(MH_REG_TENANTS, there);
    corun_event(kind, tenant);
}

/** Writes to knobs since `logged` was 0. */
static inline unsigned corun_knobs_written(void)
{
    unsigned count = 0;

    for (unsigned i = 0; i < fake.logged; i++)
        count += fake.log[i].write && fake.log[i].offset >= MH_REG_TOKENS;
    return count;
}

/** An epoch passes, and the policies do nothing, nor wait for their second timer. */
static inline void corun_rests(void)
{
    fake.logged = 0;
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(corun_knobs_written(), 0);
    assert_int_equal(corun_timer(), 0);
}

/** All that is done in ticks behind each other, such as looks at SMs that hold no more CTAs than they may. */
static inline void corun_drains(void)
{
    for (uint32_t ticks = 0; corun_timer() == CORUN_TEST_TICK; ticks++) {
        assert_true(ticks < 20);
        corun_tick(CORUN_TEST_TICK);
    }
}

/* Kernel 0 asks for little and kernel 1 for much. */
static inline void corun_little_and_much(void)
{
    corun_count_on(0, 1000, 2, 10000);
    corun_count_on(1, 20000, 10, 10000);
}

/* Ticks until `length` is waited for. Returns how often only one tenant
 * issued. */
static inline uint32_t corun_until(uint32_t length)
{
    uint32_t alone = 0;

    for (uint32_t ticks = 0; corun_timer() != length; ticks++) {
        assert_true(ticks < 1000);
        alone += fake_knob(CTA_THROTTLE, 0) == 0 || fake_knob(CTA_THROTTLE, 1) == 0;
        corun_little_and_much();
        corun_tick(corun_timer());
    }
    return alone;
}

/* Ticks until none is waited for. */
static inline void corun_until_rest(void)
{
    for (uint32_t ticks = 0; corun_timer(); ticks++) {
        assert_true(ticks < 1000);
        corun_little_and_much();
        corun_tick(corun_timer());
    }
}

/* CCBP has settled: the kernel that asks for little goes first, or none does, and has no rate. */
static inline void corun_settles(bool first)
{
    corun_boot(2);
    (void)corun_until(100000);
    assert_int_equal(fake_get(MH_REG_MISS_QUEUES), 1);
    assert_int_equal(fake_knob(ISSUE_FIRST, 0), first);
    assert_int_equal(fake_knob(ISSUE_FIRST, 1), 0);
    assert_int_equal(fake_knob(ISSUE_RATE, 0), 65535);
}

#endif
