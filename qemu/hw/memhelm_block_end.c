/*
 * The end of a run is a cycle: whatever ends it latches the statistics there,
 * writes the result and stops the mcu. Nothing later counts or is printed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Exit status of the process:
 *   0  EXIT 0 after the end of the GPU's run
 *   1  EXIT 0 before it; EXIT with another value; a decision reported to have
 *      taken more mcu cycles than had passed since its BEGIN; also: QEMU
 *      refused its arguments, without a result
 *   2  FAULT was written; a trap loop: 1000 traps without an mret, and without
 *      progress; either, while the mcu waited for the watchdog
 *   3  the watchdog bit; no EXIT within MEMHELM_GRACE; with mcu.hz 0 no WFI in
 *      MEMHELM_AWAKE_LIMIT cycles
 *   4  the model stands still
 *   5  SIGINT, SIGTERM, quit; a result that could not be written; a plugin that
 *      counted other instructions than QEMU: no result file, or one that does
 *      not count
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/timer.h"
#include "qapi/error.h"
#include "sysemu/cpus.h"
#include "sysemu/runstate.h"
#include "cpu.h"
#include "memhelm.h"
#include "trace-memhelm.h"

static void memhelm_block_stats(MemhelmBlockState *s)
{
    s->stats.accesses = s->gpu->accesses;
    s->stats.stall_cycles = s->gpu->stall_cycles;
    s->stats.boot = s->gpu->start == INT64_MAX ? memhelm_now() : s->gpu->start;
    /* The clock moves by instructions, by stalls, and while the mcu sleeps. */
    s->stats.awake = memhelm_executed() + s->gpu->timing.applied +
                     s->gpu->stall_cycles;
    s->stats.asleep = memhelm_now() - s->stats.awake;
    s->stats.undecided_cycles = s->gpu->cfg.run.status_every ? 0 :
                                s->gpu->timing.undecided;
    s->stats.irq_latency_count = s->gpu->irq_latency_count;
    s->stats.irq_latency_sum = s->gpu->irq_latency_sum;
    s->stats.irq_latency_max = s->gpu->irq_latency_max;
    memhelm_guard_stats(&s->guard, &s->stats);
    s->stats.swaps = s->swap.swaps;
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

void memhelm_block_end(MemhelmBlockState *s, enum mh_end end,
                       const struct mh_fault *fault)
{
    static const int status[] = {
        [MH_END_PASS] = 0, [MH_END_FAIL] = 1,
        [MH_END_FAULT] = 2, [MH_END_HANG] = 3,
        [MH_END_DEADLOCK] = 4,
    };
    int code = status[end];
    Error *mcu_err = NULL, *boot_err = NULL;
    struct mh_error err;

    if (s->ended) {
        return;
    }
    /* Latching may find the cycle limit: it must not start the grace then. */
    s->ended = true;
    memhelm_mcu_sync(&s->gpu->timing);
    memhelm_gpu_stop(s->gpu);
    memhelm_block_stats(s);
    trace_memhelm_block_end(memhelm_now(), end, fault ? fault->reason : "");
    memhelm_block_report(end, fault);
    if (!memhelm_mcu_end(&s->gpu->timing, end == MH_END_PASS,
                         RISCV_CPU(s->mcu)->env.insns_undone, &mcu_err)) {
        error_reportf_err(mcu_err, "memhelm: ");
        code = MEMHELM_EXIT_INTERRUPTED;
    }
    if (!memhelm_boot_save(s, &boot_err)) {
        error_reportf_err(boot_err, "memhelm: ");
        code = MEMHELM_EXIT_INTERRUPTED;
    }
    if (mh_record_close(s->record, s->gpu->gpu, end, &s->stats, fault, &err)) {
        error_report("memhelm: %s", err.text);
        code = MEMHELM_EXIT_INTERRUPTED;
    }
    s->record = s->gpu->record = NULL;
    timer_del(s->grace);
    timer_del(s->awake);
    memhelm_guard_stop(&s->guard);
    qemu_system_shutdown_request_with_code(SHUTDOWN_CAUSE_GUEST_SHUTDOWN,
                                           code);
    /* No instruction after this one. */
    cpu_stop_current();
}

void memhelm_block_exit(MemhelmBlockState *s, uint32_t code)
{
    struct mh_fault fault = { 0 };
    enum mh_end end;

    /* Whether the run has come to its end at this very cycle. */
    memhelm_gpu_catch_up(s->gpu);
    end = mh_record_exit(&s->gpu->cfg, s->gpu->gpu, code, &fault);
    if (end == MH_END_PASS && s->stats.bad_reports) {
        end = memhelm_block_misreported(s, &fault);
    }
    /* It went on after a trap that it reported, and nothing has bitten yet. */
    if (s->guard.faulted) {
        end = MH_END_FAULT;
        fault = s->fault;
    }
    if (end != MH_END_PASS && memhelm_swap_proves(&s->swap) &&
        memhelm_guard_trap_loop(&s->guard, &fault)) {
        return; /* the image before it boots again */
    }
    memhelm_block_end(s, end, &fault);
}

static void memhelm_block_no_answer(MemhelmBlockState *s)
{
    g_autofree char *since = memhelm_guard_since(&s->guard);
    g_autofree char *what =
        g_strdup_printf("the firmware did not answer the end of the run: no "
                        "EXIT within " stringify(MEMHELM_GRACE) " mcu cycles, "
                        "and %s", since);

    memhelm_block_hang(s, what);
}

/* A boot ROM that is still at it: the image's time begins behind it. */
static void memhelm_block_grace_over(void *opaque)
{
    MemhelmBlockState *s = opaque;

    if (memhelm_boot_running(&s->boot) && !s->mcu->halted) {
        timer_mod(s->grace, memhelm_now() + MEMHELM_GRACE);
    } else {
        memhelm_block_no_answer(s);
    }
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

void memhelm_block_end_init(MemhelmBlockState *s, Error **errp)
{
    struct mh_error err;

    s->record = mh_record_open(s->run, &s->gpu->cfg, s->gpu->gpu, &err);
    if (!s->record) {
        error_setg(errp, "%s", err.text);
        return;
    }
    s->gpu->record = s->record;
    s->grace = timer_new_ns(QEMU_CLOCK_VIRTUAL, memhelm_block_grace_over, s);
    s->gpu_ended.notify = memhelm_block_gpu_ended;
    notifier_list_add(&s->gpu->ended, &s->gpu_ended);
    s->shutdown.notify = memhelm_block_shutdown;
    qemu_register_shutdown_notifier(&s->shutdown);
}
