/* How a bare image passes: it sleeps until the GPU's run has ended, and writes 0 to EXIT. */
#ifndef TESTS_MACHINE_END_H
#define TESTS_MACHINE_END_H

#include "memhelm/registers.h"

/* To be called or jumped to; needs no stack. HOST_STOP is the only event; its interrupt ends WFI and is not taken. */
__attribute__((naked, noinline, used, noreturn)) static void end_of_run(void)
{
    __asm__ volatile("csrci mstatus, 8\n li t0, %0\n li t1, %1\n sw t1, 0(t0)\n li t1, 0x800\n csrw mie, t1\n"
                     "1: wfi\n lw t1, %2(t0)\n beqz t1, 1b\n"
                     " li t0, %3\n sw zero, 0(t0)\n1: j 1b\n" ::"i"(MH_GPU_BASE + MH_REG_IRQ_ENABLE),
                     "i"(MH_IRQ_EVENT), "i"(MH_REG_IRQ_PENDING - MH_REG_IRQ_ENABLE),
                     "i"(MH_MACHINE_BASE + MH_MACHINE_EXIT));
}

#endif
