/*
 * The decoder against encodings that an assembler made: each form, with its operands at their edges, and what is
 * reserved. The text is what was assembled.
 */
#include "unit/test.h"

#include "mcu/insn.h"

static const struct row {
    const char *text;
    uint32_t word;
    uint8_t size;
    enum insn_class cls;
    uint8_t rd, rs1, rs2;
    int32_t imm;
} compressed[] = {
    {"c.addi4spn x8,x2,4", 0x0040, 2, INSN_ALU, 8, 2, 0, 4},
    {"c.addi4spn x8,x2,508", 0x1be0, 2, INSN_ALU, 8, 2, 0, 508},
    {"c.addi4spn x8,x2,512", 0x0400, 2, INSN_ALU, 8, 2, 0, 512},
    {"c.addi4spn x8,x2,1020", 0x1fe0, 2, INSN_ALU, 8, 2, 0, 1020},
    {"c.addi4spn x15,x2,8", 0x003c, 2, INSN_ALU, 15, 2, 0, 8},
    {"c.lw x8,0(x15)", 0x4380, 2, INSN_LOAD, 8, 15, 0, 0},
    {"c.lw x8,4(x15)", 0x43c0, 2, INSN_LOAD, 8, 15, 0, 4},
    {"c.lw x8,64(x15)", 0x43a0, 2, INSN_LOAD, 8, 15, 0, 64},
    {"c.lw x8,124(x15)", 0x5fe0, 2, INSN_LOAD, 8, 15, 0, 124},
    {"c.sw x15,0(x8)", 0xc01c, 2, INSN_STORE, 0, 8, 15, 0},
    {"c.sw x15,4(x8)", 0xc05c, 2, INSN_STORE, 0, 8, 15, 4},
    {"c.sw x15,64(x8)", 0xc03c, 2, INSN_STORE, 0, 8, 15, 64},
    {"c.sw x15,124(x8)", 0xdc7c, 2, INSN_STORE, 0, 8, 15, 124},
    {"c.nop", 0x0001, 2, INSN_ALU, 0, 0, 0, 0},
    {"c.addi x31,-32", 0x1f81, 2, INSN_ALU, 31, 31, 0, -32},
    {"c.addi x31,-1", 0x1ffd, 2, INSN_ALU, 31, 31, 0, -1},
    {"c.addi x31,1", 0x0f85, 2, INSN_ALU, 31, 31, 0, 1},
    {"c.addi x31,31", 0x0ffd, 2, INSN_ALU, 31, 31, 0, 31},
    {"c.jal .-2048", 0x3001, 2, INSN_JAL, 1, 0, 0, -2048},
    {"c.j .-2048", 0xb001, 2, INSN_JAL, 0, 0, 0, -2048},
    {"c.jal .-2", 0x3ffd, 2, INSN_JAL, 1, 0, 0, -2},
    {"c.j .-2", 0xbffd, 2, INSN_JAL, 0, 0, 0, -2},
    {"c.jal .+2", 0x2009, 2, INSN_JAL, 1, 0, 0, 2},
    {"c.j .+2", 0xa009, 2, INSN_JAL, 0, 0, 0, 2},
    {"c.jal .+4", 0x2011, 2, INSN_JAL, 1, 0, 0, 4},
    {"c.j .+4", 0xa011, 2, INSN_JAL, 0, 0, 0, 4},
    {"c.jal .+32", 0x2005, 2, INSN_JAL, 1, 0, 0, 32},
    {"c.j .+32", 0xa005, 2, INSN_JAL, 0, 0, 0, 32},
    {"c.jal .+64", 0x2081, 2, INSN_JAL, 1, 0, 0, 64},
    {"c.j .+64", 0xa081, 2, INSN_JAL, 0, 0, 0, 64},
    {"c.jal .+128", 0x2041, 2, INSN_JAL, 1, 0, 0, 128},
    {"c.j .+128", 0xa041, 2, INSN_JAL, 0, 0, 0, 128},
    {"c.jal .+256", 0x2201, 2, INSN_JAL, 1, 0, 0, 256},
    {"c.j .+256", 0xa201, 2, INSN_JAL, 0, 0, 0, 256},
    {"c.jal .+512", 0x2401, 2, INSN_JAL, 1, 0, 0, 512},
    {"c.j .+512", 0xa401, 2, INSN_JAL, 0, 0, 0, 512},
    {"c.jal .+1024", 0x2101, 2, INSN_JAL, 1, 0, 0, 1024},
    {"c.j .+1024", 0xa101, 2, INSN_JAL, 0, 0, 0, 1024},
    {"c.jal .+2046", 0x2ffd, 2, INSN_JAL, 1, 0, 0, 2046},
    {"c.j .+2046", 0xaffd, 2, INSN_JAL, 0, 0, 0, 2046},
    {"c.li x5,-32", 0x5281, 2, INSN_ALU, 5, 0, 0, -32},
    {"c.li x5,-1", 0x52fd, 2, INSN_ALU, 5, 0, 0, -1},
    {"c.li x5,0", 0x4281, 2, INSN_ALU, 5, 0, 0, 0},
    {"c.li x5,31", 0x42fd, 2, INSN_ALU, 5, 0, 0, 31},
    {"c.addi16sp x2,-512", 0x7101, 2, INSN_ALU, 2, 2, 0, -512},
    {"c.addi16sp x2,-16", 0x717d, 2, INSN_ALU, 2, 2, 0, -16},
    {"c.addi16sp x2,16", 0x6141, 2, INSN_ALU, 2, 2, 0, 16},
    {"c.addi16sp x2,32", 0x6105, 2, INSN_ALU, 2, 2, 0, 32},
    {"c.addi16sp x2,64", 0x6121, 2, INSN_ALU, 2, 2, 0, 64},
    {"c.addi16sp x2,128", 0x6109, 2, INSN_ALU, 2, 2, 0, 128},
    {"c.addi16sp x2,256", 0x6111, 2, INSN_ALU, 2, 2, 0, 256},
    {"c.addi16sp x2,496", 0x617d, 2, INSN_ALU, 2, 2, 0, 496},
    {"c.lui x31,1", 0x6f85, 2, INSN_ALU, 31, 0, 0, 4096},
    {"c.lui x31,31", 0x6ffd, 2, INSN_ALU, 31, 0, 0, 126976},
    {"c.lui x1,0xfffe0", 0x7081, 2, INSN_ALU, 1, 0, 0, -131072},
    {"c.lui x1,0xfffff", 0x70fd, 2, INSN_ALU, 1, 0, 0, -4096},
    {"c.srli x8,1", 0x8005, 2, INSN_SHIFT_IMM, 8, 8, 0, 1},
    {"c.srai x15,1", 0x8785, 2, INSN_SHIFT_IMM, 15, 15, 0, 1},
    {"c.slli x31,1", 0x0f86, 2, INSN_SHIFT_IMM, 31, 31, 0, 1},
    {"c.srli x8,31", 0x807d, 2, INSN_SHIFT_IMM, 8, 8, 0, 31},
    {"c.srai x15,31", 0x87fd, 2, INSN_SHIFT_IMM, 15, 15, 0, 31},
    {"c.slli x31,31", 0x0ffe, 2, INSN_SHIFT_IMM, 31, 31, 0, 31},
    {"c.andi x9,-32", 0x9881, 2, INSN_ALU, 9, 9, 0, -32},
    {"c.andi x9,31", 0x88fd, 2, INSN_ALU, 9, 9, 0, 31},
    {"c.sub x8,x15", 0x8c1d, 2, INSN_ALU, 8, 8, 15, 0},
    {"c.xor x8,x15", 0x8c3d, 2, INSN_ALU, 8, 8, 15, 0},
    {"c.or x8,x15", 0x8c5d, 2, INSN_ALU, 8, 8, 15, 0},
    {"c.and x8,x15", 0x8c7d, 2, INSN_ALU, 8, 8, 15, 0},
    {"c.beqz x8,.-256", 0xd001, 2, INSN_BRANCH, 0, 8, 0, -256},
    {"c.bnez x15,.-256", 0xf381, 2, INSN_BRANCH, 0, 15, 0, -256},
    {"c.beqz x8,.-2", 0xdc7d, 2, INSN_BRANCH, 0, 8, 0, -2},
    {"c.bnez x15,.-2", 0xfffd, 2, INSN_BRANCH, 0, 15, 0, -2},
    {"c.beqz x8,.+2", 0xc009, 2, INSN_BRANCH, 0, 8, 0, 2},
    {"c.bnez x15,.+2", 0xe389, 2, INSN_BRANCH, 0, 15, 0, 2},
    {"c.beqz x8,.+4", 0xc011, 2, INSN_BRANCH, 0, 8, 0, 4},
    {"c.bnez x15,.+4", 0xe391, 2, INSN_BRANCH, 0, 15, 0, 4},
    {"c.beqz x8,.+8", 0xc401, 2, INSN_BRANCH, 0, 8, 0, 8},
    {"c.bnez x15,.+8", 0xe781, 2, INSN_BRANCH, 0, 15, 0, 8},
    {"c.beqz x8,.+16", 0xc801, 2, INSN_BRANCH, 0, 8, 0, 16},
    {"c.bnez x15,.+16", 0xeb81, 2, INSN_BRANCH, 0, 15, 0, 16},
    {"c.beqz x8,.+32", 0xc005, 2, INSN_BRANCH, 0, 8, 0, 32},
    {"c.bnez x15,.+32", 0xe385, 2, INSN_BRANCH, 0, 15, 0, 32},
    {"c.beqz x8,.+64", 0xc021, 2, INSN_BRANCH, 0, 8, 0, 64},
    {"c.bnez x15,.+64", 0xe3a1, 2, INSN_BRANCH, 0, 15, 0, 64},
    {"c.beqz x8,.+128", 0xc041, 2, INSN_BRANCH, 0, 8, 0, 128},
    {"c.bnez x15,.+128", 0xe3c1, 2, INSN_BRANCH, 0, 15, 0, 128},
    {"c.beqz x8,.+254", 0xcc7d, 2, INSN_BRANCH, 0, 8, 0, 254},
    {"c.bnez x15,.+254", 0xeffd, 2, INSN_BRANCH, 0, 15, 0, 254},
    {"c.lwsp x31,0(x2)", 0x4f82, 2, INSN_LOAD, 31, 2, 0, 0},
    {"c.lwsp x31,4(x2)", 0x4f92, 2, INSN_LOAD, 31, 2, 0, 4},
    {"c.lwsp x31,32(x2)", 0x5f82, 2, INSN_LOAD, 31, 2, 0, 32},
    {"c.lwsp x31,64(x2)", 0x4f86, 2, INSN_LOAD, 31, 2, 0, 64},
    {"c.lwsp x31,252(x2)", 0x5ffe, 2, INSN_LOAD, 31, 2, 0, 252},
    {"c.swsp x31,0(x2)", 0xc07e, 2, INSN_STORE, 0, 2, 31, 0},
    {"c.swsp x31,4(x2)", 0xc27e, 2, INSN_STORE, 0, 2, 31, 4},
    {"c.swsp x31,32(x2)", 0xd07e, 2, INSN_STORE, 0, 2, 31, 32},
    {"c.swsp x31,64(x2)", 0xc0fe, 2, INSN_STORE, 0, 2, 31, 64},
    {"c.swsp x31,252(x2)", 0xdffe, 2, INSN_STORE, 0, 2, 31, 252},
    {"c.jr x1", 0x8082, 2, INSN_JALR, 0, 1, 0, 0},
    {"c.jr x31", 0x8f82, 2, INSN_JALR, 0, 31, 0, 0},
    {"c.jalr x5", 0x9282, 2, INSN_JALR, 1, 5, 0, 0},
    {"c.mv x1,x31", 0x80fe, 2, INSN_ALU, 1, 0, 31, 0},
    {"c.add x31,x1", 0x9f86, 2, INSN_ALU, 31, 31, 1, 0},
    {"c.ebreak", 0x9002, 2, INSN_EBREAK, 0, 0, 0, 0},
};

static const struct row whole[] = {
    {"addi x1,x31,-2048", 0x800f8093, 4, INSN_ALU, 1, 31, 0, -2048},
    {"lw x31,-2048(x1)", 0x8000af83, 4, INSN_LOAD, 31, 1, 0, -2048},
    {"sw x31,-2048(x1)", 0x81f0a023, 4, INSN_STORE, 0, 1, 31, -2048},
    {"jalr x1,-2048(x31)", 0x800f80e7, 4, INSN_JALR, 1, 31, 0, -2048},
    {"addi x1,x31,-1", 0xffff8093, 4, INSN_ALU, 1, 31, 0, -1},
    {"lw x31,-1(x1)", 0xfff0af83, 4, INSN_LOAD, 31, 1, 0, -1},
    {"sw x31,-1(x1)", 0xfff0afa3, 4, INSN_STORE, 0, 1, 31, -1},
    {"jalr x1,-1(x31)", 0xffff80e7, 4, INSN_JALR, 1, 31, 0, -1},
    {"addi x1,x31,0", 0x000f8093, 4, INSN_ALU, 1, 31, 0, 0},
    {"lw x31,0(x1)", 0x0000af83, 4, INSN_LOAD, 31, 1, 0, 0},
    {"sw x31,0(x1)", 0x01f0a023, 4, INSN_STORE, 0, 1, 31, 0},
    {"jalr x1,0(x31)", 0x000f80e7, 4, INSN_JALR, 1, 31, 0, 0},
    {"addi x1,x31,2047", 0x7fff8093, 4, INSN_ALU, 1, 31, 0, 2047},
    {"lw x31,2047(x1)", 0x7ff0af83, 4, INSN_LOAD, 31, 1, 0, 2047},
    {"sw x31,2047(x1)", 0x7ff0afa3, 4, INSN_STORE, 0, 1, 31, 2047},
    {"jalr x1,2047(x31)", 0x7fff80e7, 4, INSN_JALR, 1, 31, 0, 2047},
    {"slti x1,x2,-5", 0xffb12093, 4, INSN_ALU, 1, 2, 0, -5},
    {"sltiu x1,x2,-5", 0xffb13093, 4, INSN_ALU, 1, 2, 0, -5},
    {"xori x1,x2,-5", 0xffb14093, 4, INSN_ALU, 1, 2, 0, -5},
    {"ori x1,x2,-5", 0xffb16093, 4, INSN_ALU, 1, 2, 0, -5},
    {"andi x1,x2,-5", 0xffb17093, 4, INSN_ALU, 1, 2, 0, -5},
    {"lb x3,8(x4)", 0x00820183, 4, INSN_LOAD, 3, 4, 0, 8},
    {"lh x3,8(x4)", 0x00821183, 4, INSN_LOAD, 3, 4, 0, 8},
    {"lbu x3,8(x4)", 0x00824183, 4, INSN_LOAD, 3, 4, 0, 8},
    {"lhu x3,8(x4)", 0x00825183, 4, INSN_LOAD, 3, 4, 0, 8},
    {"sb x3,8(x4)", 0x00320423, 4, INSN_STORE, 0, 4, 3, 8},
    {"sh x3,8(x4)", 0x00321423, 4, INSN_STORE, 0, 4, 3, 8},
    {"slli x6,x7,0", 0x00039313, 4, INSN_SHIFT_IMM, 6, 7, 0, 0},
    {"slli x6,x7,31", 0x01f39313, 4, INSN_SHIFT_IMM, 6, 7, 0, 31},
    {"srli x6,x7,0", 0x0003d313, 4, INSN_SHIFT_IMM, 6, 7, 0, 0},
    {"srli x6,x7,31", 0x01f3d313, 4, INSN_SHIFT_IMM, 6, 7, 0, 31},
    {"srai x6,x7,0", 0x4003d313, 4, INSN_SHIFT_IMM, 6, 7, 0, 0},
    {"srai x6,x7,31", 0x41f3d313, 4, INSN_SHIFT_IMM, 6, 7, 0, 31},
    {"add x10,x11,x12", 0x00c58533, 4, INSN_ALU, 10, 11, 12, 0},
    {"sub x10,x11,x12", 0x40c58533, 4, INSN_ALU, 10, 11, 12, 0},
    {"slt x10,x11,x12", 0x00c5a533, 4, INSN_ALU, 10, 11, 12, 0},
    {"sltu x10,x11,x12", 0x00c5b533, 4, INSN_ALU, 10, 11, 12, 0},
    {"xor x10,x11,x12", 0x00c5c533, 4, INSN_ALU, 10, 11, 12, 0},
    {"or x10,x11,x12", 0x00c5e533, 4, INSN_ALU, 10, 11, 12, 0},
    {"and x10,x11,x12", 0x00c5f533, 4, INSN_ALU, 10, 11, 12, 0},
    {"sll x10,x11,x12", 0x00c59533, 4, INSN_SHIFT_REG, 10, 11, 12, 0},
    {"srl x10,x11,x12", 0x00c5d533, 4, INSN_SHIFT_REG, 10, 11, 12, 0},
    {"sra x10,x11,x12", 0x40c5d533, 4, INSN_SHIFT_REG, 10, 11, 12, 0},
    {"mul x10,x11,x12", 0x02c58533, 4, INSN_MUL, 10, 11, 12, 0},
    {"mulh x10,x11,x12", 0x02c59533, 4, INSN_MULH, 10, 11, 12, 0},
    {"mulhsu x10,x11,x12", 0x02c5a533, 4, INSN_MULH, 10, 11, 12, 0},
    {"mulhu x10,x11,x12", 0x02c5b533, 4, INSN_MULH, 10, 11, 12, 0},
    {"div x10,x11,x12", 0x02c5c533, 4, INSN_DIV, 10, 11, 12, 0},
    {"divu x10,x11,x12", 0x02c5d533, 4, INSN_DIV, 10, 11, 12, 0},
    {"rem x10,x11,x12", 0x02c5e533, 4, INSN_DIV, 10, 11, 12, 0},
    {"remu x10,x11,x12", 0x02c5f533, 4, INSN_DIV, 10, 11, 12, 0},
    {"lui x31,0", 0x00000fb7, 4, INSN_ALU, 31, 0, 0, 0},
    {"lui x31,1", 0x00001fb7, 4, INSN_ALU, 31, 0, 0, 4096},
    {"lui x31,524287", 0x7fffffb7, 4, INSN_ALU, 31, 0, 0, 2147479552},
    {"lui x31,0x80000", 0x80000fb7, 4, INSN_ALU, 31, 0, 0, INT32_MIN},
    {"auipc x1,0xfffff", 0xfffff097, 4, INSN_ALU, 1, 0, 0, -4096},
    {"beq x1,x31,.+8", 0x01f08463, 4, INSN_BRANCH, 0, 1, 31, 8},
    {"bne x1,x31,.+8", 0x01f09463, 4, INSN_BRANCH, 0, 1, 31, 8},
    {"blt x1,x31,.+8", 0x01f0c463, 4, INSN_BRANCH, 0, 1, 31, 8},
    {"bge x1,x31,.+8", 0x01f0d463, 4, INSN_BRANCH, 0, 1, 31, 8},
    {"bltu x1,x31,.+8", 0x01f0e463, 4, INSN_BRANCH, 0, 1, 31, 8},
    {"bgeu x1,x31,.+8", 0x01f0f463, 4, INSN_BRANCH, 0, 1, 31, 8},
    {"beq x30,x31,.-4096", 0x81ff0063, 4, INSN_BRANCH, 0, 30, 31, -4096},
    {"beq x30,x31,.-2", 0xffff0fe3, 4, INSN_BRANCH, 0, 30, 31, -2},
    {"beq x30,x31,.+2", 0x01ff0163, 4, INSN_BRANCH, 0, 30, 31, 2},
    {"beq x30,x31,.+16", 0x01ff0863, 4, INSN_BRANCH, 0, 30, 31, 16},
    {"beq x30,x31,.+32", 0x03ff0063, 4, INSN_BRANCH, 0, 30, 31, 32},
    {"beq x30,x31,.+1024", 0x41ff0063, 4, INSN_BRANCH, 0, 30, 31, 1024},
    {"beq x30,x31,.+2048", 0x01ff00e3, 4, INSN_BRANCH, 0, 30, 31, 2048},
    {"beq x30,x31,.+4094", 0x7fff0fe3, 4, INSN_BRANCH, 0, 30, 31, 4094},
    {"jal x1,.-1048576", 0x800000ef, 4, INSN_JAL, 1, 0, 0, -1048576},
    {"jal x1,.-2", 0xfffff0ef, 4, INSN_JAL, 1, 0, 0, -2},
    {"jal x1,.+2", 0x002000ef, 4, INSN_JAL, 1, 0, 0, 2},
    {"jal x1,.+2048", 0x001000ef, 4, INSN_JAL, 1, 0, 0, 2048},
    {"jal x1,.+4096", 0x000010ef, 4, INSN_JAL, 1, 0, 0, 4096},
    {"jal x1,.+524288", 0x000800ef, 4, INSN_JAL, 1, 0, 0, 524288},
    {"jal x1,.+1048574", 0x7ffff0ef, 4, INSN_JAL, 1, 0, 0, 1048574},
    {"jal x0,.+2046", 0x7fe0006f, 4, INSN_JAL, 0, 0, 0, 2046},
    {"fence", 0x0ff0000f, 4, INSN_FENCE, 0, 0, 0, 0},
    {"fence.i", 0x0000100f, 4, INSN_FENCE_I, 0, 0, 0, 0},
    {"ecall", 0x00000073, 4, INSN_ECALL, 0, 0, 0, 0},
    {"ebreak", 0x00100073, 4, INSN_EBREAK, 0, 0, 0, 0},
    {"mret", 0x30200073, 4, INSN_MRET, 0, 0, 0, 0},
    {"wfi", 0x10500073, 4, INSN_WFI, 0, 0, 0, 0},
    {"csrrw x1,mscratch,x2", 0x340110f3, 4, INSN_CSR, 1, 2, 0, 832},
    {"csrrs x1,mepc,x0", 0x341020f3, 4, INSN_CSR, 1, 0, 0, 833},
    {"csrrc x1,mcause,x31", 0x342fb0f3, 4, INSN_CSR, 1, 31, 0, 834},
    {"csrrwi x1,mtvec,31", 0x305fd0f3, 4, INSN_CSR, 1, 0, 0, 773},
    {"csrrsi x1,mip,31", 0x344fe0f3, 4, INSN_CSR, 1, 0, 0, 836},
    {"csrrci x31,pmpcfg0,1", 0x3a00fff3, 4, INSN_CSR, 31, 0, 0, 928},
    {"csrrs x5,mcycle,x0", 0xb00022f3, 4, INSN_CSR, 5, 0, 0, 2816},
    {"csrrw x0,mstatus,x0", 0x30001073, 4, INSN_CSR_FLUSH, 0, 0, 0, 768},
    {"csrrw x1,mstatus,x2", 0x300110f3, 4, INSN_CSR_FLUSH, 1, 2, 0, 768},
    {"csrrs x1,mstatus,x2", 0x300120f3, 4, INSN_CSR_FLUSH, 1, 2, 0, 768},
    {"csrrs x1,mstatus,x0", 0x300020f3, 4, INSN_CSR, 1, 0, 0, 768},
    {"csrrc x1,mstatus,x2", 0x300130f3, 4, INSN_CSR, 1, 2, 0, 768},
    {"csrrwi x1,mstatus,0", 0x300050f3, 4, INSN_CSR_FLUSH, 1, 0, 0, 768},
    {"csrrsi x0,mstatus,8", 0x30046073, 4, INSN_CSR_FLUSH, 0, 0, 0, 768},
    {"csrrsi x1,mstatus,0", 0x300060f3, 4, INSN_CSR, 1, 0, 0, 768},
    {"csrrci x0,mstatus,8", 0x30047073, 4, INSN_CSR, 0, 0, 0, 768},
    {"csrrw x0,mie,x0", 0x30401073, 4, INSN_CSR_FLUSH, 0, 0, 0, 772},
    {"csrrw x1,mie,x2", 0x304110f3, 4, INSN_CSR_FLUSH, 1, 2, 0, 772},
    {"csrrs x1,mie,x2", 0x304120f3, 4, INSN_CSR_FLUSH, 1, 2, 0, 772},
    {"csrrs x1,mie,x0", 0x304020f3, 4, INSN_CSR, 1, 0, 0, 772},
    {"csrrc x1,mie,x2", 0x304130f3, 4, INSN_CSR, 1, 2, 0, 772},
    {"csrrwi x1,mie,0", 0x304050f3, 4, INSN_CSR_FLUSH, 1, 0, 0, 772},
    {"csrrsi x0,mie,8", 0x30446073, 4, INSN_CSR_FLUSH, 0, 0, 0, 772},
    {"csrrsi x1,mie,0", 0x304060f3, 4, INSN_CSR, 1, 0, 0, 772},
    {"csrrci x0,mie,8", 0x30447073, 4, INSN_CSR, 0, 0, 0, 772},
    {"csrrs x1,misa,x2", 0x301120f3, 4, INSN_CSR, 1, 2, 0, 769},
    {"csrrw x1,0x303,x2", 0x303110f3, 4, INSN_CSR, 1, 2, 0, 771},
};

/* Encodings without a meaning here. */
static const struct {
    const char *text;
    uint32_t word;
    uint8_t size;
} reserved[] = {
    {"all zeroes", 0x0000, 2},
    {"c.addi4spn of 0", 0x0004, 2},
    {"c.fld", 0x2000, 2},
    {"c.flw", 0x6000, 2},
    {"quadrant 0, funct3 4", 0x8000, 2},
    {"c.fsd", 0xa000, 2},
    {"c.fsw", 0xe000, 2},
    {"c.lui of 0", 0x6281, 2},
    {"c.addi16sp of 0", 0x6101, 2},
    {"c.srli by 32", 0x9001, 2},
    {"c.srai by 32", 0x9401, 2},
    {"c.subw", 0x9c01, 2},
    {"c.addw", 0x9c21, 2},
    {"quadrant 1, reserved arithmetic", 0x9c41, 2},
    {"c.slli by 32", 0x1282, 2},
    {"c.fldsp", 0x2002, 2},
    {"c.lwsp to x0", 0x4002, 2},
    {"c.flwsp", 0x6002, 2},
    {"c.jr x0", 0x8002, 2},
    {"c.fsdsp", 0xa002, 2},
    {"c.fswsp", 0xe002, 2},
    {"ld", 0x00003003, 4},
    {"lwu", 0x00006003, 4},
    {"load, funct3 7", 0x00007003, 4},
    {"sd", 0x00003023, 4},
    {"store, funct3 7", 0x00007023, 4},
    {"branch, funct3 2", 0x00002063, 4},
    {"branch, funct3 3", 0x00003063, 4},
    {"jalr, funct3 1", 0x00001067, 4},
    {"fence, funct3 2", 0x0000200f, 4},
    {"slli by 32", 0x02001013, 4},
    {"slli, funct7 0x20", 0x40001013, 4},
    {"srli by 32", 0x02005013, 4},
    {"srli, funct7 0x10", 0x20005013, 4},
    {"add, funct7 2", 0x04000033, 4},
    {"sll, funct7 0x20", 0x40001033, 4},
    {"and, funct7 0x20", 0x40007033, 4},
    {"add, funct7 0x40", 0x80000033, 4},
    {"uret", 0x00200073, 4},
    {"sret", 0x10200073, 4},
    {"dret", 0x7b200073, 4},
    {"sfence.vma", 0x12000073, 4},
    {"ecall with rd", 0x000000f3, 4},
    {"system, funct3 4", 0x00004073, 4},
    {"lr.w", 0x1000202f, 4},
    {"flw", 0x00002007, 4},
    {"addw", 0x0000003b, 4},
    {"custom-0", 0x0000000b, 4},
    {"48 bits", 0x0000001f, 4},
    {"64 bits", 0x0000003f, 4},
    {"all ones", 0xffffffff, 4},
};

static void check(const struct row *r, uint32_t word)
{
    struct insn i;
    insn_decode(word, &i);
    if (i.size != r->size || i.cls != r->cls || i.rd != r->rd || i.rs1 != r->rs1 || i.rs2 != r->rs2 || i.imm != r->imm)
        fail_msg("%s (0x%x): size %d class %d rd %d rs1 %d rs2 %d imm %d", r->text, word, i.size, i.cls, i.rd, i.rs1,
                 i.rs2, i.imm);
    if (r->size == 4)
        assert_int_equal(i.word, r->word);
}

/* What stands in the upper half word does not count. */
static void test_compressed(void **)
{
    for (size_t i = 0; i < sizeof compressed / sizeof *compressed; i++) {
        check(&compressed[i], compressed[i].word);
        check(&compressed[i], compressed[i].word | 0xffff0000);
    }
}

static void test_whole(void **)
{
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        check(&whole[i], whole[i].word);
}

static void test_reserved(void **)
{
    for (size_t n = 0; n < sizeof reserved / sizeof *reserved; n++) {
        struct insn i;
        insn_decode(reserved[n].word, &i);
        if (i.cls != INSN_ILLEGAL || i.size != reserved[n].size || i.rd || i.rs1 || i.rs2 || i.imm || i.word)
            fail_msg("%s: class %d size %d", reserved[n].text, i.cls, i.size);
    }
}

/* Hints do nothing, but are instructions. */
static void test_hints(void **)
{
    static const struct row hints[] = {
        {"c.addi x0,1", 0x0005, 2, INSN_ALU, 0, 0, 0, 1},       {"c.addi x5,0", 0x0281, 2, INSN_ALU, 5, 5, 0, 0},
        {"c.li x0,1", 0x4005, 2, INSN_ALU, 0, 0, 0, 1},         {"c.lui x0,1", 0x6005, 2, INSN_ALU, 0, 0, 0, 4096},
        {"c.mv x0,x5", 0x8016, 2, INSN_ALU, 0, 0, 5, 0},        {"c.add x0,x5", 0x9016, 2, INSN_ALU, 0, 0, 5, 0},
        {"c.slli x0,1", 0x0006, 2, INSN_SHIFT_IMM, 0, 0, 0, 1}, {"c.slli x5,0", 0x0282, 2, INSN_SHIFT_IMM, 5, 5, 0, 0},
        {"c.srli x8,0", 0x8001, 2, INSN_SHIFT_IMM, 8, 8, 0, 0},
    };

    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        check(&hints[i], hints[i].word);
}

/* jalr rd, rs1: calls, returns and neither, as compilers use them. */
static void test_calls(void **)
{
    static const struct {
        uint32_t word;
        bool calls, returns;
    } rows[] = {
        {0x000080e7, true, false},  /* jalr ra, 0(ra) */
        {0x0007a2e7, false, false}, /* funct3 2: illegal */
        {0x000782e7, true, false},  /* jalr t0, 0(a5) */
        {0x00008067, false, true},  /* ret */
        {0x00028067, false, true},  /* jalr x0, 0(t0) */
        {0x00408067, false, false}, /* jalr x0, 4(ra) */
        {0x00078067, false, false}, /* jr a5 */
        {0x008000ef, true, false},  /* jal ra */
        {0x008002ef, true, false},  /* jal t0 */
        {0x0080006f, false, false}, /* j */
        {0x008007ef, false, false}, /* jal a5 */
        {0x8082, false, true},      /* c.jr ra */
        {0x9782, true, false},      /* c.jalr a5 */
        {0x2001, true, false},      /* c.jal */
        {0xa001, false, false},     /* c.j */
        {0x00000013, false, false}, /* nop */
    };

    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct insn i;
        insn_decode(rows[n].word, &i);
        if (insn_calls(&i) != rows[n].calls || insn_returns(&i) != rows[n].returns)
            fail_msg("0x%x: calls %d returns %d", rows[n].word, insn_calls(&i), insn_returns(&i));
    }
}

int test_core_insn(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_compressed), cmocka_unit_test(test_whole),
                                       cmocka_unit_test(test_reserved), cmocka_unit_test(test_hints),
                                       cmocka_unit_test(test_calls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
