#include "insn.h"

static uint32_t funct3(uint32_t w)
{
    return w >> 12 & 7;
}

static uint32_t funct7(uint32_t w)
{
    return w >> 25;
}

/* --- Immediates of the formats. The sign is bit 31 in all of them. */

static int32_t imm_none(uint32_t w)
{
    (void)w;
    return 0;
}

static int32_t imm_i(uint32_t w)
{
    return (int32_t)w >> 20;
}

static int32_t imm_s(uint32_t w)
{
    return (imm_i(w) & ~0x1f) | (int32_t)(w >> 7 & 0x1f);
}

static int32_t imm_b(uint32_t w)
{
    return (w >> 31 ? -0x1000 : 0) + (int32_t)((w & 0x80) << 4 | (w >> 20 & 0x7e0) | (w >> 7 & 0x1e));
}

static int32_t imm_u(uint32_t w)
{
    return (int32_t)(w & 0xfffff000);
}

static int32_t imm_j(uint32_t w)
{
    return (w >> 31 ? -0x100000 : 0) + (int32_t)((w & 0xff000) | (w >> 9 & 0x800) | (w >> 20 & 0x7fe));
}

/* --- Classes within an opcode. */

static enum insn_class class_load(uint32_t w)
{
    return funct3(w) == 3 || funct3(w) > 5 ? INSN_ILLEGAL : INSN_LOAD;
}

static enum insn_class class_store(uint32_t w)
{
    return funct3(w) > 2 ? INSN_ILLEGAL : INSN_STORE;
}

static enum insn_class class_branch(uint32_t w)
{
    return funct3(w) == 2 || funct3(w) == 3 ? INSN_ILLEGAL : INSN_BRANCH;
}

static enum insn_class class_fence(uint32_t w)
{
    return funct3(w) == 0 ? INSN_FENCE : funct3(w) == 1 ? INSN_FENCE_I : INSN_ILLEGAL;
}

static enum insn_class class_op_imm(uint32_t w)
{
    if (funct3(w) == 1)
        return funct7(w) ? INSN_ILLEGAL : INSN_SHIFT_IMM;
    if (funct3(w) == 5)
        return funct7(w) & ~0x20u ? INSN_ILLEGAL : INSN_SHIFT_IMM;
    return INSN_ALU;
}

static enum insn_class class_op(uint32_t w)
{
    uint32_t f3 = funct3(w);
    switch (funct7(w)) {
    case 0:
        return f3 == 1 || f3 == 5 ? INSN_SHIFT_REG : INSN_ALU;
    case 0x20:
        return f3 == 0 ? INSN_ALU : f3 == 5 ? INSN_SHIFT_REG : INSN_ILLEGAL;
    case 1:
        return f3 == 0 ? INSN_MUL : f3 < 4 ? INSN_MULH : INSN_DIV;
    default:
        return INSN_ILLEGAL;
    }
}

static enum insn_class class_alu(uint32_t w)
{
    (void)w;
    return INSN_ALU;
}

static enum insn_class class_jal(uint32_t w)
{
    (void)w;
    return INSN_JAL;
}

static enum insn_class class_jalr(uint32_t w)
{
    return funct3(w) ? INSN_ILLEGAL : INSN_JALR;
}

static enum insn_class class_csr(uint32_t w)
{
    enum { CSR_MSTATUS = 0x300, CSR_MIE = 0x304, CSR_WRITE = 1, CSR_SET = 2 };
    uint32_t csr = w >> 20, op = funct3(w) & 3, source = w >> 15 & 0x1f;
    if (csr != CSR_MSTATUS && csr != CSR_MIE)
        return INSN_CSR;
    return op == CSR_WRITE || (op == CSR_SET && source) ? INSN_CSR_FLUSH : INSN_CSR;
}

static enum insn_class class_system(uint32_t w)
{
    if (funct3(w))
        return funct3(w) == 4 ? INSN_ILLEGAL : class_csr(w);
    switch (w) {
    case 0x00000073:
        return INSN_ECALL;
    case 0x00100073:
        return INSN_EBREAK;
    case 0x30200073:
        return INSN_MRET;
    case 0x10500073:
        return INSN_WFI;
    default:
        return INSN_ILLEGAL;
    }
}

/* --- Opcodes, bits 6..2. */

enum { RD = 1, RS1 = 2, RS2 = 4 };

static const struct format {
    enum insn_class (*classify)(uint32_t w);
    int32_t (*imm)(uint32_t w);
    unsigned registers;
} formats[32] = {
    [0x00] = {class_load, imm_i, RD | RS1},   [0x03] = {class_fence, imm_none, 0},
    [0x04] = {class_op_imm, imm_i, RD | RS1}, [0x05] = {class_alu, imm_u, RD},
    [0x08] = {class_store, imm_s, RS1 | RS2}, [0x0c] = {class_op, imm_none, RD | RS1 | RS2},
    [0x0d] = {class_alu, imm_u, RD},          [0x18] = {class_branch, imm_b, RS1 | RS2},
    [0x19] = {class_jalr, imm_i, RD | RS1},   [0x1b] = {class_jal, imm_j, RD},
    [0x1c] = {class_system, imm_none, 0},
};

static void decode_operands(const struct format *f, struct insn *i)
{
    uint32_t w = i->word;
    i->rd = f->registers & RD ? w >> 7 & 0x1f : 0;
    i->rs1 = f->registers & RS1 ? w >> 15 & 0x1f : 0;
    i->rs2 = f->registers & RS2 ? w >> 20 & 0x1f : 0;
    i->imm = f->imm(w);
    if (i->cls == INSN_SHIFT_IMM)
        i->imm &= 0x1f;
    if (i->cls == INSN_CSR || i->cls == INSN_CSR_FLUSH) {
        i->rd = w >> 7 & 0x1f;
        i->rs1 = funct3(w) < 4 ? w >> 15 & 0x1f : 0;
        i->imm = (int32_t)(w >> 20);
    }
}

void insn_decode(uint32_t word, struct insn *out)
{
    bool whole = (word & 3) == 3;
    uint32_t w = whole ? word : insn_expand((uint16_t)word);
    const struct format *f = &formats[w >> 2 & 0x1f];
    *out = (struct insn){.size = whole ? 4 : 2, .cls = INSN_ILLEGAL};
    if ((w & 3) != 3 || !f->classify || f->classify(w) == INSN_ILLEGAL)
        return;
    out->word = w;
    out->cls = f->classify(w);
    decode_operands(f, out);
}

unsigned insn_flags(const struct insn *i)
{
    switch (i->cls) {
    case INSN_LOAD:
        return CODE_LOAD;
    case INSN_STORE:
        return CODE_STORE;
    case INSN_BRANCH:
        return CODE_BRANCH;
    case INSN_JAL:
    case INSN_JALR:
        return CODE_JUMP | (insn_calls(i) ? CODE_CALL : 0) | (insn_returns(i) ? CODE_RETURN : 0);
    case INSN_MRET:
        return CODE_MRET;
    case INSN_WFI:
        return CODE_WFI;
    default:
        return 0;
    }
}
