/*
 * Calls whose tree is known by hand: nested, tail, recursive, indirect; and a loop that a timer interrupts fifty times,
 * between its instructions as well as right behind its branch. The loop turns 1000 times whatever interrupts it.
 */
#include "end.h"
#include "memhelm/registers.h"

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)
#define FUNCTION(name, body)                                                                                           \
    __asm__(".text\n .balign 4\n .type " #name ", @function\n" #name ":\n" body "\n .size " #name ", . - " #name "\n")

__asm__(".section .text.start\n  .globl _start\n.type _start, @function\n"
        "_start:\n"
        " li sp, 0x203000\n"
        " call outer\n"
        " li a0, 3\n"
        " call again\n"
        " la t1, leaf\n"
        " jalr ra, t1\n"
        " call interrupted\n"
        " j end_of_run\n"
        " .size _start, . - _start\n");

/* 7 instructions; `tail` twice, which goes on in `leaf`. */
FUNCTION(outer, "addi sp, sp, -16\n sw ra, 0(sp)\n call tail\n call tail\n lw ra, 0(sp)\n addi sp, sp, 16\n ret");
FUNCTION(tail, "nop\n j leaf");
FUNCTION(leaf, "nop\n nop\n ret");
/* again(a0) calls again(a0 - 1): 8 instructions, the last one 2. */
FUNCTION(again, "beqz a0, 1f\n addi sp, sp, -16\n sw ra, 0(sp)\n addi a0, a0, -1\n call again\n lw ra, 0(sp)\n"
                " addi sp, sp, 16\n1: ret");
/* The timer, due every 37 instructions; s2 is mtimecmp. */
FUNCTION(interrupted,
         "la t0, trap_entry\n csrw mtvec, t0\n li s2, " TEXT(
             MH_ACLINT_BASE) " + 0x4000\n"
                             " li t0, " TEXT(MH_ACLINT_BASE) " + 0xbff8\n li s3, 50\n lw t0, 0(t0)\n addi t0, t0, 100\n"
                                                             " sw zero, 4(s2)\n sw t0, 0(s2)\n li t0, 0x80\n csrw mie, "
                                                             "t0\n csrsi mstatus, 8\n j turns");
FUNCTION(turns, "li a0, 1000\n1: addi a0, a0, -1\n bnez a0, 1b\n ret");
FUNCTION(trap_entry,
         "addi s3, s3, -1\n bnez s3, 1f\n csrw mie, zero\n1: mv s4, ra\n call again_later\n mv ra, s4\n mret");
FUNCTION(again_later, "lw t3, 0(s2)\n addi t3, t3, 37\n sw t3, 0(s2)\n ret");
