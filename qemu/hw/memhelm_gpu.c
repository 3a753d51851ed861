/*
 * The GPU window of the memhelm machine: registers, interrupt line and time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All modelling is behind memhelm/hwmodel.h. This file decides only how far
 * the model may have come at a given core cycle:
 *
 *  - core awake: to the cycle of the access, and every 'quantum' instructions;
 *  - core asleep: ahead to the next change of the interrupt line or to the
 *    next timer that could wake the core, whichever is first. The change is
 *    shown to the core at its own cycle ('due'), not at the one where QEMU
 *    happened to compute it;
 *  - clock.mcu 0, an infinitely fast core: GPU time passes only while the
 *    core sleeps, one GPU cycle per virtual nanosecond;
 *  - before the first COMMIT the firmware boots, as it has long done when a
 *    driver launches kernels: GPU cycle 0 is that of the COMMIT. A core that
 *    sleeps, or is still at it after MEMHELM_BOOT cycles, waits for none.
 */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "exec/exec-all.h"
#include "hw/irq.h"
#include "hw/core/cpu.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
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

bool memhelm_is_peek(void)
{
    return !current_cpu && !qtest_enabled();
}

static bool memhelm_infinite(MemhelmGpuState *s)
{
    return s->cfg.mcu.hz == 0;
}

/* The last GPU cycle that has begun at core cycle t; 0 while time is held. */
static uint64_t memhelm_gpu_cycle(MemhelmGpuState *s, int64_t t)
{
    if (t <= s->start) {
        return 0;
    }
    return (unsigned __int128)(t - s->start) * s->cfg.clock.gpu_hz
           / s->cfg.mcu.hz;
}

/* The core cycles in which 'gpu' GPU cycles pass, rounded up. */
static int64_t memhelm_core_cycles(MemhelmGpuState *s, uint64_t gpu)
{
    uint64_t hz = s->cfg.clock.gpu_hz;

    return ((unsigned __int128)gpu * s->cfg.mcu.hz + hz - 1) / hz;
}

static bool memhelm_held(MemhelmGpuState *s)
{
    return s->start == INT64_MAX;
}

/* GPU cycle 0 is core cycle t. */
static void memhelm_gpu_start(MemhelmGpuState *s, int64_t t)
{
    s->start = t;
    trace_memhelm_gpu_start(t);
}

/* Core cycles in which the model may run ahead at a time. */
static int64_t memhelm_chunk(MemhelmGpuState *s)
{
    if (memhelm_infinite(s)) {
        return MEMHELM_AHEAD;
    }
    return MAX(1, memhelm_core_cycles(s, MEMHELM_AHEAD));
}

static bool memhelm_asleep(MemhelmGpuState *s)
{
    return s->core->halted && !cpu_has_work(s->core);
}

/* Show the model's interrupt line and its end, once their cycle has come. */
static void memhelm_gpu_show(MemhelmGpuState *s, int64_t t)
{
    bool level = mh_gpu_irq(s->gpu);

    if (t < s->due) {
        return;
    }
    if (level != s->level) {
        trace_memhelm_gpu_irq(t, mh_gpu_now(s->gpu), level);
        s->level = level;
        s->risen = level ? t : -1;
        qemu_set_irq(s->irq, level);
    }
    if (mh_gpu_ended(s->gpu) && !s->end_notified) {
        trace_memhelm_gpu_latched(t, mh_gpu_now(s->gpu));
        s->end_notified = true;
        notifier_list_notify(&s->ended, s);
    }
}

uint64_t memhelm_gpu_present(MemhelmGpuState *s)
{
    return memhelm_infinite(s) ? mh_gpu_now(s->gpu)
                               : memhelm_gpu_cycle(s, memhelm_now());
}

int64_t memhelm_gpu_when(MemhelmGpuState *s, uint64_t gpu)
{
    if (memhelm_infinite(s)) {
        return memhelm_now() + (int64_t)(gpu - mh_gpu_now(s->gpu));
    }
    return s->start + memhelm_core_cycles(s, gpu);
}

void memhelm_gpu_catch_up(MemhelmGpuState *s)
{
    int64_t t = memhelm_now();
    uint64_t target;

    if (s->stopped) {
        return;
    }
    if (memhelm_held(s) && t >= MEMHELM_BOOT) {
        memhelm_gpu_start(s, MEMHELM_BOOT);
    }
    if (!memhelm_infinite(s)) {
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
 * The core sleeps: run ahead from core cycle t. Returns the core cycle at
 * which to look again.
 */
static int64_t memhelm_gpu_run_ahead(MemhelmGpuState *s, int64_t t)
{
    /* Within a timer's callback, that timer itself is no longer counted. */
    int64_t other = qemu_clock_deadline_ns_all(QEMU_CLOCK_VIRTUAL,
                                               QEMU_TIMER_ATTR_ALL);
    int64_t limit = memhelm_chunk(s);
    uint64_t from = mh_gpu_now(s->gpu);
    uint64_t to, reached;

    if (other >= 0 && other < limit) {
        limit = other;
    }
    if (limit == 0) {
        return t + 1; /* another timer is due now: it may wake the core */
    }
    to = memhelm_infinite(s) ? from + limit : memhelm_gpu_cycle(s, t + limit);
    reached = mh_gpu_advance(s->gpu, to);
    if (reached != from) {
        s->due = memhelm_infinite(s) ? t + (int64_t)(reached - from)
                                     : s->start
                                       + memhelm_core_cycles(s, reached);
    }
    trace_memhelm_gpu_ahead(t, from, reached, s->due);
    if (mh_gpu_irq(s->gpu) != s->level || mh_gpu_ended(s->gpu)) {
        return MAX(s->due, t);
    }
    return t + limit;
}

static void memhelm_gpu_schedule(MemhelmGpuState *s)
{
    int64_t t = memhelm_now();
    int64_t next;

    s->ahead = false;
    if (s->stopped || s->end_notified) {
        return;
    }
    if (memhelm_asleep(s)) {
        s->awake_since = memhelm_executed();
        s->ahead = true;
        if (memhelm_held(s)) {
            memhelm_gpu_start(s, t);
        }
        next = memhelm_gpu_run_ahead(s, t);
    } else if (memhelm_infinite(s)) {
        return;
    } else if (memhelm_held(s)) {
        next = MEMHELM_BOOT;
    } else {
        next = t + s->cfg.mcu.quantum;
    }
    timer_mod(s->tick, next);
}

static void memhelm_gpu_tick(void *opaque)
{
    MemhelmGpuState *s = opaque;

    memhelm_core_sync(&s->timing);
    memhelm_gpu_catch_up(s);
    memhelm_gpu_schedule(s);
}

/* The core has just executed WFI, at this very cycle. */
static MemhelmGpuState *memhelm_idle_gpu;

static void memhelm_gpu_idle(void)
{
    MemhelmGpuState *s = memhelm_idle_gpu;

    if (s->stopped || s->ahead || !memhelm_asleep(s)) {
        return;
    }
    timer_del(s->tick);
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

/* The handler looks for the first time since the line rose. */
static void memhelm_gpu_irq_seen(MemhelmGpuState *s, int64_t t)
{
    uint64_t latency = t - s->risen;

    if (s->risen < 0) {
        return;
    }
    s->risen = -1;
    s->irq_latency_count++;
    s->irq_latency_sum += latency;
    s->irq_latency_max = MAX(s->irq_latency_max, latency);
}

/* After an access of the core: it may have moved the line, and it took time. */
static MemTxResult memhelm_gpu_finish(MemhelmGpuState *s, enum mh_access r)
{
    uint32_t latency = s->cfg.mcu.bus_latency;
    int64_t t = memhelm_now();

    memhelm_gpu_show(s, t);
    s->accesses++;
    if (latency && icount_enabled() && !memhelm_infinite(s)) {
        trace_memhelm_gpu_stall(t, latency);
        s->stall_cycles += latency;
        memhelm_core_stalled(&s->timing, latency);
        icount_stall(latency);
    }
    return r == MH_ACCESS_OK ? MEMTX_OK : MEMTX_ERROR;
}

static MemTxResult memhelm_gpu_read(void *opaque, hwaddr addr, uint64_t *data,
                                    unsigned size, MemTxAttrs attrs)
{
    MemhelmGpuState *s = opaque;
    uint32_t value = 0;
    enum mh_access r;

    if (memhelm_is_peek() || s->stopped) {
        r = mh_gpu_peek(s->gpu, addr, size, &value);
        *data = value;
        return r == MH_ACCESS_OK ? MEMTX_OK : MEMTX_ERROR;
    }
    memhelm_core_sync(&s->timing);
    memhelm_gpu_catch_up(s);
    if (addr == MH_REG_IRQ_PENDING) {
        memhelm_gpu_irq_seen(s, memhelm_now());
    }
    r = mh_gpu_read(s->gpu, addr, size, &value);
    *data = value;
    trace_memhelm_gpu_read(memhelm_now(), mh_gpu_now(s->gpu), addr, size,
                           value, r != MH_ACCESS_OK);
    return memhelm_gpu_finish(s, r);
}

static MemTxResult memhelm_gpu_write(void *opaque, hwaddr addr, uint64_t data,
                                     unsigned size, MemTxAttrs attrs)
{
    MemhelmGpuState *s = opaque;
    enum mh_access r;

    /* A debugger that writes knobs would change the run it looks at. */
    if (memhelm_is_peek() || s->stopped) {
        return MEMTX_ERROR;
    }
    memhelm_core_sync(&s->timing);
    memhelm_gpu_catch_up(s);
    r = mh_gpu_write(s->gpu, addr, size, data);
    if (memhelm_held(s) && mh_gpu_committed(s->gpu)) {
        memhelm_gpu_start(s, memhelm_now());
        memhelm_gpu_schedule(s);
    }
    if (addr == MH_REG_COMMIT && size == 4 && data == 1) {
        notifier_list_notify(&s->committed, s);
    }
    trace_memhelm_gpu_write(memhelm_now(), mh_gpu_now(s->gpu), addr, size,
                            data, r != MH_ACCESS_OK);
    return memhelm_gpu_finish(s, r);
}

/*
 * Any size reaches the model, which counts the wrong ones. A misaligned word
 * arrives as two aligned ones, as on the real core's bus.
 */
static const MemoryRegionOps memhelm_gpu_ops = {
    .read_with_attrs = memhelm_gpu_read,
    .write_with_attrs = memhelm_gpu_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
    .impl = { .min_access_size = 1, .max_access_size = 4 },
};

/*
 * A reset of the core leaves the GPU and its time alone: the window is not in
 * the core's reset domain. Only the line is driven anew.
 */
static void memhelm_gpu_reset(DeviceState *dev)
{
    MemhelmGpuState *s = MEMHELM_GPU(dev);

    memhelm_core_reset(&s->timing);
    qemu_set_irq(s->irq, s->level);
    memhelm_gpu_schedule(s);
}

static void memhelm_gpu_realize(DeviceState *dev, Error **errp)
{
    MemhelmGpuState *s = MEMHELM_GPU(dev);
    struct mh_error err;

    if (!memhelm_core_open(&s->timing, s->core_plugin, s->cfg.mcu.core,
                           errp)) {
        return;
    }
    s->gpu = mh_gpu_create(&s->cfg, &err);
    if (!s->gpu) {
        error_setg(errp, "%s", err.text);
        return;
    }
    s->start = memhelm_infinite(s) || qtest_enabled() ? 0 : INT64_MAX;
    s->tick = timer_new_ns(QEMU_CLOCK_VIRTUAL, memhelm_gpu_tick, s);
    memhelm_idle_gpu = s;
    icount_idle_hook = memhelm_gpu_idle;
}

static void memhelm_gpu_init(Object *obj)
{
    MemhelmGpuState *s = MEMHELM_GPU(obj);

    notifier_list_init(&s->ended);
    notifier_list_init(&s->committed);
    s->risen = -1;
    memory_region_init_io(&s->mmio, obj, &memhelm_gpu_ops, s,
                          TYPE_MEMHELM_GPU, MH_WINDOW_BYTES);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
}

static void memhelm_gpu_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "memhelm GPU register window";
    dc->realize = memhelm_gpu_realize;
    dc->reset = memhelm_gpu_reset;
    dc->user_creatable = false;
}

static const TypeInfo memhelm_gpu_info = {
    .name = TYPE_MEMHELM_GPU,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(MemhelmGpuState),
    .instance_init = memhelm_gpu_init,
    .class_init = memhelm_gpu_class_init,
};

static void memhelm_gpu_register_types(void)
{
    type_register_static(&memhelm_gpu_info);
}

type_init(memhelm_gpu_register_types)
