/*
 * The boot ROM's first and last instructions. The mcu comes here after each reset, whatever its memories hold.
 * Addresses are symbols of linker/rom.ld.
 */
#include "../platform/rv32/csr.h"

    .option norelax

    .section .text.start, "ax", @progbits
    .global _start
    .type _start, @function
_start:
    csrw mie, zero
    li t0, MSTATUS_MPP_M
    csrw mstatus, t0
    la t0, rom_trap
    csrw mtvec, t0              /* direct mode */
    la sp, __stack_top
    la t0, __ram_start
    la t1, __ram_end
1:  sw zero, 0(t0)
    addi t0, t0, 4
    bltu t0, t1, 1b
    tail rom_main
    .size _start, . - _start

    .balign 4
    .type rom_trap, @function
rom_trap:
    la sp, __stack_top
    tail rom_trapped
    .size rom_trap, . - rom_trap

/*
 * No call and no stack from here on. Regions 1 and 2 are those of boot/start.S, which sets the others: the guard, whose
 * place is the image's, and all the rest, which would take the right to execute from the ROM itself.
 */
    .global rom_leave
    .type rom_leave, @function
rom_leave:
    la t0, __pmp_itcm
    csrw pmpaddr1, t0
    la t0, __pmp_dtcm
    csrw pmpaddr2, t0
    li t0, (PMP_CODE << 8) | (PMP_DATA << 16)
    csrw pmpcfg0, t0
    csrw mtvec, zero
    sw a1, 0(a2)                /* RAM is out of reach from here on */
    beqz a0, 2f
    jr a0
2:  wfi
    j 2b
    .size rom_leave, . - rom_leave
