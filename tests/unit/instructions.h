/* Instructions as words, for tests; offsets in bytes. */
#ifndef TESTS_UNIT_INSTRUCTIONS_H
#define TESTS_UNIT_INSTRUCTIONS_H

#include <stdint.h>

enum { X0 = 0, RA = 1, SP = 2, T0 = 5, S0 = 8, S1 = 9, A0 = 10, A4 = 14, A5 = 15 };
enum { CSRRW = 1, CSRRS = 2, CSRRSI = 6, CSRRCI = 7 };

#define ADDI(rd, rs1, imm) (0x13u | (rd) << 7 | (rs1) << 15 | (uint32_t)(imm) << 20)
#define NOP                ADDI(0, 0, 0)
#define LI(rd, imm)        ADDI(rd, 0, imm)
#define LW(rd, rs1, imm)   (0x2003u | (rd) << 7 | (rs1) << 15 | (uint32_t)(imm) << 20)
#define SW(rs2, rs1, imm)  (0x2023u | (uint32_t)(imm) % 32 << 7 | (rs1) << 15 | (rs2) << 20 | (uint32_t)(imm) / 32 << 25)
#define LUI(rd, upper)     (0x37u | (rd) << 7 | (uint32_t)(upper) << 12)
#define AUIPC(rd, upper)   (0x17u | (rd) << 7 | (uint32_t)(upper) << 12)
#define JALR(rd, rs1, imm) (0x67u | (rd) << 7 | (rs1) << 15 | (uint32_t)(imm) << 20)
#define RET                JALR(0, RA, 0)
#define WFI                0x10500073u
#define MRET               0x30200073u
/* csrrx x0, csr, rs1; csrrxi x0, csr, bits */
#define CSR(form, csr, rs1)    (0x73u | (form) << 12 | (rs1) << 15 | (uint32_t)(csr) << 20)
#define CSR_I(form, csr, bits) CSR(form, csr, bits)
#define BEQZ(rs1, offset)      (0x63u | (rs1) << 15 | BRANCH_BITS((uint32_t)(offset)))
#define BRANCH_BITS(offset)                                                                                            \
    (((offset) >> 11 & 1) << 7 | ((offset) >> 1 & 15) << 8 | ((offset) >> 5 & 63) << 25 | ((offset) >> 12 & 1) << 31)
#define JAL(rd, offset) (0x6fu | (rd) << 7 | JAL_BITS((uint32_t)(offset)))
#define JAL_BITS(offset)                                                                                               \
    (((offset) >> 12 & 255) << 12 | ((offset) >> 11 & 1) << 20 | ((offset) >> 1 & 1023) << 21 |                        \
     ((offset) >> 20 & 1) << 31)

#endif
