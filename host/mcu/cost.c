#include "cost.h"

enum core_row core_row_of(const struct insn *i)
{
    static const enum core_row rows[INSN_CLASSES] = {
        [INSN_ALU] = CORE_ALU,
        [INSN_SHIFT_IMM] = CORE_SHIFT_IMM,
        [INSN_SHIFT_REG] = CORE_SHIFT_REG,
        [INSN_MUL] = CORE_MUL,
        [INSN_MULH] = CORE_MULH,
        [INSN_DIV] = CORE_DIV,
        [INSN_LOAD] = CORE_LOAD,
        [INSN_STORE] = CORE_STORE,
        [INSN_BRANCH] = CORE_BRANCH_NOT_TAKEN,
        [INSN_JAL] = CORE_JAL,
        [INSN_JALR] = CORE_JALR,
        [INSN_CSR] = CORE_CSR,
        [INSN_CSR_FLUSH] = CORE_CSR_FLUSH,
        [INSN_FENCE] = CORE_FENCE,
        [INSN_FENCE_I] = CORE_FENCE_I,
        [INSN_ECALL] = CORE_ECALL,
        [INSN_EBREAK] = CORE_EBREAK,
        [INSN_MRET] = CORE_MRET,
        [INSN_WFI] = CORE_WFI,
        [INSN_ILLEGAL] = CORE_EBREAK,
    };
    return rows[i->cls];
}

/* The events of a result that is used one and two instructions later; CORE_ROWS: none. */
static void use_rows(const struct insn *i, enum core_row *first, enum core_row *second)
{
    *first = *second = CORE_ROWS;
    if (i->cls == INSN_LOAD) {
        *first = CORE_LOAD_USE_1;
        *second = CORE_LOAD_USE_2;
    } else if (i->cls == INSN_MUL || i->cls == INSN_MULH) {
        *first = CORE_MUL_USE_1;
        *second = CORE_MUL_USE_2;
    } else if (i->cls == INSN_DIV) {
        *first = CORE_DIV_USE_1;
    }
}

/* The event of the first use, if it is near enough. A result that is overwritten first is not used. */
static enum core_row use(const struct cost_window *w)
{
    const struct insn *i = &w->at[0], *next = &w->at[1], *after = &w->at[2];
    enum core_row first, second;
    use_rows(i, &first, &second);
    if (!i->rd || !next->size)
        return CORE_ROWS;
    if (insn_reads(next, i->rd))
        return first;
    if (insn_leaves(next) || next->rd == i->rd || !after->size || !insn_reads(after, i->rd))
        return CORE_ROWS;
    return second;
}

struct cost core_cost(const struct core_value values[CORE_ROWS], enum core_bound bound, const struct cost_window *w,
                      uint32_t address)
{
    const struct insn *i = &w->at[0];
    enum core_row row = core_row_of(i), used = use(w);
    bool unaligned = i->size == 4 && address % 4 == 2;
    unsigned amount = (unsigned)i->imm, extra = values[row].cycles[bound] - 1u;
    struct cost cost = {0};
    if (used != CORE_ROWS)
        extra += values[used].cycles[bound];
    if (unaligned)
        extra += values[CORE_INSN_UNALIGNED32].cycles[bound];
    if (i->cls == INSN_SHIFT_IMM)
        extra += (amount / 4 + amount % 4) * values[CORE_SHIFT_STEP].cycles[bound];
    cost.extra = (uint16_t)extra;
    if (i->cls == INSN_BRANCH)
        cost.taken = (uint16_t)(values[CORE_BRANCH_TAKEN].cycles[bound] - values[row].cycles[bound]);
    if (unaligned)
        cost.landing = values[CORE_TARGET_UNALIGNED32].cycles[bound];
    return cost;
}
