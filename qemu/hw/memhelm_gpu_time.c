/*
 * The time of the GPU: how far the model may have come at an mcu cycle.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 *  - mcu awake: to the cycle of the access, and every 'quantum' instructions;
 *    an interrupt that a quantum finds is delivered at its end;
 *  - mcu asleep: ahead to the next change of the interrupt line or to the
 *    next timer that could wake the mcu, or to the cycle of a swap of images,
 *    whichever is first. The change is
 *    shown to the mcu at its own cycle ('due'), rounded up to an mcu cycle,
 *    not at the one where QEMU happened to compute it;
 *  - mcu.hz 0, an infinitely fast mcu: GPU time passes only while the mcu
 *    sleeps, one GPU cycle per virtual nanosecond;
 *  - before the first COMMIT the firmware boots, as it has long done when a
 *    driver launches kernels: GPU cycle 0 is that of the COMMIT. Counted from
 *    reset, 20 000 to 50 000 cycles would run without the policy under test,
 *    ten times that with an mcu at 50 MHz. An mcu that sleeps, or is still at
 *    it after MEMHELM_BOOT cycles, waits for none.
 */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "hw/core/cpu.h"
#include "sysemu/cpu-timers.h"
#include "sysemu/qtest.h"
#include "memhelm.h"
#include "trace-memhelm.h"

int64_t memhelm_now(void)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

int64_t memhelm_executed(void)
{
    return icount_enabled() ? icount_get_raw() : 0;
}

bool memhelm_gpu_infinite(MemhelmGpuState *s)
{
    return s->cfg.mcu.hz == 0;
}

/* The last GPU cycle that has begun at mcu cycle t; 0 while time is held. */
static uint64_t memhelm_gpu_cycle(MemhelmGpuState *s, int64_t t)
{
    if (t <= s->start) {
        return 0;
    }
    return (unsigned __int128)(t - s->start) * s->cfg.clock.gpu_hz
           / s->cfg.mcu.hz;
}

/* The mcu cycles in which 'gpu' GPU cycles pass, rounded up. */
static int64_t memhelm_mcu_cycles(MemhelmGpuState *s, uint64_t gpu)
{
    uint64_t hz = s->cfg.clock.gpu_hz;

    return ((unsigned __int128)gpu * s->cfg.mcu.hz + hz - 1) / hz;
}

static bool memhelm_gpu_held(MemhelmGpuState *s)
{
    return s->start == INT64_MAX;
}

/* GPU cycle 0 is mcu cycle t. */
static void memhelm_gpu_start(MemhelmGpuState *s, int64_t t)
{
    s->start = t;
    trace_memhelm_gpu_start(t);
}

/* The mcu cycles in which the model may run ahead at a time. */
static int64_t memhelm_gpu_chunk(MemhelmGpuState *s)
{
    if (memhelm_gpu_infinite(s)) {
        return MEMHELM_AHEAD;
    }
    return MAX(1, memhelm_mcu_cycles(s, MEMHELM_AHEAD));
}

static bool memhelm_gpu_asleep(MemhelmGpuState *s)
{
    return s->mcu->halted && !cpu_has_work(s->mcu);
}

uint64_t memhelm_gpu_present(MemhelmGpuState *s)
{
    return memhelm_gpu_infinite(s) ? mh_gpu_now(s->gpu)
                                   : memhelm_gpu_cycle(s, memhelm_now());
}

uint64_t memhelm_gpu_at(MemhelmGpuState *s, int64_t t)
{
    return memhelm_gpu_infinite(s) ? mh_gpu_now(s->gpu)
                                   : memhelm_gpu_cycle(s, t);
}

int64_t memhelm_gpu_when(MemhelmGpuState *s, uint64_t gpu)
{
    if (memhelm_gpu_infinite(s)) {
        return memhelm_now() + (int64_t)(gpu - mh_gpu_now(s->gpu));
    }
    if (memhelm_gpu_held(s)) {
        return memhelm_now() + MAX(memhelm_mcu_cycles(s, gpu), MEMHELM_HELD);
    }
    return s->start + memhelm_mcu_cycles(s, gpu);
}

void memhelm_gpu_catch_up(MemhelmGpuState *s)
{
    int64_t t = memhelm_now();
    uint64_t target;

    if (s->stopped) {
        return;
    }
    if (memhelm_gpu_held(s) && t >= s->boot_until) {
        memhelm_gpu_start(s, s->boot_until);
    }
    if (!memhelm_gpu_infinite(s)) {
        target = memhelm_gpu_cycle(s, t);
        if (mh_gpu_now(s->gpu) < target && !mh_gpu_ended(s->gpu)) {
            s->due = t;
        }
        /* The model pauses at each change of its interrupt line. */
        while (mh_gpu_now(s->gpu) < target && !mh_gpu_ended(s->gpu)) {
            mh_gpu_advance(s->gpu, target);
        }
    }
    memhelm_gpu_show(s, t);
}

/*
 * The mcu sleeps: run ahead from mcu cycle t. Returns the mcu cycle at
 * which to look again.
 */
static int64_t memhelm_gpu_run_ahead(MemhelmGpuState *s, int64_t t)
{
    /* Within a timer's callback, that timer itself is no longer counted. */
    int64_t other = qemu_clock_deadline_ns_all(QEMU_CLOCK_VIRTUAL,
                                               QEMU_TIMER_ATTR_ALL);
    int64_t limit = memhelm_gpu_chunk(s);
    uint64_t from = mh_gpu_now(s->gpu);
    uint64_t swap = memhelm_swap_cycle(&s->block->swap);
    uint64_t to, reached;

    if (other >= 0 && other < limit) {
        limit = other;
    }
    if (limit == 0) {
        return t + 1; /* another timer is due now: it may wake the mcu */
    }
    to = memhelm_gpu_infinite(s) ? from + limit
                                 : memhelm_gpu_cycle(s, t + limit);
    if (swap > from) {
        to = MIN(to, swap);
    }
    reached = mh_gpu_advance(s->gpu, to);
    if (reached != from) {
        s->due = memhelm_gpu_infinite(s) ? t + (int64_t)(reached - from)
                                         : s->start
                                           + memhelm_mcu_cycles(s, reached);
    }
    trace_memhelm_gpu_ahead(t, from, reached, s->due);
    if (mh_gpu_irq(s->gpu) != s->level || mh_gpu_ended(s->gpu) ||
        reached == swap) {
        return MAX(s->due, t);
    }
    return t + limit;
}

void memhelm_gpu_schedule(MemhelmGpuState *s)
{
    int64_t t = memhelm_now();
    int64_t next;

    s->ahead = false;
    if (s->stopped || s->end_notified) {
        return;
    }
    if (memhelm_gpu_asleep(s)) {
        s->awake_since = memhelm_executed();
        s->ahead = true;
        if (memhelm_gpu_held(s)) {
            memhelm_gpu_start(s, t);
        }
        next = memhelm_gpu_run_ahead(s, t);
    } else if (memhelm_gpu_infinite(s)) {
        return;
    } else if (memhelm_gpu_held(s)) {
        next = s->boot_until;
    } else {
        next = t + s->cfg.mcu.quantum;
    }
    timer_mod(s->tick, next);
}

static void memhelm_gpu_tick(void *opaque)
{
    MemhelmGpuState *s = opaque;

    memhelm_mcu_sync(&s->timing);
    if (memhelm_block_overflowed(s->block)) {
        return;
    }
    memhelm_gpu_catch_up(s);
    if (memhelm_gpu_asleep(s) && memhelm_swap_asleep(&s->block->swap)) {
        return;
    }
    memhelm_gpu_schedule(s);
}

/* The mcu has just executed WFI, at this very cycle. */
static MemhelmGpuState *memhelm_idle_gpu;

static void memhelm_gpu_idle(void)
{
    MemhelmGpuState *s = memhelm_idle_gpu;

    if (s->stopped || s->ahead || !memhelm_gpu_asleep(s)) {
        return;
    }
    timer_del(s->tick);
    memhelm_mcu_sync(&s->timing);
    memhelm_mcu_slept(&s->timing);
    memhelm_timeline_asleep(s, memhelm_now());
    memhelm_gpu_tick(s);
}

void memhelm_gpu_hold(MemhelmGpuState *s)
{
    timer_del(s->tick);
}

void memhelm_gpu_stop(MemhelmGpuState *s)
{
    if (s->stopped) {
        return;
    }
    memhelm_gpu_catch_up(s);
    mh_gpu_latch(s->gpu);
    s->stopped = true;
    timer_del(s->tick);
}

void memhelm_gpu_booted(MemhelmGpuState *s)
{
    if (memhelm_gpu_held(s)) {
        memhelm_gpu_start(s, memhelm_now());
        memhelm_gpu_schedule(s);
    }
}

void memhelm_gpu_boot_until(MemhelmGpuState *s, int64_t t)
{
    s->boot_until = t;
    s->awake_since = memhelm_executed();
    memhelm_gpu_schedule(s);
}

void memhelm_gpu_time_init(MemhelmGpuState *s)
{
    s->boot_until = MEMHELM_BOOT;
    s->start = memhelm_gpu_infinite(s) || qtest_enabled() ? 0 : INT64_MAX;
    s->tick = timer_new_ns(QEMU_CLOCK_VIRTUAL, memhelm_gpu_tick, s);
    memhelm_idle_gpu = s;
    icount_idle_hook = memhelm_gpu_idle;
}
