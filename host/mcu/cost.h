/* What an instruction of an image takes on a core, as far as the code alone can say. */
#ifndef HOST_MCU_COST_H
#define HOST_MCU_COST_H

#include <stdint.h>

#include "insn.h"
#include "values.h"

/** Core cycles beyond one. */
struct cost {
    uint16_t extra;   /**< each time it is executed; of a branch: not taken */
    uint16_t taken;   /**< on top when a branch is taken */
    uint16_t landing; /**< on top when a jump, a trap or a return from one leads here */
};

/** An instruction and the two behind it in straight line; `size` 0 behind the end of the code. */
struct cost_window {
    struct insn at[3];
};

/**
 * The cost of w->at[0] at `address`. Uses of a result are looked for in straight line, also behind a branch that may be
 * taken: at worst the cycles of load_use_2 or mul_use_2 too many. Behind an instruction that always leaves there are
 * none: refilling the pipeline hides them.
 */
struct cost core_cost(const struct core_value values[CORE_ROWS], enum core_bound bound, const struct cost_window *w,
                      uint32_t address);

/** The row that an instruction counts in; of a branch: not taken. */
enum core_row core_row_of(const struct insn *i);

#endif
