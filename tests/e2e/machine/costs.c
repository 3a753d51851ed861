/*
 * Decisions of 400 divisions each, in code that no table of functions tells the cost of, and images that say less than
 * their decisions take. One per -DIMAGE=name: an own start, an own handler, no protection of memory.
 */
#include <stdint.h>

#include "memhelm/registers.h"

#define typed         0 /* a function of the image's */
#define untyped       1 /* a label */
#define in_data       2 /* copied to data memory */
#define written       3 /* nops, overwritten with divisions */
#define late          4 /* BEGIN when the work is done */
#define after         5 /* the work behind DECISION */
#define honest        6 /* says what it took */

#define GPU(name)     (*(volatile uint32_t *)(MH_GPU_BASE + MH_REG_##name))
#define MACHINE(name) (*(volatile uint32_t *)(MH_MACHINE_BASE + MH_MACHINE_##name))

extern uint32_t work_code[], work_end[], work_slot[];

__asm__(".section .text.start, \"ax\"\n.globl _start\n.type _start, @function\n"
        "_start: la t0, handler\n csrw mtvec, t0\n li sp, 0x203ff0\n j run\n.size _start, . - _start\n"
        ".text\n.option push\n.option norvc\n.balign 4\nwork_code:\n"
#if IMAGE != untyped && IMAGE != in_data
        ".type work_code, @function\n"
#endif
        " li t0, 100\n li t1, 7\n1:\nwork_slot:\n"
#if IMAGE == written
        " nop\n nop\n nop\n nop\n"
#else
        " div t2, t0, t1\n div t2, t0, t1\n div t2, t0, t1\n div t2, t0, t1\n"
#endif
        " addi t0, t0, -1\n bnez t0, 1b\n ret\n"
#if IMAGE != untyped && IMAGE != in_data
        ".size work_code, . - work_code\n"
#endif
        "work_end:\n.option pop\n");

static void prepare(void)
{
#if IMAGE == in_data
    for (uint32_t i = 0; i < (uint32_t)(work_end - work_code); i++)
        ((volatile uint32_t *)(MH_DTCM_BASE + 0x2000))[i] = work_code[i];
#elif IMAGE == written
    for (uint32_t i = 0; i < 4; i++)
        work_slot[i] = 0x0262c3b3; /* div t2, t0, t1 */
#endif
}

static void work(void)
{
    void (*call)(void) = (void (*)(void))(IMAGE == in_data ? (uintptr_t)MH_DTCM_BASE + 0x2000 : (uintptr_t)work_code);

    call();
}

static uint32_t mcycle(void)
{
    uint32_t now;

    (void)MACHINE(STALL_LO); /* exact behind an access */
    __asm__ volatile("csrr %0, mcycle" : "=r"(now)::"memory");
    return now;
}

static void epoch(void)
{
    if (IMAGE == late)
        work();
    MACHINE(BEGIN) = MH_SOURCE_EPOCH;

    uint32_t from = mcycle();

    if (IMAGE != late && IMAGE != after)
        work();
    MACHINE(DECISION) = IMAGE == honest ? mcycle() - from : 1;
    if (IMAGE == after)
        work();
    GPU(COMMIT) = 1;
}

__attribute__((interrupt("machine"), aligned(4), used)) static void handler(void)
{
    uint32_t pending = GPU(IRQ_PENDING);

    GPU(IRQ_PENDING) = pending;
    if (pending & MH_IRQ_TIMER0)
        epoch();
    if ((pending & MH_IRQ_EVENT) && (GPU(EVENT_POP) & 255) == MH_EVENT_HOST_STOP)
        MACHINE(EXIT) = 0;
}

__attribute__((used)) static void run(void)
{
    prepare();
    GPU(TIMER_INTERVAL) = GPU(CAP_EPOCH);
    GPU(TIMER_CTRL) = 2;
    GPU(COMMIT) = 1;
    GPU(IRQ_ENABLE) = MH_IRQ_TIMER0 | MH_IRQ_EVENT;
    __asm__ volatile("csrw mie, %0\n csrsi mstatus, 8" ::"r"(0x800));
    for (;;)
        __asm__ volatile("wfi");
}
