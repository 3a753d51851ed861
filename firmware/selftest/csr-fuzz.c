/*
 * Writes random values to all 4096 CSRs in init, in several rounds, and skips those that are an illegal instruction in
 * a trap handler of its own. Those must be all that memhelm/csrs.def does not list, and the read-only ones. Ends with
 * PASS.
 */
#include "../policy/policy.h"

enum { CSRS = 4096, ROUNDS = 3 };

/* All but pmpcfg0, which is the image's own: once mseccfg.MML is set, a write could lock it out. */
uint32_t csr_fuzz_all(const uint32_t values[8]);

/*
 * a0 .. a7 are the values, t6 counts the traps. No jumps and a word each: the handler skips four bytes. The CSRs that
 * the next instruction depends on get their value back at once.
 */
__asm__(".macro csr_fuzz_one number, value\n"
        "    .if \\number != 0x3a0\n"
        "    csrw \\number, \\value\n"
        "    .endif\n"
        "    .if \\number == 0x300\n"
        "    csrw mstatus, t3\n"
        "    .elseif \\number == 0x304\n"
        "    csrw mie, t4\n"
        "    .elseif \\number == 0x305\n"
        "    csrw mtvec, t1\n"
        "    .elseif \\number == 0x320\n"
        "    csrw mcountinhibit, zero\n"
        "    .elseif \\number == 0x340\n"
        "    csrw mscratch, t5\n"
        "    .endif\n"
        ".endm\n"
        ".pushsection .text.csr_fuzz_all, \"ax\", @progbits\n"
        ".option push\n"
        ".option norvc\n"
        ".balign 4\n"
        ".type csr_fuzz_handler, @function\n"
        "csr_fuzz_handler:\n"
        "    csrr t0, mepc\n"
        "    addi t0, t0, 4\n"
        "    csrw mepc, t0\n"
        "    addi t6, t6, 1\n"
        "    mret\n"
        ".size csr_fuzz_handler, . - csr_fuzz_handler\n"
        ".global csr_fuzz_all\n"
        ".type csr_fuzz_all, @function\n"
        "csr_fuzz_all:\n"
        "    la t1, csr_fuzz_handler\n"
        "    csrr t2, mtvec\n"
        "    csrr t3, mstatus\n"
        "    csrr t4, mie\n"
        "    csrr t5, mscratch\n"
        "    csrw mtvec, t1\n"
        "    li t6, 0\n"
        "    lw a1, 0(a0)\n"
        "    lw a2, 4(a0)\n"
        "    lw a3, 8(a0)\n"
        "    lw a4, 12(a0)\n"
        "    lw a5, 16(a0)\n"
        "    lw a6, 20(a0)\n"
        "    lw a7, 24(a0)\n"
        "    .set csr, 0\n"
        "    .rept 512\n"
        "    csr_fuzz_one csr + 0, a0\n"
        "    csr_fuzz_one csr + 1, a1\n"
        "    csr_fuzz_one csr + 2, a2\n"
        "    csr_fuzz_one csr + 3, a3\n"
        "    csr_fuzz_one csr + 4, a4\n"
        "    csr_fuzz_one csr + 5, a5\n"
        "    csr_fuzz_one csr + 6, a6\n"
        "    csr_fuzz_one csr + 7, a7\n"
        "    .set csr, csr + 8\n"
        "    .endr\n"
        "    csrw mtvec, t2\n"
        "    mv a0, t6\n"
        "    ret\n"
        ".size csr_fuzz_all, . - csr_fuzz_all\n"
        ".option pop\n"
        ".popsection\n");

static uint32_t csr_fuzz_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Bits 11 and 10 of a number say that it is read-only. */
static uint32_t csr_fuzz_writable(void)
{
    return 0
#define MH_CSR(name, number, count, writable, reset, doc) +((number) >> 10 != 3 ? (count) : 0)
#include "memhelm/csrs.def"
        ;
}

static enum policy_status csr_fuzz_init(const struct gpu_caps *caps)
{
    uint32_t state = 2463534242u;

    (void)caps;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t values[8];

        for (uint32_t i = 0; i < 8; i++)
            values[i] = csr_fuzz_random(&state);
        if (csr_fuzz_all(values) != CSRS - csr_fuzz_writable())
            return POLICY_UNSUPPORTED;
    }
    return POLICY_OK;
}

const struct policy policy_csr_fuzz = {.name = "csr_fuzz", .init = csr_fuzz_init};

#define IMAGE_NAME             "selftest/csr-fuzz"
#define IMAGE_POLICIES(POLICY) POLICY(csr_fuzz)
#include "../image/common/image.h"
