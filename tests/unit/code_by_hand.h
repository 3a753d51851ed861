/* Code by hand for tests: words to what host/core would read from an image, with costs that are easy to add up. */
#ifndef TESTS_UNIT_CODE_BY_HAND_H
#define TESTS_UNIT_CODE_BY_HAND_H

#include "budget/profile.h"
#include "core/code.h"

enum { CODE_AT = 0x100000, CODE_MOST = 64 };
enum { X0 = 0, RA = 1, SP = 2, T0 = 5, S0 = 8, S1 = 9, A0 = 10, A4 = 14, A5 = 15 };

#define ADDI(rd, rs1, imm) (0x13u | (rd) << 7 | (rs1) << 15 | (uint32_t)(imm) << 20)
#define NOP                ADDI(0, 0, 0)
#define LI(rd, imm)        ADDI(rd, 0, imm)
#define LW(rd, rs1, imm)   (0x2003u | (rd) << 7 | (rs1) << 15 | (uint32_t)(imm) << 20)
#define SW(rs2, rs1, imm)  (0x2023u | (uint32_t)(imm) % 32 << 7 | (rs1) << 15 | (rs2) << 20 | (uint32_t)(imm) / 32 << 25)
#define LUI(rd, upper)     (0x37u | (rd) << 7 | (uint32_t)(upper) << 12)
#define AUIPC(rd, upper)   (0x17u | (rd) << 7 | (uint32_t)(upper) << 12)
#define JALR(rd, rs1, imm) (0x67u | (rd) << 7 | (rs1) << 15 | (uint32_t)(imm) << 20)
#define RET                JALR(0, RA, 0)
#define MRET               0x30200073u
#define BEQZ(rs1, lines)   (0x63u | (rs1) << 15 | BRANCH_BITS(4u * (uint32_t)(lines)))
#define BRANCH_BITS(offset)                                                                                            \
    (((offset) >> 11 & 1) << 7 | ((offset) >> 1 & 15) << 8 | ((offset) >> 5 & 63) << 25 | ((offset) >> 12 & 1) << 31)
#define JAL(rd, lines) (0x6fu | (rd) << 7 | JAL_BITS(4u * (uint32_t)(lines)))
#define JAL_BITS(offset)                                                                                               \
    (((offset) >> 12 & 255) << 12 | ((offset) >> 11 & 1) << 20 | ((offset) >> 1 & 1023) << 21 |                        \
     ((offset) >> 20 & 1) << 31)
#define CALL(lines) JAL(RA, lines)
#define JUMP(lines) JAL(0, lines)

struct by_hand {
    struct code_line lines[CODE_MOST];
    struct profile_at at[CODE_MOST];
    struct code code;
    struct profile p;
};

/** A line of function `function`. Everything was executed, branches both ways; `jumps` more cycles for each jump. */
static inline void code_add(struct by_hand *h, unsigned function, uint32_t word, uint16_t jumps)
{
    unsigned n = h->code.count++;
    struct code_line *l = &h->lines[n];
    *l = (struct code_line){.address = CODE_AT + 4 * n, .function = function};
    insn_decode(word, &l->insn);
    l->flags = l->insn.cls == INSN_BRANCH  ? CODE_BRANCH
               : l->insn.cls == INSN_STORE ? CODE_STORE
               : l->insn.cls == INSN_MRET  ? CODE_MRET
               : l->insn.cls == INSN_JAL || l->insn.cls == INSN_JALR
                   ? CODE_JUMP | (insn_calls(&l->insn) ? CODE_CALL : 0) | (insn_returns(&l->insn) ? CODE_RETURN : 0)
                   : 0;
    l->cost[CORE_CYCLES].taken = l->flags ? jumps * !(l->flags & CODE_STORE) : 0;
    h->at[n] = (struct profile_at){.address = l->address, .count = 2, .taken = 1};
    h->code.list = h->lines;
    h->p.at = h->at;
    h->p.at_count = h->code.count;
}

/** A whole function; its number. */
#define CODE_ADD(h, function, jumps, ...)                                                                              \
    do {                                                                                                               \
        const uint32_t words_[] = {__VA_ARGS__};                                                                       \
        for (unsigned i_ = 0; i_ < sizeof words_ / sizeof *words_; i_++)                                               \
            code_add(h, function, words_[i_], jumps);                                                                  \
    } while (0)

#endif
