/*
 * The boot ROM's first and last instructions. The mcu comes here after each reset, whatever its memories hold.
 * Addresses are symbols of linker/rom.ld.
 */
    .option norelax

/* pmpcfg bytes, as in boot/start.S: locked, so that they bind machine mode; NAPOT. */
#define PMP_LOCKED_NAPOT 0x98
#define PMP_R            1
#define PMP_W            2
#define PMP_X            4

#define MSTATUS_MPP_M 0x1800

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
    la t0, __ram_start
    la t1, __ram_end
1:  sw zero, 0(t0)
    addi t0, t0, 4
    bltu t0, t1, 1b
    la t0, __pmp_itcm
    csrw pmpaddr1, t0
    la t0, __pmp_dtcm
    csrw pmpaddr2, t0
    li t0, ((PMP_LOCKED_NAPOT | PMP_R | PMP_X) << 8) | \
           ((PMP_LOCKED_NAPOT | PMP_R | PMP_W) << 16)
    csrw pmpcfg0, t0
    csrw mtvec, zero
    sw a1, 0(a2)
    beqz a0, 2f
    jr a0
2:  wfi
    j 2b
    .size rom_leave, . - rom_leave
