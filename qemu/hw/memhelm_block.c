/*
 * The machine block of the memhelm machine: end of run, diagnosis, measures
 * of the core; and its uart.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The end of a run is a cycle: whatever ends it latches the statistics there,
 * writes the result and stops the core. Nothing later counts or is printed.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/log.h"
#include "qemu/main-loop.h"
#include "qemu/timer.h"
#include "cpu.h"
#include "chardev/char.h"
#include "hw/qdev-properties.h"
#include "hw/qdev-properties-system.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "sysemu/cpus.h"
#include "sysemu/runstate.h"
#include "memhelm.h"
#include "trace-memhelm.h"

#define FAULT_INTERRUPT 0x80000000u

/* The uart: what is written to TXDATA goes out, at once; it is never full. */
#define UART_TXDATA 0x00
#define UART_BYTES 0x20

/* As the RISC-V privileged specification words them. */
static const char *memhelm_cause_name(uint32_t cause)
{
    static const char *const name[] = {
        "instruction address misaligned", "instruction access fault",
        "illegal instruction", "breakpoint", "load address misaligned",
        "load access fault", "store address misaligned", "store access fault",
        "ecall from U-mode", "ecall from S-mode", "reserved",
        "ecall from M-mode",
    };

    if (cause & FAULT_INTERRUPT) {
        return "interrupt";
    }
    return cause < ARRAY_SIZE(name) ? name[cause] : "unknown cause";
}

static void memhelm_block_stats(MemhelmBlockState *s)
{
    s->stats.accesses = s->gpu->accesses;
    s->stats.stall_cycles = s->gpu->stall_cycles;
    s->stats.boot = s->gpu->start == INT64_MAX ? memhelm_now() : s->gpu->start;
    /* The clock moves by instructions, by stalls, and while the core sleeps. */
    s->stats.awake = memhelm_executed() + s->gpu->timing.applied +
                     s->gpu->stall_cycles;
    s->stats.asleep = memhelm_now() - s->stats.awake;
    s->stats.irq_latency_count = s->gpu->irq_latency_count;
    s->stats.irq_latency_sum = s->gpu->irq_latency_sum;
    s->stats.irq_latency_max = s->gpu->irq_latency_max;
    memhelm_guard_stats(&s->guard, &s->stats);
}

static void memhelm_block_report(enum mh_end end, const struct mh_fault *f)
{
    switch (end) {
    case MH_END_PASS:
        return;
    case MH_END_FAIL:
        error_report("memhelm: FAIL: %s", f->reason);
        return;
    case MH_END_DEADLOCK:
        error_report("memhelm: DEADLOCK: %s", f->reason);
        return;
    default:
        error_report("memhelm: %s: %s; pc 0x%08" PRIx32 " ra 0x%08" PRIx32
                     " mcause 0x%08" PRIx32,
                     end == MH_END_HANG ? "HANG" : "FAULT",
                     f->reason, f->pc, f->ra, f->cause);
    }
}

static void memhelm_block_end(MemhelmBlockState *s, enum mh_end end,
                              const struct mh_fault *fault)
{
    static const int status[] = {
        [MH_END_PASS] = 0, [MH_END_FAIL] = 1,
        [MH_END_FAULT] = 2, [MH_END_HANG] = 3,
        [MH_END_DEADLOCK] = 4,
    };
    int code = status[end];
    Error *core_err = NULL;
    struct mh_error err;

    if (s->ended) {
        return;
    }
    /* Latching may find the cycle limit: it must not start the grace then. */
    s->ended = true;
    memhelm_core_sync(&s->gpu->timing);
    memhelm_gpu_stop(s->gpu);
    memhelm_block_stats(s);
    trace_memhelm_block_end(memhelm_now(), end, fault ? fault->reason : "");
    memhelm_block_report(end, fault);
    if (!memhelm_core_end(&s->gpu->timing, end == MH_END_PASS, &core_err)) {
        error_reportf_err(core_err, "memhelm: ");
        code = MEMHELM_EXIT_INTERRUPTED;
    }
    if (mh_record_close(s->record, s->gpu->gpu, end, &s->stats, fault, &err)) {
        error_report("memhelm: %s", err.text);
        code = MEMHELM_EXIT_INTERRUPTED;
    }
    s->record = NULL;
    timer_del(s->grace);
    timer_del(s->awake);
    memhelm_guard_stop(&s->guard);
    qemu_system_shutdown_request_with_code(SHUTDOWN_CAUSE_GUEST_SHUTDOWN,
                                           code);
    /* No instruction after this one. */
    cpu_stop_current();
}

static void memhelm_block_exit(MemhelmBlockState *s, uint32_t code)
{
    struct mh_fault fault = { .exit_code = code };

    if (code == 0) {
        memhelm_block_end(s, MH_END_PASS, NULL);
        return;
    }
    snprintf(fault.reason, sizeof(fault.reason),
             "the firmware wrote %" PRIu32 " to EXIT", code);
    memhelm_block_end(s, MH_END_FAIL, &fault);
}

static void memhelm_block_fault(MemhelmBlockState *s)
{
    snprintf(s->fault.reason, sizeof(s->fault.reason),
             "unexpected trap, reported by the firmware: %s",
             memhelm_cause_name(s->fault.cause));
    if (!memhelm_guard_fault(&s->guard, &s->fault)) {
        memhelm_block_end(s, MH_END_FAULT, &s->fault);
    }
}

static uint32_t memhelm_block_ra(MemhelmBlockState *s)
{
    return RISCV_CPU(s->core)->env.gpr[xRA];
}

void memhelm_block_trap_loop(MemhelmBlockState *s, uint32_t first_pc,
                             uint32_t first_cause)
{
    CPURISCVState *env = &RISCV_CPU(s->core)->env;
    struct mh_fault fault = {
        .pc = first_pc, .cause = first_cause, .ra = memhelm_block_ra(s),
    };

    snprintf(fault.reason, sizeof(fault.reason),
             "trap loop: the handler (mtvec 0x%08" PRIx32 ") of this %s "
             "trapped itself at 0x%08" PRIx32 ": %s",
             (uint32_t)env->mtvec, memhelm_cause_name(first_cause),
             (uint32_t)env->mepc, memhelm_cause_name(env->mcause));
    if (!memhelm_guard_trap_loop(&s->guard, &fault)) {
        memhelm_block_end(s, MH_END_FAULT, &fault);
    }
}

/* A core that waits in its handler of faults hangs because of the fault. */
static struct mh_fault memhelm_block_where(MemhelmBlockState *s,
                                           const char *what)
{
    CPURISCVState *env = &RISCV_CPU(s->core)->env;
    struct mh_fault fault = {
        .pc = env->pc, .ra = memhelm_block_ra(s), .cause = env->mcause,
    };

    if (s->guard.faulted) {
        fault = s->fault;
        snprintf(fault.reason, sizeof(fault.reason), "%.300s, after an %.300s",
                 what, s->fault.reason);
        return fault;
    }
    snprintf(fault.reason, sizeof(fault.reason), "%s; the core %s", what,
             s->core->halted ? "sleeps" : "is awake");
    return fault;
}

static void memhelm_block_hang(MemhelmBlockState *s, const char *what)
{
    struct mh_fault fault = memhelm_block_where(s, what);

    memhelm_block_end(s, MH_END_HANG, &fault);
}

static void memhelm_block_hang_or_recover(MemhelmBlockState *s,
                                          const char *what)
{
    struct mh_fault fault = memhelm_block_where(s, what);

    if (!memhelm_guard_hang(&s->guard, &fault)) {
        memhelm_block_end(s, MH_END_HANG, &fault);
    }
}

static void memhelm_block_bite(MemhelmGuardState *guard)
{
    MemhelmBlockState *s = container_of(guard, MemhelmBlockState, guard);
    g_autofree char *what =
        g_strdup_printf("watchdog: no finished COMMIT in %" PRIu32 " GPU "
                        "cycles (a policy that needs longer: "
                        "--set mcu.watchdog=0)", guard->timeout);

    memhelm_block_hang_or_recover(s, what);
}

static void memhelm_block_grace_over(void *opaque)
{
    memhelm_block_hang(opaque, "the firmware did not answer the end of the "
                       "run: no EXIT within " stringify(MEMHELM_GRACE)
                       " core cycles");
}

/* The model stands still: no firmware could answer its end. */
static void memhelm_block_deadlock(MemhelmBlockState *s, const char *what)
{
    struct mh_fault fault = { 0 };

    snprintf(fault.reason, sizeof(fault.reason), "%s", what);
    memhelm_block_end(s, MH_END_DEADLOCK, &fault);
}

static void memhelm_block_gpu_ended(Notifier *n, void *data)
{
    MemhelmBlockState *s = container_of(n, MemhelmBlockState, gpu_ended);
    const char *deadlock = mh_gpu_deadlock(s->gpu->gpu);

    if (deadlock) {
        memhelm_block_deadlock(s, deadlock);
    } else if (!s->ended) {
        timer_mod(s->grace, memhelm_now() + MEMHELM_GRACE);
    }
}

/* With an infinitely fast core GPU time stands still: only this ends a loop. */
static void memhelm_block_awake_check(void *opaque)
{
    MemhelmBlockState *s = opaque;
    int64_t awake = memhelm_executed() - s->gpu->awake_since;

    if (awake >= MEMHELM_AWAKE_LIMIT) {
        memhelm_block_hang_or_recover(s, "the firmware never slept: no WFI in "
                                      stringify(MEMHELM_AWAKE_LIMIT)
                                      " core cycles");
        awake = 0;
    }
    if (s->ended) {
        return;
    }
    timer_mod(s->awake, memhelm_now() + MEMHELM_AWAKE_LIMIT - awake);
}

/* SIGINT, SIGTERM, quit: no result is written, and the exit code says so. */
static void memhelm_block_shutdown(Notifier *n, void *data)
{
    MemhelmBlockState *s = container_of(n, MemhelmBlockState, shutdown);
    ShutdownCause cause = *(ShutdownCause *)data;

    if (!s->ended) {
        s->ended = true;
        qemu_system_shutdown_request_with_code(cause,
                                               MEMHELM_EXIT_INTERRUPTED);
    }
}

static void memhelm_block_decision(uint32_t cycles, uint64_t *count,
                                   uint64_t *sum, uint64_t *min, uint64_t *max)
{
    if (*count == 0 || cycles < *min) {
        *min = cycles;
    }
    *max = MAX(*max, cycles);
    *sum += cycles;
    (*count)++;
}

static bool memhelm_block_defined(hwaddr addr)
{
    switch (addr) {
#define MH_MACHINE_REG(name, offset, width, access, unit, doc) \
    case offset:
#include "memhelm/registers.def"
        return true;
    default:
        return false;
    }
}

static MemTxResult memhelm_block_read(void *opaque, hwaddr addr,
                                      uint64_t *data, unsigned size,
                                      MemTxAttrs attrs)
{
    MemhelmBlockState *s = opaque;

    *data = 0;
    if (size != 4 || !memhelm_block_defined(addr)) {
        s->stats.bad_accesses += !memhelm_is_peek();
        return MEMTX_ERROR;
    }
    if (!memhelm_is_peek()) {
        memhelm_core_sync(&s->gpu->timing);
    }
    switch (addr) {
    case MH_MACHINE_STALL_LO:
        *data = (uint32_t)s->gpu->stall_cycles;
        break;
    case MH_MACHINE_WATCHDOG:
        *data = s->guard.timeout;
        break;
    case MH_MACHINE_RESETS:
        *data = s->guard.stats.resets;
        break;
    }
    if (!memhelm_is_peek()) {
        trace_memhelm_block_read(memhelm_now(), addr, *data);
    }
    return MEMTX_OK;
}

/* A write that ends the firmware's work for an event source. */
static void memhelm_block_finish(MemhelmBlockState *s, hwaddr addr)
{
    switch (addr) {
#define MH_SOURCE(name, field, irq, reg, raised, missed) \
    case MH_MACHINE_##reg: \
        memhelm_core_finish(&s->gpu->timing, MH_SOURCE_##name); \
        break;
#include "memhelm/registers.def"
    }
}

static void memhelm_block_set(MemhelmBlockState *s, hwaddr addr, uint32_t value)
{
    struct mh_core_stats *stats = &s->stats;

    memhelm_block_finish(s, addr);
    switch (addr) {
    case MH_MACHINE_EXIT:
        memhelm_block_exit(s, value);
        break;
    case MH_MACHINE_BEGIN:
        memhelm_core_begin(&s->gpu->timing, value);
        break;
    case MH_MACHINE_DECISION:
        memhelm_block_decision(value, &stats->decisions, &stats->decision_sum,
                               &stats->decision_min, &stats->decision_max);
        break;
    case MH_MACHINE_WALK_DECISION:
        memhelm_block_decision(value, &stats->walk_decisions,
                               &stats->walk_decision_sum,
                               &stats->walk_decision_min,
                               &stats->walk_decision_max);
        break;
    case MH_MACHINE_ARRIVAL_DECISION:
        memhelm_block_decision(value, &stats->arrival_decisions,
                               &stats->arrival_decision_sum,
                               &stats->arrival_decision_min,
                               &stats->arrival_decision_max);
        break;
    case MH_MACHINE_EVENT_DECISION:
        memhelm_block_decision(value, &stats->event_decisions,
                               &stats->event_decision_sum,
                               &stats->event_decision_min,
                               &stats->event_decision_max);
        break;
    case MH_MACHINE_WATCHDOG:
        memhelm_guard_set(&s->guard, value);
        break;
    case MH_MACHINE_WATCHDOG_KICK:
        memhelm_guard_kick(&s->guard);
        break;
    case MH_MACHINE_STACK_USED:
        stats->stack_used = value;
        break;
    case MH_MACHINE_FAULT_CAUSE:
        s->fault.cause = value;
        break;
    case MH_MACHINE_FAULT_PC:
        s->fault.pc = value;
        break;
    case MH_MACHINE_FAULT_RA:
        s->fault.ra = value;
        break;
    case MH_MACHINE_FAULT:
        if (value == 1) {
            memhelm_block_fault(s);
        }
        break;
    default:
        qemu_log_mask(LOG_GUEST_ERROR, "%s: register 0x%x is read-only\n",
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
    if (size != 4 || !memhelm_block_defined(addr)) {
        s->stats.bad_accesses++;
        return MEMTX_ERROR;
    }
    memhelm_core_sync(&s->gpu->timing);
    trace_memhelm_block_write(memhelm_now(), addr, data);
    if (!s->ended) {
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

static uint64_t memhelm_uart_read(void *opaque, hwaddr addr, unsigned size)
{
    return 0;
}

static void memhelm_uart_write(void *opaque, hwaddr addr, uint64_t data,
                               unsigned size)
{
    MemhelmBlockState *s = opaque;
    uint8_t byte = data;

    if (addr == UART_TXDATA && !s->ended && !memhelm_is_peek()) {
        /* Waits for a slow reader: no character is ever lost. */
        qemu_chr_fe_write_all(&s->chr, &byte, 1);
    }
}

static const MemoryRegionOps memhelm_uart_ops = {
    .read = memhelm_uart_read,
    .write = memhelm_uart_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
    .impl = { .min_access_size = 1, .max_access_size = 4 },
};

/* What the core was about to report is void; what it measured is kept. */
static void memhelm_block_reset(DeviceState *dev)
{
    MemhelmBlockState *s = MEMHELM_BLOCK(dev);

    memset(&s->fault, 0, sizeof(s->fault));
}

static void memhelm_block_realize(DeviceState *dev, Error **errp)
{
    MemhelmBlockState *s = MEMHELM_BLOCK(dev);
    struct mh_error err;

    s->record = mh_record_open(s->run, &s->gpu->cfg, s->gpu->gpu, &err);
    if (!s->record) {
        error_setg(errp, "%s", err.text);
        return;
    }
    s->grace = timer_new_ns(QEMU_CLOCK_VIRTUAL, memhelm_block_grace_over, s);
    s->awake = timer_new_ns(QEMU_CLOCK_VIRTUAL, memhelm_block_awake_check, s);
    if (s->gpu->cfg.mcu.hz == 0) {
        timer_mod(s->awake, MEMHELM_AWAKE_LIMIT);
    }
    memhelm_guard_init(&s->guard, dev, s->gpu, memhelm_block_bite);
    s->gpu_ended.notify = memhelm_block_gpu_ended;
    notifier_list_add(&s->gpu->ended, &s->gpu_ended);
    s->shutdown.notify = memhelm_block_shutdown;
    qemu_register_shutdown_notifier(&s->shutdown);
}

static void memhelm_block_init(Object *obj)
{
    MemhelmBlockState *s = MEMHELM_BLOCK(obj);

    memory_region_init_io(&s->mmio, obj, &memhelm_block_ops, s,
                          TYPE_MEMHELM_BLOCK, MH_MACHINE_BYTES);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    memory_region_init_io(&s->uart, obj, &memhelm_uart_ops, s,
                          "memhelm-uart", UART_BYTES);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->uart);
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
