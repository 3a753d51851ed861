/*
 * The machine block of the memhelm machine: its registers. What ends a run and
 * what goes wrong are beside it, memhelm_block_end.c and memhelm_block_fault.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "chardev/char.h"
#include "hw/qdev-properties.h"
#include "hw/qdev-properties-system.h"
#include "qapi/error.h"
#include "memhelm.h"
#include "trace-memhelm.h"

static void memhelm_block_decision(uint32_t cycles, struct mh_decisions *d)
{
    if (d->count == 0 || cycles < d->min) {
        d->min = cycles;
    }
    d->max = MAX(d->max, cycles);
    d->sum += cycles;
    d->count++;
}

/* The word of STATE at that address; NULL: there is none. */
static uint32_t *memhelm_block_state(MemhelmBlockState *s, hwaddr addr)
{
    hwaddr index = (addr - MH_MACHINE_STATE) / 4;

    return addr >= MH_MACHINE_STATE && addr % 4 == 0 && index < MH_STATE_WORDS
           ? &s->state[index] : NULL;
}

static bool memhelm_block_defined(MemhelmBlockState *s, hwaddr addr)
{
    switch (addr) {
#define MH_MACHINE_REG(name, offset, width, access, unit, doc) \
    case offset:
#include "memhelm/registers.def"
        return true;
    default:
        return memhelm_block_state(s, addr);
    }
}

static uint32_t memhelm_block_get(MemhelmBlockState *s, hwaddr addr)
{
    const uint32_t *state = memhelm_block_state(s, addr);

    switch (addr) {
    case MH_MACHINE_STALL_LO:
        return s->gpu->stall_cycles;
    case MH_MACHINE_WATCHDOG:
        return s->guard.timeout;
    case MH_MACHINE_RESETS:
        return s->guard.stats.resets;
    default:
        return state ? *state : memhelm_mailbox_read(&s->boot.mailbox, addr);
    }
}

static MemTxResult memhelm_block_read(void *opaque, hwaddr addr,
                                      uint64_t *data, unsigned size,
                                      MemTxAttrs attrs)
{
    MemhelmBlockState *s = opaque;

    *data = 0;
    if (size != 4 || !memhelm_block_defined(s, addr)) {
        s->stats.bad_accesses += !memhelm_is_peek();
        return MEMTX_ERROR;
    }
    if (!memhelm_is_peek()) {
        memhelm_mcu_sync(&s->gpu->timing);
        if (memhelm_block_overflowed(s)) {
            return MEMTX_OK;
        }
    }
    *data = memhelm_block_get(s, addr);
    if (!memhelm_is_peek()) {
        trace_memhelm_block_read(memhelm_now(), addr, *data);
    }
    return MEMTX_OK;
}

/* Status lines, which the host asks for, take long and decide nothing. */
static int64_t memhelm_block_began(MemhelmBlockState *s)
{
    return s->gpu->cfg.run.status_every ? memhelm_mcu_busy(&s->gpu->timing)
                                        : memhelm_mcu_began(&s->gpu->timing);
}

/* The firmware's work for an event source begins. */
static void memhelm_block_begin(MemhelmBlockState *s, uint32_t source)
{
    memhelm_mcu_begin(&s->gpu->timing, source);
    if (source < MH_SOURCES) {
        s->begun[source] = memhelm_now();
        s->busy[source] = memhelm_block_began(s);
        memhelm_timeline_woken(s->gpu, s->begun[source]);
        memhelm_timeline_anchor(s->gpu, s->begun[source]);
    }
}

/* The mcu cycles of a decision: the firmware's if they can be all. */
static uint32_t memhelm_block_counted(MemhelmBlockState *s, uint32_t source,
                                      uint32_t cycles)
{
    int64_t busy = memhelm_mcu_busy(&s->gpu->timing) - s->busy[source];

    if (busy <= (int64_t)cycles + MEMHELM_CLAIM_SLACK) {
        return cycles;
    }
    busy = MIN(busy, UINT32_MAX);
    s->stats.underreported++;
    s->stats.underreported_claim += cycles;
    s->stats.underreported_cycles += busy;
    return busy;
}

/* It ends with a write of its mcu cycles. False: they cannot be right. */
static bool memhelm_block_finish(MemhelmBlockState *s, uint32_t source,
                                 uint32_t *cycles)
{
    int64_t begun = s->begun[source];

    memhelm_mcu_finish(&s->gpu->timing, source);
    if (source == MH_SOURCE_EPOCH) {
        memhelm_guard_decided(&s->guard);
    }
    if (begun >= 0 && *cycles <= memhelm_now() - begun) {
        *cycles = memhelm_block_counted(s, source, *cycles);
        memhelm_timeline_source(s->gpu, source, begun, memhelm_now());
        s->begun[source] = -1;
        return true;
    }
    if (s->stats.bad_reports++ == 0) {
        s->misreport.source = source;
        s->misreport.cycles = *cycles;
        s->misreport.passed = begun >= 0 ? memhelm_now() - begun : -1;
    }
    return false;
}

/* What the firmware has measured of itself, in statistics. */
static bool memhelm_block_measured(struct mh_mcu_stats *stats, hwaddr addr,
                                   uint32_t value)
{
    switch (addr) {
#define MH_SOURCE(name, field, irq, reg, raised, missed) \
    case MH_MACHINE_##reg: \
        memhelm_block_decision(value, &stats->decision[MH_SOURCE_##name]); \
        return true;
#include "memhelm/registers.def"
    case MH_MACHINE_STACK_USED:
        stats->stack_used = value;
        return true;
    default:
        return false;
    }
}

/*
 * True: a measure of a decision that cannot be right, and is not taken. One
 * that leaves something out becomes what was counted.
 */
static bool memhelm_block_refused(MemhelmBlockState *s, hwaddr addr,
                                  uint32_t *value)
{
    switch (addr) {
#define MH_SOURCE(name, field, irq, reg, raised, missed) \
    case MH_MACHINE_##reg: \
        return !memhelm_block_finish(s, MH_SOURCE_##name, value);
#include "memhelm/registers.def"
    default:
        return false;
    }
}

static bool memhelm_block_trapped(MemhelmBlockState *s, hwaddr addr,
                                  uint32_t value)
{
    switch (addr) {
    case MH_MACHINE_FAULT_CAUSE:
        s->fault.cause = value;
        return true;
    case MH_MACHINE_FAULT_PC:
        s->fault.pc = value;
        return true;
    case MH_MACHINE_FAULT_RA:
        s->fault.ra = value;
        return true;
    case MH_MACHINE_FAULT:
        if (value == 1) {
            memhelm_block_fault(s);
        }
        return true;
    default:
        return false;
    }
}

static void memhelm_block_set(MemhelmBlockState *s, hwaddr addr, uint32_t value)
{
    uint32_t *state = memhelm_block_state(s, addr);

    if (state) {
        *state = value;
        return;
    }
    if (memhelm_block_refused(s, addr, &value)) {
        return;
    }
    switch (addr) {
    case MH_MACHINE_EXIT:
        memhelm_block_exit(s, value);
        return;
    case MH_MACHINE_BEGIN:
        memhelm_block_begin(s, value);
        return;
    case MH_MACHINE_WATCHDOG:
        memhelm_guard_set(&s->guard, value);
        return;
    case MH_MACHINE_WATCHDOG_KICK:
        memhelm_guard_kick(&s->guard);
        return;
    }
    if (!memhelm_block_measured(&s->stats, addr, value) &&
        !memhelm_block_trapped(s, addr, value) &&
        !memhelm_boot_write(s, addr, value)) {
        qemu_log_mask(LOG_GUEST_ERROR, "%s: register 0x%x is not written\n",
                      __func__, (unsigned)addr);
    }
}

static MemTxResult memhelm_block_write(void *opaque, hwaddr addr,
                                       uint64_t data, unsigned size,
                                       MemTxAttrs attrs)
{
    MemhelmBlockState *s = opaque;

    if (memhelm_is_peek()) {
        return MEMTX_ERROR;
    }
    if (size != 4 || !memhelm_block_defined(s, addr)) {
        s->stats.bad_accesses++;
        return MEMTX_ERROR;
    }
    memhelm_mcu_sync(&s->gpu->timing);
    trace_memhelm_block_write(memhelm_now(), addr, data);
    if (!s->ended && !memhelm_block_overflowed(s)) {
        memhelm_block_set(s, addr, data);
    }
    return MEMTX_OK;
}

static const MemoryRegionOps memhelm_block_ops = {
    .read_with_attrs = memhelm_block_read,
    .write_with_attrs = memhelm_block_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
    .impl = { .min_access_size = 1, .max_access_size = 4 },
};

/* What the mcu was about to report is void; what it measured is kept. */
static void memhelm_block_reset(DeviceState *dev)
{
    MemhelmBlockState *s = MEMHELM_BLOCK(dev);

    memset(&s->fault, 0, sizeof(s->fault));
    memset(s->begun, -1, sizeof(s->begun));
    memhelm_boot_reset(s);
}

static void memhelm_block_realize(DeviceState *dev, Error **errp)
{
    MemhelmBlockState *s = MEMHELM_BLOCK(dev);

    memhelm_block_fault_init(s);
    memhelm_swap_init(&s->swap, s->run, dev, s->gpu, &s->guard, &s->boot);
    /* After it: who asks last is told first that the GPU has ended. */
    memhelm_block_end_init(s, errp);
    memhelm_boot_init(s);
}

static void memhelm_block_init(Object *obj)
{
    MemhelmBlockState *s = MEMHELM_BLOCK(obj);

    memset(s->begun, -1, sizeof(s->begun));
    memory_region_init_io(&s->mmio, obj, &memhelm_block_ops, s,
                          TYPE_MEMHELM_BLOCK, MH_MACHINE_BYTES);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    memhelm_uart_init(s);
}

static Property memhelm_block_properties[] = {
    DEFINE_PROP_CHR("chardev", MemhelmBlockState, chr),
    DEFINE_PROP_STRING("run", MemhelmBlockState, run),
    DEFINE_PROP_END_OF_LIST(),
};

static void memhelm_block_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "memhelm machine block and uart";
    dc->realize = memhelm_block_realize;
    dc->reset = memhelm_block_reset;
    dc->user_creatable = false;
    device_class_set_props(dc, memhelm_block_properties);
}

static const TypeInfo memhelm_block_info = {
    .name = TYPE_MEMHELM_BLOCK,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(MemhelmBlockState),
    .instance_init = memhelm_block_init,
    .class_init = memhelm_block_class_init,
};

static void memhelm_block_register_types(void)
{
    type_register_static(&memhelm_block_info);
}

type_init(memhelm_block_register_types)
