/*
 * The GPU window of the memhelm machine: registers and interrupt line. All
 * modelling is behind memhelm/hwmodel.h; time is in memhelm_gpu_time.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "hw/irq.h"
#include "hw/core/cpu.h"
#include "qapi/error.h"
#include "sysemu/cpu-timers.h"
#include "sysemu/qtest.h"
#include "memhelm.h"
#include "trace-memhelm.h"

bool memhelm_is_peek(void)
{
    return !current_cpu && !qtest_enabled();
}

void memhelm_gpu_show(MemhelmGpuState *s, int64_t t)
{
    bool level = mh_gpu_irq(s->gpu);

    if (t < s->due) {
        return;
    }
    if (level != s->level) {
        trace_memhelm_gpu_irq(t, mh_gpu_now(s->gpu), level);
        s->level = level;
        s->risen = level ? t : -1;
        if (level) {
            memhelm_timeline_woken(s, t);
        }
        qemu_set_irq(s->irq, level);
    }
    if (mh_gpu_ended(s->gpu) && !s->end_notified) {
        trace_memhelm_gpu_latched(t, mh_gpu_now(s->gpu));
        s->end_notified = true;
        notifier_list_notify(&s->ended, s);
    }
}

/* The handler looks for the first time since the line rose. */
static void memhelm_gpu_irq_seen(MemhelmGpuState *s, int64_t t)
{
    uint64_t latency = t - s->risen;

    if (s->risen < 0) {
        return;
    }
    memhelm_timeline_irq(s, s->risen, t);
    s->risen = -1;
    s->irq_latency_count++;
    s->irq_latency_sum += latency;
    s->irq_latency_max = MAX(s->irq_latency_max, latency);
}

/*
 * After an access of the mcu: it may have moved the line, and it took time.
 * The access acts at the cycle of its issue, then the mcu stalls: nothing of
 * the bus is modelled but this number. Other devices cost no stall.
 */
static MemTxResult memhelm_gpu_finish(MemhelmGpuState *s, enum mh_access r)
{
    uint32_t latency = s->cfg.mcu.bus_latency;
    int64_t t = memhelm_now();

    memhelm_gpu_show(s, t);
    s->accesses++;
    if (latency && icount_enabled() && !memhelm_gpu_infinite(s)) {
        trace_memhelm_gpu_stall(t, latency);
        s->stall_cycles += latency;
        memhelm_mcu_stalled(&s->timing, latency);
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
    memhelm_mcu_sync(&s->timing);
    if (memhelm_block_overflowed(s->block)) {
        *data = 0;
        return MEMTX_OK;
    }
    memhelm_gpu_catch_up(s);
    if (addr == MH_REG_IRQ_PENDING) {
        memhelm_gpu_irq_seen(s, memhelm_now());
        s->looks++;
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
    memhelm_mcu_sync(&s->timing);
    if (memhelm_block_overflowed(s->block)) {
        return MEMTX_OK;
    }
    memhelm_gpu_catch_up(s);
    r = mh_gpu_write(s->gpu, addr, size, data);
    if (mh_gpu_committed(s->gpu)) {
        memhelm_gpu_booted(s);
    }
    if (addr == MH_REG_IRQ_PENDING) {
        s->looks = 0;
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
 * arrives as two aligned ones, as on a real core's bus.
 */
static const MemoryRegionOps memhelm_gpu_ops = {
    .read_with_attrs = memhelm_gpu_read,
    .write_with_attrs = memhelm_gpu_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
    .impl = { .min_access_size = 1, .max_access_size = 4 },
};

/*
 * A reset of the mcu leaves the GPU and its time alone: the window is not in
 * the mcu's reset domain. Only the line is driven anew.
 */
static void memhelm_gpu_reset(DeviceState *dev)
{
    MemhelmGpuState *s = MEMHELM_GPU(dev);

    memhelm_mcu_reset(&s->timing);
    qemu_set_irq(s->irq, s->level);
    memhelm_gpu_schedule(s);
}

static void memhelm_gpu_realize(DeviceState *dev, Error **errp)
{
    MemhelmGpuState *s = MEMHELM_GPU(dev);
    struct mh_error err;

    if (!memhelm_mcu_open(&s->timing, s->mcu, s->core_plugin,
                          s->cfg.mcu.core, errp)) {
        return;
    }
    s->gpu = mh_gpu_create(&s->cfg, &err);
    if (!s->gpu) {
        error_setg(errp, "%s", err.text);
        return;
    }
    memhelm_gpu_time_init(s);
}

static void memhelm_gpu_init(Object *obj)
{
    MemhelmGpuState *s = MEMHELM_GPU(obj);

    notifier_list_init(&s->ended);
    notifier_list_init(&s->committed);
    s->risen = -1;
    s->woken = -1;
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
