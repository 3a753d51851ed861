/*
 * Loops whose cycles are known from the documents of cores. Each is turned 1000 times between two reads of STALL_LO, of
 * which the trace says when they were; what they take without a loop is the first measure, or `none_odd`.
 * All instructions of a loop are 32 bits wide but where its name says otherwise, and aligned.
 */
#include <stdint.h>

#include "end.h"
#include "memhelm/registers.h"

/* s1 is the address of STALL_LO, s0 that of a word of memory. */
#define MEASURED(name, rvc, before, turns, after)                                                                      \
    __asm__(".text\n .balign 4\n .type " #name ", @function\n" #name ":\n"                                             \
            " .option push\n .option norvc\n"                                                                          \
            " mv s2, ra\n li a0, 1000\n li t1, 0x12345678\n li t2, 3\n lw t3, 0(s1)\n"                                 \
            " .option " rvc "\n" before "\n" turns "\n" after "\n .option norvc\n"                                     \
            " lw t3, 0(s1)\n mv ra, s2\n ret\n .option pop\n .size " #name ", . - " #name "\n");                       \
    extern void name(void)

#define TURNS(body)                  "1:\n" body "\n addi a0, a0, -1\n bnez a0, 1b\n"
#define LOOP(name, body)             MEASURED(name, "norvc", "", TURNS(body), "")
#define LOOP_WITH(name, setup, body) MEASURED(name, "norvc", setup, TURNS(body), "")

MEASURED(none, "norvc", "", "", "");
LOOP(turn, "");
LOOP(xor_, "xor t0, t1, t2");
LOOP(shift_31, "slli t0, t1, 31");
LOOP(shift_6, "slli t0, t1, 6");
LOOP(load, "lw t0, 0(s0)");
LOOP(load_use_1, "lw t0, 0(s0)\n add t1, t1, t0");
LOOP(load_use_2, "lw t0, 0(s0)\n nop\n add t1, t1, t0");
LOOP(store, "sw t0, 0(s0)");
LOOP(mul, "mul t0, t1, t2");
LOOP(mulhu, "mulhu t0, t1, t2");
LOOP(divu, "divu t0, t1, t2");
LOOP(never, "beq a0, zero, 2f\n 2:");
__asm__(".text\n .balign 4\n .type nothing, @function\nnothing:\n .option push\n .option norvc\n ret\n .option pop\n"
        " .size nothing, . - nothing\n");
LOOP(call_return, "jal ra, nothing");
LOOP(jump, "j 2f\n 2:");
LOOP(read_csr, "csrr t0, mscratch");
LOOP(write_mie, "csrw mie, zero");
/* The loop, of 32-bit instructions, begins on an odd half word. */
MEASURED(none_odd, "rvc", "c.nop", "", "c.nop");
MEASURED(turn_odd, "rvc", "c.nop\n .option norvc", TURNS(""), ".option rvc\n c.nop");
MEASURED(turn_compressed, "rvc", "", "1:\n c.addi a0, -1\n c.bnez a0, 1b\n", "");

/* Two accesses of the GPU window, a product apart. */
__asm__(".text\n .balign 4\n .type window, @function\nwindow:\n .option push\n .option norvc\n"
        " li t1, 0x40000000\n lw t3, 0(t1)\n mul t0, t1, t1\n lw t3, 0(t1)\n ret\n .option pop\n .size window, . - "
        "window\n");
extern void window(void);

static void (*const loops[])(void) = {
    none, turn,  xor_,        shift_31, shift_6,  load,      load_use_1, load_use_2, store,           mul,    mulhu,
    divu, never, call_return, jump,     read_csr, write_mie, none_odd,   turn_odd,   turn_compressed, window,
};

static uint32_t word;

static void measure(void (*loop)(void))
{
    register uint32_t *s0 __asm__("s0") = &word;
    register uint32_t s1 __asm__("s1") = MH_MACHINE_BASE + MH_MACHINE_STALL_LO;

    __asm__ volatile("jalr ra, %0" ::"r"(loop), "r"(s0), "r"(s1) : "ra", "s2", "a0", "t0", "t1", "t2", "t3", "memory");
}

static void run(void)
{
    for (unsigned i = 0; i < sizeof loops / sizeof *loops; i++)
        measure(loops[i]);
    end_of_run();
}

__attribute__((naked, section(".text.start"))) void _start(void)
{
    __asm__ volatile("la sp, 0x203000\n call %0\n" ::"i"(run));
}
