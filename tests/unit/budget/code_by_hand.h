/* Code by hand for tests: words to what host/mcu would read from an image, with costs that are easy to add up. */
#ifndef TESTS_UNIT_CODE_BY_HAND_H
#define TESTS_UNIT_CODE_BY_HAND_H

#include "budget/profile/profile.h"
#include "mcu/code.h"
#include "unit/instructions.h"

enum { CODE_AT = 0x100000, CODE_MOST = 64 };
/* Jumps by lines. */
#define CALL(lines)        JAL(RA, 4 * (lines))
#define JUMP(lines)        JAL(0, 4 * (lines))
#define BRANCH(rs1, lines) BEQZ(rs1, 4 * (lines))

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

/** All lines of function number `function`. */
#define CODE_ADD(h, function, jumps, ...)                                                                              \
    do {                                                                                                               \
        const uint32_t words_[] = {__VA_ARGS__};                                                                       \
        for (unsigned i_ = 0; i_ < sizeof words_ / sizeof *words_; i_++)                                               \
            code_add(h, function, words_[i_], jumps);                                                                  \
    } while (0)

#endif
