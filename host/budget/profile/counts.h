/* What each function of a run executed, by class of instruction. */
#ifndef HOST_BUDGET_PROFILE_COUNTS_H
#define HOST_BUDGET_PROFILE_COUNTS_H

#include "mcu/code.h"
#include "profile.h"

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
