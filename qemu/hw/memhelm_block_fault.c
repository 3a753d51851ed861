/*
 * What goes wrong on the mcu, in words: traps that its firmware reports, trap
 * loops, and hangs, found by the watchdog or because it never sleeps. The
 * guard decides whether the run ends with it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "cpu.h"
#include "memhelm.h"
#include "../plugin/mcu_port.h"

#define FAULT_INTERRUPT 0x80000000u

/* Reads of IRQ_PENDING without an acknowledge, above what a handler needs. */
#define STORM 10

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

/* No access at all is allowed there, and the firmware has locked that. */
static bool memhelm_block_guarded(CPURISCVState *env, uint32_t address)
{
    for (unsigned i = 0; i < MAX_RISCV_PMPS; i++) {
        const pmp_addr_t *range = &env->pmp_state.addr[i];
        const uint8_t allowed = env->pmp_state.pmp[i].cfg_reg;

        if ((allowed & PMP_LOCK) && address >= range->sa &&
            address <= range->ea) {
            return !(allowed & (PMP_READ | PMP_WRITE | PMP_EXEC));
        }
    }
    return false;
}

/* What is at the address of a load, a store or a jump that failed. */
static void memhelm_block_say_address(MemhelmBlockState *s, uint32_t address,
                                      char *text, size_t size)
{
    CPURISCVState *env = &RISCV_CPU(s->mcu)->env;

    if (address >= MH_GPU_BASE && address - MH_GPU_BASE < MH_WINDOW_BYTES) {
        mh_gpu_describe(s->gpu->gpu, address - MH_GPU_BASE, text, size);
    } else if (memhelm_block_guarded(env, address)) {
        snprintf(text, size, "the guard below the stack: it overflowed");
    } else if (address - MH_ITCM_BASE < MH_ITCM_BYTES) {
        snprintf(text, size, "code");
    } else if (address - MH_DTCM_BASE < MH_DTCM_BYTES) {
        snprintf(text, size, "data");
    } else {
        snprintf(text, size, "nothing is there");
    }
}

void memhelm_block_fault(MemhelmBlockState *s)
{
    const uint32_t address = RISCV_CPU(s->mcu)->env.mtval;
    size_t n = snprintf(s->fault.reason, sizeof(s->fault.reason),
                        "unexpected trap, reported by the firmware: %s",
                        memhelm_cause_name(s->fault.cause));

    /* Causes whose mtval is an address; the handler has not trapped since. */
    if (s->fault.cause <= 7 && (0xf3u >> s->fault.cause & 1)) {
        g_autofree char *what = g_malloc(200);

        memhelm_block_say_address(s, address, what, 200);
        snprintf(s->fault.reason + n, sizeof(s->fault.reason) - n,
                 " at 0x%08" PRIx32 " (%s)", address, what);
    }
    if (!(memhelm_swap_proves(&s->swap)
          ? memhelm_guard_trap_loop(&s->guard, &s->fault)
          : memhelm_guard_fault(&s->guard, &s->fault))) {
        memhelm_block_end(s, MH_END_FAULT, &s->fault);
    }
}

static uint32_t memhelm_block_ra(MemhelmBlockState *s)
{
    return RISCV_CPU(s->mcu)->env.gpr[xRA];
}

void memhelm_block_trap_loop(MemhelmBlockState *s, uint32_t first_pc,
                             uint32_t first_cause)
{
    CPURISCVState *env = &RISCV_CPU(s->mcu)->env;

    s->fault.pc = first_pc;
    s->fault.cause = first_cause;
    s->fault.ra = memhelm_block_ra(s);
    snprintf(s->fault.reason, sizeof(s->fault.reason),
             "trap loop: the handler (mtvec 0x%08" PRIx32 ") of this %s "
             "trapped itself at 0x%08" PRIx32 ": %s",
             (uint32_t)env->mtvec, memhelm_cause_name(first_cause),
             (uint32_t)env->mepc, memhelm_cause_name(env->mcause));
    if (!memhelm_guard_trap_loop(&s->guard, &s->fault)) {
        memhelm_block_end(s, MH_END_FAULT, &s->fault);
    }
}

/* Where the locked guard in data memory begins; its base: there is none. */
static uint32_t memhelm_block_guard(CPURISCVState *env)
{
    for (unsigned i = 0; i < MAX_RISCV_PMPS; i++) {
        const pmp_addr_t *range = &env->pmp_state.addr[i];
        const uint8_t allowed = env->pmp_state.pmp[i].cfg_reg;

        if ((allowed & PMP_LOCK) &&
            !(allowed & (PMP_READ | PMP_WRITE | PMP_EXEC)) &&
            range->sa - MH_DTCM_BASE < MH_DTCM_BYTES &&
            range->ea - MH_DTCM_BASE < MH_DTCM_BYTES) {
            return range->sa;
        }
    }
    return MH_DTCM_BASE;
}

static void memhelm_block_overflow(MemhelmBlockState *s, uint32_t pc,
                                   uint32_t sp, uint32_t guard)
{
    struct mh_fault fault = {
        .pc = pc, .ra = memhelm_block_ra(s),
        .cause = RISCV_CPU(s->mcu)->env.mcause,
    };

    snprintf(fault.reason, sizeof(fault.reason),
             "stack overflow: sp is 0x%08" PRIx32 ", in data: a frame stepped "
             "over the guard at 0x%08" PRIx32, sp, guard);
    if (!memhelm_guard_trap_loop(&s->guard, &fault)) {
        memhelm_block_end(s, MH_END_FAULT, &fault);
    }
}

/*
 * A frame larger than the guard reaches data without touching the guard. The
 * plugin looks at each access and knows its instruction; env->pc is the
 * beginning of the block that executes.
 */
bool memhelm_block_overflowed(MemhelmBlockState *s)
{
    CPURISCVState *env = &RISCV_CPU(s->mcu)->env;
    struct mh_mcu_port *port = s->gpu->timing.port;
    uint32_t guard = memhelm_block_guard(env);
    uint32_t pc = env->pc, sp = env->gpr[xSP];

    if (port) {
        port->guard = guard;
    }
    if (port && port->over_pc) {
        pc = port->over_pc;
        sp = port->over_sp;
    }
    /* After a fault the mcu waits for the watchdog: its sp does not move. */
    if (s->ended || s->guard.faulted ||
        sp - MH_DTCM_BASE >= guard - MH_DTCM_BASE) {
        return false;
    }
    memhelm_block_overflow(s, pc, sp, guard);
    return true;
}

/* An mcu that waits in its handler of faults hangs because of the fault. */
static struct mh_fault memhelm_block_where(MemhelmBlockState *s,
                                           const char *what)
{
    CPURISCVState *env = &RISCV_CPU(s->mcu)->env;
    struct mh_fault fault = {
        .pc = env->pc, .ra = memhelm_block_ra(s), .cause = env->mcause,
    };

    if (s->guard.given_up) {
        fault = s->guard.stats.first;
        snprintf(fault.reason, sizeof(fault.reason), "%.300s; the first: %.300s",
                 what, s->guard.stats.first.reason);
        return fault;
    }
    if (s->guard.faulted) {
        fault = s->fault;
        snprintf(fault.reason, sizeof(fault.reason), "%.300s, after %s %.300s",
                 what, s->fault.reason[0] == 'u' ? "an" : "a",
                 s->fault.reason);
        return fault;
    }
    snprintf(fault.reason, sizeof(fault.reason), "%s; the mcu %s", what,
             s->mcu->halted ? "sleeps" : "is awake");
    return fault;
}

/* A fault that the watchdog has not bitten yet is one, whoever finds it, and so
 * are those of an mcu that was given up. */
static void memhelm_block_end_hang(MemhelmBlockState *s,
                                   const struct mh_fault *fault)
{
    bool faulted = s->guard.faulted ||
                   (s->guard.given_up && s->guard.stats.faults);

    memhelm_block_end(s, faulted ? MH_END_FAULT : MH_END_HANG, fault);
}

void memhelm_block_hang(MemhelmBlockState *s, const char *what)
{
    struct mh_fault fault = memhelm_block_where(s, what);

    memhelm_block_end_hang(s, &fault);
}

static void memhelm_block_hang_or_recover(MemhelmBlockState *s,
                                          const char *what)
{
    struct mh_fault fault = memhelm_block_where(s, what);

    if (!memhelm_guard_hang(&s->guard, &fault)) {
        memhelm_block_end_hang(s, &fault);
    }
}

/* What the mcu did instead of answering epochs. */
static char *memhelm_block_bitten(MemhelmGuardState *g)
{
    if (!g->booted) {
        return g_strdup_printf("watchdog: no COMMIT since reset, and %" PRIu32
                               " GPU cycles have passed (a boot that needs "
                               "longer: --set mcu.watchdog=0)", g->timeout);
    }
    if (!g->commits) {
        return g_strdup_printf("watchdog: no finished COMMIT in %" PRIu32
                               " GPU cycles (a policy that needs longer: "
                               "--set mcu.watchdog=0)", g->timeout);
    }
    return g_strdup_printf("watchdog: %" PRIu32 " COMMIT%s in %" PRIu32 " GPU "
                           "cycles, %s (a policy that needs longer: --set "
                           "mcu.watchdog=0)", g->commits,
                           g->commits == 1 ? "" : "s", g->timeout,
                           !g->due ? "none in time for an epoch"
                           : g->undecided
                           ? "and no DECISION for the epoch before them"
                           : "and no kick behind them");
}

static void memhelm_block_bite(MemhelmGuardState *guard)
{
    MemhelmBlockState *s = container_of(guard, MemhelmBlockState, guard);
    g_autofree char *what = memhelm_block_bitten(guard);
    g_autofree char *storm =
        g_strdup_printf("%s; IRQ_PENDING was read %" PRIu32 " times and not "
                        "acknowledged: the same interrupt comes again and "
                        "again", what, s->gpu->looks);

    memhelm_block_hang_or_recover(s, s->gpu->looks >= STORM ? storm : what);
}

enum mh_end memhelm_block_misreported(MemhelmBlockState *s,
                                      struct mh_fault *fault)
{
    static const char *const source[MH_SOURCES] = {
        [MH_SOURCE_EPOCH] = "an epoch",
        [MH_SOURCE_WALK_EPOCH] = "a walk epoch",
        [MH_SOURCE_ARRIVAL] = "walk arrivals",
        [MH_SOURCE_TENANT] = "a tenant's event",
        [MH_SOURCE_PAGE_FAULT] = "page faults",
        [MH_SOURCE_TIMER] = "timer 1",
        [MH_SOURCE_TIMER_2] = "timer 2",
    };
    g_autofree char *passed =
        s->misreport.passed < 0 ? g_strdup("without its BEGIN")
        : g_strdup_printf("but %" PRId64 " had passed since its BEGIN",
                          s->misreport.passed);

    snprintf(fault->reason, sizeof(fault->reason),
             "the firmware reported a decision of %" PRIu32 " mcu cycles for "
             "%s, %s; %" PRIu32 " such report%s", s->misreport.cycles,
             source[s->misreport.source], passed, s->stats.bad_reports,
             s->stats.bad_reports == 1 ? "" : "s");
    return MH_END_FAIL;
}

/* A hang after each reset takes no GPU time, but the host's: look earlier. */
static int64_t memhelm_block_awake_limit(MemhelmBlockState *s)
{
    int64_t limit = MEMHELM_AWAKE_LIMIT >> MIN(2 * s->guard.sleepless, 30);

    return MAX(limit, MEMHELM_AWAKE_LEAST);
}

static void memhelm_block_sleepless(MemhelmBlockState *s)
{
    g_autofree char *what =
        g_strdup_printf("the firmware never slept: no WFI in %" PRId64
                        " mcu cycles", memhelm_block_awake_limit(s));

    s->guard.sleepless++;
    memhelm_block_hang_or_recover(s, what);
}

/* With an infinitely fast mcu GPU time stands still: only this ends a loop. */
static void memhelm_block_awake_check(void *opaque)
{
    MemhelmBlockState *s = opaque;
    int64_t awake = memhelm_executed() - s->gpu->awake_since;

    if (memhelm_boot_running(&s->boot)) {
        awake = 0; /* the ROM never sleeps; the image's time begins behind it */
    }
    if (awake >= memhelm_block_awake_limit(s)) {
        memhelm_block_sleepless(s);
        awake = 0;
    }
    if (s->ended) {
        return;
    }
    timer_mod(s->awake, memhelm_now() + memhelm_block_awake_limit(s) - awake);
}

void memhelm_block_fault_init(MemhelmBlockState *s)
{
    s->awake = timer_new_ns(QEMU_CLOCK_VIRTUAL, memhelm_block_awake_check, s);
    if (s->gpu->cfg.mcu.hz == 0) {
        timer_mod(s->awake, MEMHELM_AWAKE_LIMIT);
    }
    memhelm_guard_init(&s->guard, DEVICE(s), s->gpu, memhelm_block_bite);
}
