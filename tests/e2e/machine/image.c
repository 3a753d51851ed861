/*
 * Bare images that look at the machine itself, without the firmware's boot code and library. One per -DIMAGE=name.
 * `trap` is the handler of all of them; interrupts are taken only by those that enable them.
 */
#include <stdint.h>

#include "end.h"
#include "memhelm/registers.h"

enum { MTIMECMP = MH_ACLINT_BASE + 0x4000, MTIME = MH_ACLINT_BASE + 0xbff8, MTIE = 0x80, MEIE = 0x800, MIE = 8 };

static inline uint32_t get(uint32_t address)
{
    return *(volatile uint32_t *)address;
}

static inline void set(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)address = value;
}

static void stop(uint32_t code)
{
    set(MH_MACHINE_BASE + MH_MACHINE_EXIT, code);
    /* The mcu is stopped at that store: none of these may come out. */
    for (;;)
        set(MH_UART_BASE, '!');
}

static volatile uint32_t events, deaf;

static void acknowledge(void)
{
    uint32_t pending = get(MH_GPU_BASE + MH_REG_IRQ_PENDING);

    if (deaf)
        return;
    set(MH_GPU_BASE + MH_REG_IRQ_PENDING, pending);
    set(MH_GPU_BASE + MH_REG_SNAPSHOT, 1);
    set(MH_UART_BASE, '.');
    events++;
    if (pending & MH_IRQ_EVENT)
        stop(0);
}

static void start_timer(void)
{
    set(MH_GPU_BASE + MH_REG_TIMER_INTERVAL, 3331);
    set(MH_GPU_BASE + MH_REG_TIMER_CTRL, 2);
    set(MH_GPU_BASE + MH_REG_IRQ_ENABLE, MH_IRQ_TIMER0 | MH_IRQ_EVENT);
}

/* The timer's interrupt is enabled and never acknowledged: `trap` comes back and is entered again. */
static inline void never_acknowledges(void)
{
    deaf = 1;
    set(MH_GPU_BASE + MH_REG_TIMER_INTERVAL, 3331);
    set(MH_GPU_BASE + MH_REG_TIMER_CTRL, 2);
    set(MH_GPU_BASE + MH_REG_IRQ_ENABLE, MH_IRQ_TIMER0);
    set(MH_GPU_BASE + MH_REG_COMMIT, 1);
    __asm__ volatile("csrw mie, %0; csrsi mstatus, 8" ::"r"(MEIE));
    for (;;)
        __asm__ volatile("wfi");
}

/* Sleeps between the interrupts of a periodic timer. */
static inline void sleeper(void)
{
    start_timer();
    __asm__ volatile("csrw mie, %0; csrsi mstatus, 8" ::"r"(MEIE));
    for (;;)
        __asm__ volatile("wfi");
}

/* Woken by its own timer 100 times, 1000 mcu cycles apart; the GPU raises nothing. */
static inline void alarm_clock(void)
{
    set(MTIMECMP + 4, 0);
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t due = get(MTIME) + 1000;

        set(MTIMECMP, due);
        __asm__ volatile("csrw mie, %0; wfi; csrw mie, zero" ::"r"(MTIE));
        /* WFI may also end early; late it must not be, but for the instructions of this loop. */
        if (get(MTIME) - due > 16)
            stop(1);
        set(MH_GPU_BASE + MH_REG_SNAPSHOT, 1);
    }
    end_of_run();
}

static inline void two_loads(void)
{
    __asm__ volatile("lw a0, 0(%0); lw a1, 0(%0)" ::"r"(MH_GPU_BASE) : "a0", "a1", "memory");
    end_of_run();
}

/* GPU time begins at the first COMMIT, however long the boot takes: 0 before, and then what has passed since. */
static uint32_t gpu_cycle(void)
{
    set(MH_GPU_BASE + MH_REG_SNAPSHOT, 1);
    return get(MH_GPU_BASE + MH_REG_SNAP_CYCLE_LO);
}

static inline void boots(void)
{
    for (uint32_t i = 0; i < 20000; i++)
        __asm__ volatile("nop");
    if (gpu_cycle() != 0)
        stop(1);
    set(MH_GPU_BASE + MH_REG_COMMIT, 1);
    uint32_t passed = gpu_cycle();

    if (passed == 0 || passed > 500)
        stop(2);
    end_of_run();
}

static inline void passes_at_once(void)
{
    stop(0);
}

static inline void sleeps_for_ever(void)
{
    for (;;)
        __asm__ volatile("wfi");
}

static inline void never_sleeps(void)
{
    for (;;)
        ;
}

/* The handler below goes on to the next instruction: here, a store into a hole, again and again. */
static inline void trap_in_handler(void)
{
    __asm__ volatile("li sp, 0x8000; unimp");
}

/* Is there such a CSR? The trap vector is behind the access: no handler, no mret. */
static inline void probes(void)
{
    for (uint32_t i = 0; i < 3000; i++)
        __asm__ volatile(".balign 4; la t0, 1f; csrw mtvec, t0; csrr t0, 0x5ff; .balign 4; 1:" ::: "t0");
    end_of_run();
}

static inline void vector_in_hole(void)
{
    __asm__ volatile("csrw mtvec, %0; unimp" ::"r"(0x30000000));
}

static inline void hangs_in_handler(void)
{
    __asm__ volatile("ecall");
}

static inline void fails(void)
{
    set(MH_UART_BASE, 'x');
    stop(7);
}

static inline void reports_fault(void)
{
    set(MH_MACHINE_BASE + MH_MACHINE_FAULT_CAUSE, 7);
    set(MH_MACHINE_BASE + MH_MACHINE_FAULT_PC, 0x1234);
    set(MH_MACHINE_BASE + MH_MACHINE_FAULT_RA, 0x5678);
    set(MH_MACHINE_BASE + MH_MACHINE_FAULT, 1);
    for (;;)
        set(MH_UART_BASE, '!');
}

/* On an interrupt: acknowledge. On ecall: hang. Else: a frame on a stack that may not be there. */
__attribute__((interrupt, aligned(4))) static void trap(void)
{
    int32_t cause;

    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    if (cause == 11)
        never_sleeps();
    if (cause < 0)
        acknowledge();
}

void start(void)
{
    __asm__ volatile("csrw mtvec, %0" ::"r"(trap));
    IMAGE();
}

__attribute__((naked, section(".text.start"))) void _start(void)
{
    __asm__ volatile("li sp, %0; j start" ::"i"(MH_DTCM_BASE + MH_DTCM_BYTES));
}
