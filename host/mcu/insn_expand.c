/* Compressed instructions (RISC-V unprivileged specification, chapter "C", tables of RV32C). */
#include "insn.h"

enum { OP_LOAD = 0x03, OP_IMM = 0x13, OP_STORE = 0x23, OP = 0x33, OP_LUI = 0x37, OP_BRANCH = 0x63, OP_JALR = 0x67 };
enum { OP_JAL = 0x6f, WORD = 2, EBREAK = 0x00100073 };

/* Bits high..low of h, moved to bit `to`. */
static uint32_t field(uint32_t h, unsigned high, unsigned low, unsigned to)
{
    return (h >> low & ((1u << (high - low + 1)) - 1)) << to;
}

/* A number of `bits` bits with its sign. */
static uint32_t extend(uint32_t v, unsigned bits)
{
    return v & 1u << (bits - 1) ? v | ~0u << bits : v;
}

/* The registers that three bits can name: x8..x15. */
static uint32_t short_register(uint32_t h, unsigned low)
{
    return 8 + (h >> low & 7);
}

/* --- The formats of 32 bits. */

static uint32_t r_type(uint32_t funct7, uint32_t rs2, uint32_t rs1, uint32_t funct3, uint32_t rd)
{
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | OP;
}

static uint32_t i_type(uint32_t imm, uint32_t rs1, uint32_t funct3, uint32_t rd, uint32_t opcode)
{
    return imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static uint32_t store_word(uint32_t imm, uint32_t rs2, uint32_t rs1)
{
    return field(imm, 11, 5, 25) | rs2 << 20 | rs1 << 15 | WORD << 12 | field(imm, 4, 0, 7) | OP_STORE;
}

static uint32_t branch(uint32_t imm, uint32_t rs1, uint32_t funct3)
{
    return field(imm, 12, 12, 31) | field(imm, 10, 5, 25) | rs1 << 15 | funct3 << 12 | field(imm, 4, 1, 8) |
           field(imm, 11, 11, 7) | OP_BRANCH;
}

static uint32_t jump(uint32_t imm, uint32_t rd)
{
    return field(imm, 20, 20, 31) | field(imm, 10, 1, 21) | field(imm, 11, 11, 20) | field(imm, 19, 12, 12) | rd << 7 |
           OP_JAL;
}

/* --- Quadrant 0: loads and stores of words. */

static uint32_t quadrant_0(uint32_t h)
{
    uint32_t stack = field(h, 12, 11, 4) | field(h, 10, 7, 6) | field(h, 6, 6, 2) | field(h, 5, 5, 3);
    uint32_t offset = field(h, 12, 10, 3) | field(h, 6, 6, 2) | field(h, 5, 5, 6);
    uint32_t rd = short_register(h, 2), base = short_register(h, 7);
    switch (h >> 13) {
    case 0: /* c.addi4spn */
        return stack ? i_type(stack, REG_SP, 0, rd, OP_IMM) : 0;
    case 2: /* c.lw */
        return i_type(offset, base, WORD, rd, OP_LOAD);
    case 6: /* c.sw */
        return store_word(offset, rd, base);
    default:
        return 0;
    }
}

/* --- Quadrant 1: immediates, register arithmetic, jumps, branches. */

static uint32_t jump_offset(uint32_t h)
{
    return extend(field(h, 12, 12, 11) | field(h, 11, 11, 4) | field(h, 10, 9, 8) | field(h, 8, 8, 10) |
                      field(h, 7, 7, 6) | field(h, 6, 6, 7) | field(h, 5, 3, 1) | field(h, 2, 2, 5),
                  12);
}

static uint32_t branch_offset(uint32_t h)
{
    return extend(field(h, 12, 12, 8) | field(h, 11, 10, 3) | field(h, 6, 5, 6) | field(h, 4, 3, 1) | field(h, 2, 2, 5),
                  9);
}

/* c.addi16sp, c.lui */
static uint32_t upper(uint32_t h, uint32_t imm)
{
    uint32_t rd = h >> 7 & 0x1f;
    uint32_t stack =
        extend(field(h, 12, 12, 9) | field(h, 6, 6, 4) | field(h, 5, 5, 6) | field(h, 4, 3, 7) | field(h, 2, 2, 5), 10);
    if (!imm)
        return 0;
    return rd == REG_SP ? i_type(stack, REG_SP, 0, REG_SP, OP_IMM) : imm << 12 | rd << 7 | OP_LUI;
}

/* c.srli, c.srai, c.andi and arithmetic of two registers */
static uint32_t arithmetic(uint32_t h, uint32_t imm)
{
    static const struct {
        uint8_t funct7, funct3;
    } of[] = {{0x20, 0}, {0, 4}, {0, 6}, {0, 7}}; /* sub xor or and */
    uint32_t rd = short_register(h, 7), which = h >> 5 & 3;
    bool wide = h & 0x1000; /* amounts above 31 and 64-bit arithmetic */
    switch (h >> 10 & 3) {
    case 0:
        return wide ? 0 : i_type(imm, rd, 5, rd, OP_IMM);
    case 1:
        return wide ? 0 : i_type(imm | 0x400, rd, 5, rd, OP_IMM);
    case 2:
        return i_type(imm, rd, 7, rd, OP_IMM);
    default:
        return wide ? 0 : r_type(of[which].funct7, short_register(h, 2), rd, of[which].funct3, rd);
    }
}

static uint32_t quadrant_1(uint32_t h)
{
    uint32_t rd = h >> 7 & 0x1f, imm = extend(field(h, 12, 12, 5) | field(h, 6, 2, 0), 6);
    switch (h >> 13) {
    case 0: /* c.addi */
        return i_type(imm, rd, 0, rd, OP_IMM);
    case 1: /* c.jal */
        return jump(jump_offset(h), REG_RA);
    case 2: /* c.li */
        return i_type(imm, 0, 0, rd, OP_IMM);
    case 3:
        return upper(h, imm);
    case 4:
        return arithmetic(h, imm);
    case 5: /* c.j */
        return jump(jump_offset(h), 0);
    default: /* c.beqz, c.bnez */
        return branch(branch_offset(h), short_register(h, 7), h >> 13 & 1);
    }
}

/* --- Quadrant 2: the stack pointer, moves, jumps through registers. */

static uint32_t move_or_jump(uint32_t h)
{
    uint32_t rd = h >> 7 & 0x1f, rs2 = h >> 2 & 0x1f;
    bool link = h & 0x1000;
    if (rs2)
        return r_type(0, rs2, link ? rd : 0, 0, rd); /* c.add, c.mv */
    if (rd)
        return i_type(0, rd, 0, link ? REG_RA : 0, OP_JALR); /* c.jalr, c.jr */
    return link ? EBREAK : 0;
}

static uint32_t quadrant_2(uint32_t h)
{
    uint32_t rd = h >> 7 & 0x1f, rs2 = h >> 2 & 0x1f;
    uint32_t load = field(h, 12, 12, 5) | field(h, 6, 4, 2) | field(h, 3, 2, 6);
    uint32_t store = field(h, 12, 9, 2) | field(h, 8, 7, 6);
    switch (h >> 13) {
    case 0: /* c.slli */
        return h & 0x1000 ? 0 : i_type(rs2, rd, 1, rd, OP_IMM);
    case 2: /* c.lwsp */
        return rd ? i_type(load, REG_SP, WORD, rd, OP_LOAD) : 0;
    case 4:
        return move_or_jump(h);
    case 6: /* c.swsp */
        return store_word(store, rs2, REG_SP);
    default:
        return 0;
    }
}

uint32_t insn_expand(uint16_t half)
{
    switch (half & 3) {
    case 0:
        return quadrant_0(half);
    case 1:
        return quadrant_1(half);
    case 2:
        return quadrant_2(half);
    default:
        return 0;
    }
}
