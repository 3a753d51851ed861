/*
 * The guard of the memhelm machine: a watchdog, and what follows a fault.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * With mcu.on_fault stop a fault, a trap loop or a bite ends the run, so that
 * somebody looks at it. With recover the GPU goes on, under the knobs that
 * were committed last, until the watchdog bites; then all knobs go to their
 * reset values and the mcu alone is reset and boots again. In a trap loop
 * time stands still, so that no watchdog could bite: the reset is at once. But
 * firmware that traps after each reset would be reset thousands of times: less
 * than an epoch after a reset the mcu waits for the bite, as after a fault. And
 * firmware that has been reset MEMHELM_RESETS times without answering an epoch
 * will not do so any more: the mcu stays in reset, and the GPU goes on without
 * it. An infinitely fast mcu hangs without GPU time: MEMHELM_SLEEPLESS such
 * hangs are enough, each found earlier than the one before.
 *
 * The watchdog is armed before the mcu's first instruction. Until the GPU's
 * time begins, at the first COMMIT or after the time for a boot, its period
 * stands still. Firmware may shorten the period while it boots; after that,
 * firmware that hangs cannot switch it off.
 *
 * A kick counts behind the first COMMIT since reset, and behind one, applied or
 * rejected, that answered an epoch of timer 0 since the last kick that counted,
 * if DECISION has told of the epoch before. SNAPSHOT, COMMIT and kick in a loop
 * that never comes back to decide answer epochs, and are bitten. Kicks behind
 * other COMMITs (walk epochs, events of tenants) are legal and feed nothing: a
 * loop of COMMIT and kick is bitten. So is an mcu that is too slow: decisions
 * that take more than half an epoch need a longer period.
 *
 * A fault before the first COMMIT ends the run with both settings, as anything
 * does after the end of the GPU's run: there is nothing to keep going.
 */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "hw/core/cpu.h"
#include "hw/qdev-core.h"
#include "memhelm.h"
#include "trace-memhelm.h"

#define NOTHING_LOST UINT64_MAX

static bool memhelm_guard_keeps_going(MemhelmGuardState *g)
{
    return g->recover && !mh_gpu_ended(g->gpu->gpu);
}

/* Who is reset again and again without time passing would never end. */
static bool memhelm_guard_may_reset(MemhelmGuardState *g)
{
    return memhelm_guard_keeps_going(g) &&
           mh_gpu_now(g->gpu->gpu) > g->reset_at;
}

/* The time-out that the configuration asks for, GPU cycles; 0: none. */
static uint32_t memhelm_guard_reset_value(MemhelmGuardState *g)
{
    const struct mh_config *cfg = &g->gpu->cfg;

    return MIN(cfg->mcu.watchdog * cfg->run.epoch / 1000, UINT32_MAX);
}

static void memhelm_guard_schedule(MemhelmGuardState *g)
{
    if (g->timeout == 0 || g->given_up || mh_gpu_ended(g->gpu->gpu)) {
        timer_del(g->timer);
        return;
    }
    timer_mod(g->timer, MAX(g->boot, memhelm_gpu_when(g->gpu, g->since +
                                                      g->timeout)));
}

/* After a trap loop. */
static bool memhelm_guard_may_reset_at_once(MemhelmGuardState *g)
{
    return g->stats.resets == 0 ||
           mh_gpu_now(g->gpu->gpu) - g->reset_at >= g->gpu->cfg.run.epoch;
}

void memhelm_guard_set(MemhelmGuardState *g, uint32_t timeout)
{
    uint32_t most = memhelm_guard_reset_value(g);

    if (g->locked || timeout > most || (timeout == 0 && most != 0)) {
        g->bad_periods++;
        return;
    }
    g->timeout = timeout;
    memhelm_guard_schedule(g);
}

void memhelm_guard_kick(MemhelmGuardState *g)
{
    if (!g->committed) {
        g->bad_kicks++;
        return;
    }
    g->committed = false;
    if (!g->due || g->undecided) {
        return;
    }
    g->due = false;
    g->undecided = g->kicked;
    g->kicked = true;
    g->commits = 0;
    g->since = memhelm_gpu_present(g->gpu);
    trace_memhelm_guard_kick(memhelm_now(), g->since);
    memhelm_guard_schedule(g);
}

void memhelm_guard_decided(MemhelmGuardState *g)
{
    g->undecided = false;
}

/* The boot ends with its first COMMIT; after that only epochs count. */
static void memhelm_guard_answered(MemhelmGuardState *g)
{
    uint64_t answered = mh_gpu_epochs_answered(g->gpu->gpu);

    g->committed = true;
    g->commits++;
    g->due = g->due || !g->booted || answered != g->answered;
    if (answered != g->answered) {
        g->resets_in_row = 0;
    }
    g->answered = answered;
    if (!g->booted) {
        g->booted = true;
        g->boot = 0;
        g->commits = 0;
        g->since = mh_gpu_now(g->gpu->gpu);
        memhelm_guard_schedule(g);
    }
}

static void memhelm_guard_committed(Notifier *n, void *data)
{
    MemhelmGuardState *g = container_of(n, MemhelmGuardState, commit);
    uint64_t now = mh_gpu_now(g->gpu->gpu);
    uint32_t rejected;

    memhelm_guard_answered(g);
    mh_gpu_peek(g->gpu->gpu, MH_REG_COMMIT_STATUS, 4, &rejected);
    if (rejected) {
        return;
    }
    if (g->lost_since != NOTHING_LOST) {
        g->stats.cycles_lost += now - g->lost_since;
        g->lost_since = NOTHING_LOST;
    }
    g->ran = true;
    g->locked = true;
}

/* The first one is kept whole. */
static void memhelm_guard_note(MemhelmGuardState *g, uint64_t cycle,
                               const struct mh_fault *what)
{
    if (!mh_recovery_any(&g->stats)) {
        g->stats.first_cycle = cycle;
        g->stats.first = *what;
    }
}

static void memhelm_guard_lost(MemhelmGuardState *g, uint64_t since)
{
    if (g->lost_since == NOTHING_LOST) {
        g->lost_since = since;
    }
}

/*
 * Not by CPU_INTERRUPT_RESET: that would forget, in the middle of the mcu's
 * loop, how many instructions it has executed. As queued work it runs where
 * they are accounted for.
 */
static void memhelm_guard_reset_mcu(CPUState *cs, run_on_cpu_data data)
{
    MemhelmGuardState *g = data.host_ptr;

    memhelm_swap_place(&g->gpu->block->swap);
    memhelm_core_reset(cs);
    if (g->given_up) {
        memhelm_core_park(cs);
    }
    g->gpu->awake_since = memhelm_executed();
    device_cold_reset(g->block);
    device_cold_reset(DEVICE(g->gpu));
}

/* As before the mcu's first instruction, but that GPU time goes on. */
static void memhelm_guard_restart(MemhelmGuardState *g, int64_t t)
{
    g->faulted = false;
    g->committed = false;
    g->booted = false;
    g->locked = false;
    g->due = false;
    g->kicked = false;
    g->undecided = false;
    g->commits = 0;
    g->timeout = memhelm_guard_reset_value(g);
    g->since = mh_gpu_now(g->gpu->gpu);
    g->reset_at = g->since;
    g->boot = t + MEMHELM_BOOT;
}

/* A boot that does not come to its first COMMIT is bitten as well, later. */
static void memhelm_guard_recover(MemhelmGuardState *g)
{
    int64_t t = memhelm_now();

    /* First: setting a timer moves the clock on while the mcu has no work. */
    async_run_on_cpu(g->gpu->mcu, memhelm_guard_reset_mcu,
                     RUN_ON_CPU_HOST_PTR(g));
    cpu_exit(g->gpu->mcu);
    mh_gpu_safe(g->gpu->gpu);
    memset(g->gpu->block->state, 0, sizeof(g->gpu->block->state));
    memhelm_gpu_catch_up(g->gpu); /* the line has fallen */
    memhelm_gpu_hold(g->gpu);
    g->stats.resets++;
    g->given_up = ++g->resets_in_row == MEMHELM_RESETS ||
                  g->sleepless == MEMHELM_SLEEPLESS ||
                  !memhelm_swap_failed(&g->gpu->block->swap);
    memhelm_guard_restart(g, t);
    trace_memhelm_guard_reset(t, g->since, g->stats.resets);
    memhelm_guard_schedule(g);
}

void memhelm_guard_swapped(MemhelmGuardState *g)
{
    g->given_up = false;
    g->resets_in_row = 0;
    memhelm_guard_restart(g, memhelm_now());
    memhelm_guard_schedule(g);
}

bool memhelm_guard_fault(MemhelmGuardState *g, const struct mh_fault *fault)
{
    uint64_t cycle;

    memhelm_gpu_catch_up(g->gpu);
    if (!g->ran || !memhelm_guard_keeps_going(g)) {
        return false;
    }
    cycle = mh_gpu_now(g->gpu->gpu);
    trace_memhelm_guard_fault(memhelm_now(), cycle, fault->reason);
    memhelm_guard_note(g, cycle, fault);
    memhelm_guard_lost(g, cycle);
    g->stats.faults++;
    g->faulted = true;
    return true;
}

bool memhelm_guard_trap_loop(MemhelmGuardState *g, const struct mh_fault *fault)
{
    if (!memhelm_guard_fault(g, fault)) {
        return false;
    }
    if (memhelm_guard_may_reset_at_once(g)) {
        memhelm_guard_recover(g);
    } else {
        memhelm_core_park(g->gpu->mcu);
    }
    return true;
}

bool memhelm_guard_hang(MemhelmGuardState *g, const struct mh_fault *fault)
{
    if (!memhelm_guard_may_reset(g)) {
        return false;
    }
    trace_memhelm_guard_bite(memhelm_now(), mh_gpu_now(g->gpu->gpu));
    memhelm_guard_note(g, mh_gpu_now(g->gpu->gpu), fault);
    memhelm_guard_lost(g, g->since);
    g->stats.bites++;
    memhelm_guard_recover(g);
    return true;
}

void memhelm_guard_boot_until(MemhelmGuardState *g, int64_t t)
{
    g->boot = t;
    memhelm_guard_schedule(g);
}

void memhelm_guard_power_cut(MemhelmGuardState *g)
{
    memhelm_gpu_catch_up(g->gpu);
    if (mh_gpu_ended(g->gpu->gpu)) {
        return;
    }
    if (g->ran) {
        memhelm_guard_lost(g, mh_gpu_now(g->gpu->gpu));
    }
    memhelm_guard_recover(g);
}

/*
 * An awake mcu would have the timer at each instruction where a period is, or
 * has left, a few cycles. Asleep, GPU time goes on and the bite is exact.
 */
static void memhelm_guard_look_again(MemhelmGuardState *g)
{
    int64_t least = memhelm_now() + MEMHELM_LOOK;

    memhelm_guard_schedule(g);
    if (memhelm_gpu_infinite(g->gpu) && !g->gpu->mcu->halted &&
        timer_pending(g->timer) && timer_expire_time_ns(g->timer) < least) {
        timer_mod(g->timer, least);
    }
}

static void memhelm_guard_timer(void *opaque)
{
    MemhelmGuardState *g = opaque;

    memhelm_mcu_sync(&g->gpu->timing);
    /* An infinitely fast mcu: GPU time has stood still for a while. */
    if (memhelm_gpu_present(g->gpu) < g->since + g->timeout) {
        memhelm_guard_look_again(g);
        return;
    }
    memhelm_gpu_catch_up(g->gpu);
    if (!mh_gpu_ended(g->gpu->gpu)) {
        g->bite(g);
    }
}

static void memhelm_guard_gpu_ended(Notifier *n, void *data)
{
    timer_del(container_of(n, MemhelmGuardState, ended)->timer);
}

char *memhelm_guard_since(MemhelmGuardState *g)
{
    g_autofree char *both = memhelm_swap_both_failed(&g->gpu->block->swap);
    g_autofree char *resets =
        g->stats.resets == 0 ? g_strdup("")
        : g_strdup_printf(" (%" PRIu32 " reset%s)", g->stats.resets,
                          g->stats.resets == 1 ? "" : "s");

    if (g->sleepless == MEMHELM_SLEEPLESS) {
        return g_strdup_printf("the mcu was left in reset after it had not "
                               "slept " stringify(MEMHELM_SLEEPLESS)
                               " times%s", resets);
    }
    if (g->given_up && both) {
        return g_steal_pointer(&both);
    }
    if (g->given_up) {
        return g_strdup_printf("the mcu was left in reset after "
                               stringify(MEMHELM_RESETS) " resets without an "
                               "answered epoch%s", resets);
    }
    if (!g->booted) {
        return g_strdup_printf("no COMMIT since the mcu's reset%s", resets);
    }
    return g_strdup_printf("no %s since GPU cycle %" PRIu64 "%s",
                           g->commits ? "kick that counts" : "finished COMMIT",
                           g->since, resets);
}

void memhelm_guard_stats(MemhelmGuardState *g, struct mh_mcu_stats *stats)
{
    stats->bad_kicks = g->bad_kicks;
    stats->bad_periods = g->bad_periods;
    stats->recovery = g->stats;
    if (g->lost_since != NOTHING_LOST) {
        stats->recovery.cycles_lost += mh_gpu_now(g->gpu->gpu) - g->lost_since;
    }
}

void memhelm_guard_stop(MemhelmGuardState *g)
{
    timer_del(g->timer);
}

void memhelm_guard_init(MemhelmGuardState *g, DeviceState *block,
                        MemhelmGpuState *gpu,
                        void (*bite)(MemhelmGuardState *g))
{
    g->block = block;
    g->gpu = gpu;
    g->bite = bite;
    g->recover = gpu->cfg.mcu.on_fault == MH_ON_FAULT_RECOVER;
    g->lost_since = NOTHING_LOST;
    g->timeout = memhelm_guard_reset_value(g);
    g->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, memhelm_guard_timer, g);
    g->commit.notify = memhelm_guard_committed;
    notifier_list_add(&gpu->committed, &g->commit);
    g->ended.notify = memhelm_guard_gpu_ended;
    notifier_list_add(&gpu->ended, &g->ended);
    memhelm_guard_schedule(g);
}
