/*
 * Bare images that walk memhelm/csrs.def, one per -DIMAGE=name. Memory is not protected: they write the instruction
 * that reaches a CSR by its number into RAM.
 */
#include <stdint.h>

#include "end.h"
#include "memhelm/registers.h"

enum { CSRS = 4096, ZERO = 0, RUNS = 1, FIXED = 2 };
enum { RW = 1, RS = 2, RC = 3, RWI = 5, RSI = 6, RCI = 7 }; /* funct3 */
enum {
    MSTATUS = 0x300,
    MTVEC = 0x305,
    MEPC = 0x341,
    MCAUSE = 0x342,
    MTVAL = 0x343,
    PMPCFG = 0x3a0,
    MSECCFG = 0x747,
    MCYCLE = 0xb00,
    MCYCLEH = 0xb80,
};
enum { MIE = 8, MPRV = 0x20000 }; /* bits of MSTATUS */
enum { MTIME_HIGH = MH_ACLINT_BASE + 0xbffc };

static const struct csr {
    uint32_t number, count, writable, reset;
} csrs[] = {
#define MH_CSR(name, number, count, writable, reset, doc) {number, count, writable, reset},
#include "memhelm/csrs.def"
};

static uint32_t machine(uint32_t offset)
{
    return *(volatile uint32_t *)(MH_MACHINE_BASE + offset);
}

/* A failure says on the console which CSR it was, and with what value. */
static void say(char c)
{
    *(volatile uint32_t *)MH_UART_BASE = (uint32_t)c;
}

static void say_hex(uint32_t value)
{
    for (int shift = 28; shift >= 0; shift -= 4)
        say("0123456789abcdef"[value >> shift & 15]);
    say(' ');
}

static void fail(uint32_t number, uint32_t value, uint32_t want)
{
    say_hex(number);
    say_hex(value);
    say_hex(want);
    *(volatile uint32_t *)(MH_MACHINE_BASE + MH_MACHINE_EXIT) = 1;
}

static uint32_t code[4] __attribute__((aligned(16)));
static volatile uint32_t traps;

/* Makes one access; returns what the CSR held before. `traps` counts those that are an illegal instruction. */
static uint32_t access(uint32_t funct3, uint32_t number, uint32_t value)
{
    uint32_t source = funct3 < RWI ? 10 : value & 31; /* a0, or the value itself */

    code[0] = number << 20 | source << 15 | funct3 << 12 | 10 << 7 | 0x73;
    code[1] = 0x00008067; /* ret */
    __asm__ volatile("fence.i" ::: "memory");
    return ((uint32_t(*)(uint32_t))(uintptr_t)code)(value);
}

static uint32_t read(uint32_t number)
{
    return access(RSI, number, 0);
}

/* Skips the instruction; uses no stack. */
__attribute__((naked, aligned(4))) static void skip(void)
{
    __asm__ volatile("csrw mscratch, t0\n csrr t0, mepc\n addi t0, t0, 4\n csrw mepc, t0\n"
                     "la t0, traps\n sw t1, -4(sp)\n lw t1, 0(t0)\n addi t1, t1, 1\n sw t1, 0(t0)\n lw t1, -4(sp)\n"
                     "csrr t0, mscratch\n mret\n");
}

static const struct csr *find(uint32_t number)
{
    for (uint32_t i = 0; i < sizeof csrs / sizeof csrs[0]; i++)
        if (number - csrs[i].number < csrs[i].count)
            return &csrs[i];
    return 0;
}

static void spoil_one(const struct csr *csr, uint32_t number, uint32_t value)
{
    access(RW, number, value);
    if (csr->reset == ZERO && number != MEPC && number != MCAUSE && number != MTVAL && read(number) != value)
        fail(number, read(number), value);
}

static void spoil_row(const struct csr *csr)
{
    for (uint32_t n = csr->number; n < csr->number + csr->count; n++)
        spoil_one(csr, n, n == MSTATUS ? csr->writable & ~(uint32_t)MIE : csr->writable);
}

static int is_last(uint32_t number)
{
    return number == MTVEC || number == MSECCFG || number == PMPCFG || number >> 10 == 3;
}

/* Sets every bit that can be, last those that stop the image: PMP is locked, and the trap loop forces a reset. */
static inline void spoil(void)
{
    for (uint32_t i = 0; i < sizeof csrs / sizeof csrs[0]; i++)
        if (!is_last(csrs[i].number))
            spoil_row(&csrs[i]);
    for (uint32_t n = PMPCFG; n < PMPCFG + 4; n++)
        spoil_one(find(n), n, 0x87878787); /* locked, and off */
    *(volatile uint32_t *)MH_ACLINT_BASE = 1;
    *(volatile uint32_t *)MTIME_HIGH = 77;
    *(volatile uint32_t *)(MH_GPU_BASE + MH_REG_COMMIT) = 1;
    __asm__ volatile("csrw mtvec, %0\n csrwi 0x747, 7\n ebreak" ::"r"(0x30000000));
}

static uint32_t first_mtvec;

static inline void recovered(void)
{
    if (first_mtvec)
        fail(MTVEC, first_mtvec, 0);
    for (uint32_t i = 0; i < sizeof csrs / sizeof csrs[0]; i++)
        for (uint32_t n = csrs[i].number; n < csrs[i].number + csrs[i].count; n++)
            if (csrs[i].reset == ZERO && n != MTVEC && read(n))
                fail(n, read(n), 0);
    if (read(MCYCLEH) || read(MCYCLE) == read(MCYCLE))
        fail(MCYCLE, read(MCYCLE), read(MCYCLEH));
    if (*(volatile uint32_t *)MH_ACLINT_BASE || *(volatile uint32_t *)MTIME_HIGH)
        fail(0, *(volatile uint32_t *)MH_ACLINT_BASE, *(volatile uint32_t *)MTIME_HIGH);
    if (traps)
        fail(0, traps, 0);
}

/* Every CSR of the table is spoiled, and after a reset of the mcu alone as the table says. */
static inline void resets(void)
{
    if (machine(MH_MACHINE_RESETS) == 0)
        spoil();
    recovered();
    end_of_run();
}

static uint32_t state;

static uint32_t random(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* Each kind of access to each number, with random values. What is not in the table, or read-only, traps, and nothing
 * else does. mseccfg is left out: it would lock the image out. */
static inline void fuzz(void)
{
    static const uint32_t kinds[] = {RW, RS, RC, RWI, RSI, RCI};

    __asm__ volatile("csrw pmpaddr0, %0\n csrw pmpcfg0, %1" ::"r"(-1), "r"(0x9f)); /* all, locked: no other counts */
    for (uint32_t n = 0; n < CSRS; n++)
        for (uint32_t k = 0; k < 6 && n != MSECCFG; k++) {
            const struct csr *csr = find(n);
            uint32_t before = traps, value = random() | 1, old = csr ? read(n) : 0;

            access(kinds[k], n, value);
            if ((traps != before) != (!csr || n >> 10 == 3))
                fail(n, kinds[k], traps - before);
            if (csr && !csr->writable && csr->reset == FIXED && n >> 10 != 3 && read(n) != old)
                fail(n, read(n), old);
            __asm__ volatile("csrw mtvec, %0\n csrw mie, zero\n csrci mstatus, 8\n csrc mstatus, %1" ::"r"(skip),
                             "r"(MPRV));
        }
    end_of_run();
}

void start(uint32_t mtvec)
{
    first_mtvec = mtvec;
    traps = 0;
    state = 2463534242u;
    __asm__ volatile("csrw mtvec, %0" ::"r"(skip));
    IMAGE();
}

__attribute__((naked, section(".text.start"))) void _start(void)
{
    __asm__ volatile("csrr a0, mtvec; li sp, %0; j start" ::"i"(MH_DTCM_BASE + MH_DTCM_BYTES));
}
