/*
 * Reset and trap entry.
 *
 * A reset of the mcu alone keeps memory and some CSRs, so every CSR that is relied on is set here, and .data comes
 * from the image again. Addresses and constants are symbols of linker/memhelm.ld.
 */
#include "../platform/rv32/csr.h"

    .option norelax

/* Trap frame: what the C calling convention does not keep, and the interrupted stack pointer. 16-byte aligned. */
#define FRAME        80
#define FRAME_SP     64

/* First in the image: the compiler may sort main ahead of everything else. */
    .section .text.start, "ax", @progbits
    .global _start
    .type _start, @function
_start:
    csrw mie, zero
    li t0, MSTATUS_MPP_M
    csrw mstatus, t0            /* interrupts off, plain machine mode */
    la t0, trap_entry
    csrw mtvec, t0              /* direct mode */
    la gp, __global_pointer$
    la sp, __stack_top
    csrw mscratch, zero         /* a trap during boot is a fault */

    /* Guard first: the lowest matching entry decides. Once locked, these writes have no effect any more. */
    la t0, __pmp_guard
    csrw pmpaddr0, t0
    la t0, __pmp_itcm
    csrw pmpaddr1, t0
    la t0, __pmp_dtcm
    csrw pmpaddr2, t0
    li t0, -1
    csrw pmpaddr3, t0           /* all the rest: registers, never code */
    li t0, (PMP_LOCKED_NAPOT << 0) | (PMP_CODE << 8) | (PMP_DATA << 16) | (PMP_DATA << 24)
    csrw pmpcfg0, t0

    la t0, __data_start
    la t1, __data_end
    la t2, __data_load
1:  bgeu t0, t1, 2f
    lw t3, 0(t2)
    sw t3, 0(t0)
    addi t0, t0, 4
    addi t2, t2, 4
    j 1b

2:  la t0, __bss_start
    la t1, __bss_end
3:  bgeu t0, t1, 4f
    sw zero, 0(t0)
    addi t0, t0, 4
    j 3b

4:  la t0, __stack_bottom
    la t1, __stack_top
    la t2, __stack_paint
5:  sw t2, 0(t0)
    addi t0, t0, 4
    bltu t0, t1, 5b

    call main                   /* returns with the image ready for interrupts */

    la t0, __stack_top
    csrw mscratch, t0
    li t0, MIE_MEIE
    csrw mie, t0
    csrsi mstatus, MSTATUS_MIE
6:  wfi
    j 6b
    .size _start, . - _start

/*
 * The stack serves boot first and the handler ever after: asleep in the loop above, the mcu has nothing on it. So the
 * deepest stack is the larger of boot and of frame + handler + policy, not their sum: 320 bytes in every image, by
 * `memhelm budget`. Work in the loop would need a stack of its own.
 *
 * mscratch holds the stack's top while the handler may have it, and zero while it is in use: a trap that finds zero is
 * a fault of boot or of the handler itself. Nothing is stored before the stack is the handler's.
 */
    .section .text.trap, "ax", @progbits
    .balign 4
    .global trap_entry
    .type trap_entry, @function
trap_entry:
    csrrw sp, mscratch, sp
    beqz sp, trap_fault
    addi sp, sp, -FRAME
    sw ra, 0(sp)
    sw t0, 4(sp)
    csrr t0, mcause
    bgez t0, trap_fault_framed  /* an exception */
    sw t1, 8(sp)
    sw t2, 12(sp)
    sw t3, 16(sp)
    sw t4, 20(sp)
    sw t5, 24(sp)
    sw t6, 28(sp)
    sw a0, 32(sp)
    sw a1, 36(sp)
    sw a2, 40(sp)
    sw a3, 44(sp)
    sw a4, 48(sp)
    sw a5, 52(sp)
    sw a6, 56(sp)
    sw a7, 60(sp)
    csrrw t1, mscratch, zero
    sw t1, FRAME_SP(sp)
    mv a0, t0
    call trap_interrupt
    lw t1, 8(sp)
    lw t2, 12(sp)
    lw t3, 16(sp)
    lw t4, 20(sp)
    lw t5, 24(sp)
    lw t6, 28(sp)
    lw a0, 32(sp)
    lw a1, 36(sp)
    lw a2, 40(sp)
    lw a3, 44(sp)
    lw a4, 48(sp)
    lw a5, 52(sp)
    lw a6, 56(sp)
    lw a7, 60(sp)
    lw ra, 0(sp)
    addi t0, sp, FRAME
    csrw mscratch, t0
    lw t0, 4(sp)
    lw sp, FRAME_SP(sp)
    mret
    .size trap_entry, . - trap_entry

/* No way back: the stack starts afresh, because it may be what is broken. */
    .type trap_fault, @function
trap_fault_framed:
trap_fault:
    csrw mscratch, zero
    la sp, __stack_top
    csrr a0, mcause
    csrr a1, mepc
    mv a2, ra
    tail trap_fatal
    .size trap_fault, . - trap_fault
