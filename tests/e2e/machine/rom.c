/*
 * A boot ROM that reads and writes registers of the machine block at random, with values at random, SEED of -DSEED=N,
 * commits now and then, and falls asleep: the machine must end the run in order, whatever comes of that. What ends a
 * run at once is rare: EXIT, FAULT, a BOOT_STATUS of the slot that is not wanted.
 */
#include <stdint.h>

#include "memhelm/boot.h"

/* First: -fno-toplevel-reorder. A register that is not there traps: go on behind the instruction, which may be short.
 */
__attribute__((naked, noreturn)) void _start(void)
{
    __asm__ volatile(
        "li sp, %0\n la t0, 1f\n csrw mtvec, t0\n j run\n"
        ".balign 4\n1: csrr t0, mepc\n lhu t1, 0(t0)\n andi t1, t1, 3\n addi t0, t0, 2\n"
        " li t2, 3\n bne t1, t2, 2f\n addi t0, t0, 2\n2: csrw mepc, t0\n mret\n" ::"i"(MH_DTCM_BASE + MH_DTCM_BYTES));
}

static uint32_t state;

static uint32_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static volatile uint32_t *word(uint32_t address)
{
    return (volatile uint32_t *)address;
}

static uint32_t any_register(void)
{
    const uint32_t offset = draw() % 64 ? MH_MACHINE_BOOT_COUNTER + 4 * (draw() % 16) : 4 * (draw() % 64);
    return MH_MACHINE_BASE + (offset ? offset : MH_MACHINE_BOOT_OFFER);
}

static uint32_t any_value(void)
{
    return draw() % 2 ? draw() % 16 : draw();
}

static void leave(void)
{
    const uint32_t runs = draw() % 16 ? *word(MH_MACHINE_BASE + MH_MACHINE_BOOT_WANTED) : any_value();
    *word(MH_MACHINE_BASE + MH_MACHINE_BOOT_STATUS) = runs << MH_BOOT_STATUS_RUNS | (any_value() & 0xffff);
}

__attribute__((used, noreturn)) void run(void)
{
    __asm__ volatile("csrr %0, mcycle" : "=r"(state));
    state = state * 2654435761u + SEED;
    for (;;) {
        if (draw() % 4)
            *word(any_register()) = any_value();
        else
            (void)*word(any_register());
        if (draw() % 64 == 0)
            leave();
        if (draw() % 64 == 0)
            *word(MH_GPU_BASE + MH_REG_COMMIT) = 1;
        if (draw() % 128 == 0)
            __asm__ volatile("wfi");
    }
}
