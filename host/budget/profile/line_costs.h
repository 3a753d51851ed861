/* What each function of a run spent by itself, line by line. */
#ifndef HOST_BUDGET_PROFILE_LINE_COSTS_H
#define HOST_BUDGET_PROFILE_LINE_COSTS_H

#include "mcu/code.h"
#include "mcu/source_lines.h"
#include "profile.h"

/** `mmio`: accesses beyond the mcu's own memory. */
struct spent {
    uint64_t cycles, instructions, mmio;
};

void spent_add(struct spent *to, const struct spent *what);

struct line_cost {
    unsigned function;
    struct place place;
    struct spent spent;
};

/** By function, file, line. */
struct line_costs {
    struct line_cost *list;
    unsigned count, room;
};

/** The place of an instruction. */
typedef struct place place_of(const void *ctx, uint32_t address);

/**
 * `functions` of them, counted as in `code`; `place` is asked of the addresses that were executed. -1 without memory.
 *
 * Of each function the lines add up to what it has in the tree of calls. What depends on where a jump through a
 * register leads to, or is the mcu's own entry of a trap, is known of the function alone: it stands at the last such
 * jump that was executed, and of the trap's entry at its first instruction. A function whose instructions are not those
 * that the tree has, because others jump into its middle, stands at its first instruction as a whole.
 */
int line_costs_find(struct line_costs *c, const struct profile *p, const struct code *code, unsigned functions,
                    place_of *place, const void *ctx);
void line_costs_free(struct line_costs *c);

/** First instruction of a function; 0 when it has none. */
uint32_t line_costs_first(const struct code *code, unsigned function);

/* What each function of a run executed, by class of instruction. */

/** Callees apart. Classes are those of its instructions, so that they add up to `instructions`. */
struct counts {
    uint64_t calls, instructions, cycles;
    uint64_t mmio; /**< accesses beyond the mcu's own memory */
    uint64_t classes[CORE_CLASS_ROWS];
    uint32_t stack_low; /**< lowest address of the stack that was written; 0: none */
};

/** By number of function, `functions` of them; the caller frees it. NULL without memory. */
struct counts *counts_of(const struct profile *p, const struct code *code, unsigned functions);

#endif
