/*
 * Three decisions for epochs, each one call of a policy's hook of 5, 9 and 2 turns: what they execute is known by hand.
 */
#include "end.h"
#include "memhelm/registers.h"

#define FUNCTION(name, body)                                                                                           \
    __asm__(".text\n .balign 4\n .type " #name ", @function\n" #name ":\n" body "\n .size " #name ", . - " #name "\n")

/* s0 .. s2 are the addresses of BEGIN, DECISION and STALL_LO, s3 that of memory. From behind the first store: 2 + hook.
 */
FUNCTION(decide, "mv s4, ra\n sw zero, 0(s0)\n jal ra, hook\n sw zero, 0(s1)\n mv ra, s4\n ret");
/* a0 turns of 8 instructions, 2 around them. */
FUNCTION(hook, "li t0, 7\n"
               "1: mul t1, t0, t0\n divu t2, t1, t0\n lw t3, 0(s3)\n sw t3, 4(s3)\n lw t3, 0(s2)\n slli t3, t3, 1\n"
               " addi a0, a0, -1\n bnez a0, 1b\n"
               " ret");

__asm__(".section .rodata\n .balign 4\n .globl fw_image\n"
        "fw_image: .word name, policy, 0\n"
        "policy: .word name, 0, hook, 0, 0, 0, 0, 0, 0\n"
        "name: .asciz \"by_hand\"\n");

__attribute__((naked, section(".text.start"))) void _start(void)
{
    __asm__ volatile("li sp, 0x203000\n li s0, %0\n li s1, %1\n li s2, %2\n li s3, 0x200000\n"
                     " li a0, 5\n jal ra, decide\n li a0, 9\n jal ra, decide\n li a0, 2\n jal ra, decide\n"
                     " j %3\n" ::"i"(MH_MACHINE_BASE + MH_MACHINE_BEGIN),
                     "i"(MH_MACHINE_BASE + MH_MACHINE_DECISION), "i"(MH_MACHINE_BASE + MH_MACHINE_STALL_LO),
                     "i"(end_of_run));
}
