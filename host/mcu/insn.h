/*
 * One instruction of RV32IMC with Zicsr and Zifencei: what a core's timing, a call graph or a count asks of it.
 * Encodings are those of the RISC-V unprivileged and privileged specifications; what they reserve, and what no machine
 * mode core without supervisor has (sret, sfence.vma), is illegal. Hints are what they are encoded as.
 */
#ifndef HOST_MCU_INSN_H
#define HOST_MCU_INSN_H

#include <stdbool.h>
#include <stdint.h>

/** What cores need different times for. A compressed instruction has the class of what it expands to. */
enum insn_class {
    INSN_ALU,       /**< integer arithmetic and logic, compares, lui, auipc */
    INSN_SHIFT_IMM, /**< by a constant: `imm` */
    INSN_SHIFT_REG, /**< by a register */
    INSN_MUL,       /**< lower half of a product */
    INSN_MULH,      /**< upper half */
    INSN_DIV,       /**< quotient or remainder */
    INSN_LOAD,
    INSN_STORE,
    INSN_BRANCH, /**< conditional */
    INSN_JAL,
    INSN_JALR,
    INSN_CSR,
    INSN_CSR_FLUSH, /**< a write or set of mstatus or mie: some cores empty their pipeline for it */
    INSN_FENCE,
    INSN_FENCE_I,
    INSN_ECALL,
    INSN_EBREAK,
    INSN_MRET,
    INSN_WFI,
    INSN_ILLEGAL,
    INSN_CLASSES
};

/** What it does with memory and control. */
enum code_flag {
    CODE_LOAD = 1,
    CODE_STORE = 2,
    CODE_BRANCH = 4,
    CODE_JUMP = 8,      /**< jal, jalr */
    CODE_CALL = 0x10,   /**< keeps a return address */
    CODE_RETURN = 0x20, /**< goes back to one */
    CODE_MRET = 0x40,
    CODE_WFI = 0x80,
    CODE_CHECK = 0x100, /**< the branch around or to an ebreak: the compiler's check of a division; code.h finds it */
};

enum { REG_RA = 1, REG_SP = 2, REG_T0 = 5 };

/** A register that is not written or read is 0: x0 carries nothing. */
struct insn {
    uint32_t word; /**< the instruction in 32 bits, compressed ones as their expansion; 0 when illegal */
    enum insn_class cls;
    uint8_t size; /**< bytes: 2 or 4 */
    uint8_t rd, rs1, rs2;
    int32_t imm; /**< immediate, offset of a load, store, branch or jump, amount of a shift, number of a CSR */
};

/** The low half of `word` decides whether the upper one counts. */
void insn_decode(uint32_t word, struct insn *out);

/** enum code_flag, but CODE_CHECK. */
unsigned insn_flags(const struct insn *i);

/** The 32-bit instruction that a compressed one stands for; 0 when it is reserved. */
uint32_t insn_expand(uint16_t half);

/** Where a taken branch or a jal at address `at` goes. */
static inline uint32_t insn_target(const struct insn *i, uint32_t at)
{
    return at + (uint32_t)i->imm;
}

/** Goes on anywhere but behind itself, always. */
static inline bool insn_leaves(const struct insn *i)
{
    return i->cls == INSN_JAL || i->cls == INSN_JALR || i->cls == INSN_MRET || i->cls == INSN_ECALL ||
           i->cls == INSN_EBREAK || i->cls == INSN_ILLEGAL;
}

/** A jump that keeps a return address, in ra or, for millicode, in t0. */
static inline bool insn_calls(const struct insn *i)
{
    return (i->cls == INSN_JAL || i->cls == INSN_JALR) && (i->rd == REG_RA || i->rd == REG_T0);
}

/** The jump back. */
static inline bool insn_returns(const struct insn *i)
{
    return i->cls == INSN_JALR && !i->rd && !i->imm && (i->rs1 == REG_RA || i->rs1 == REG_T0);
}

/** rd = imm */
static inline bool insn_is_lui(const struct insn *i)
{
    return (i->word & 0x7f) == 0x37;
}

/** rd = imm and the instruction's address */
static inline bool insn_is_auipc(const struct insn *i)
{
    return (i->word & 0x7f) == 0x17;
}

/** rd = rs1 + imm */
static inline bool insn_is_addi(const struct insn *i)
{
    return (i->word & 0x707f) == 0x13;
}

/** Reads register `reg`, which is not x0. */
static inline bool insn_reads(const struct insn *i, uint8_t reg)
{
    return reg && (i->rs1 == reg || i->rs2 == reg);
}

#endif
