/* What a function of the linked image does with the stack, read off its instructions. */
#ifndef HOST_BUDGET_CODE_FRAMES_H
#define HOST_BUDGET_CODE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/error.h"

/** A call, or a jump that leaves the function (tail call). */
struct call {
    uint32_t at;     /**< address of the instruction */
    uint32_t depth;  /**< bytes that the function has on the stack there */
    bool tail;       /**< does not come back */
    bool indirect;   /**< through a pointer, which was loaded from `offset` of something */
    uint32_t target; /**< not of an indirect one */
    int32_t offset;  /**< -1: not found in straight line before the call */
};

struct frame {
    uint32_t bytes;   /**< most on the stack at a time, without those called */
    uint32_t asleep;  /**< the same at its wfi instructions; 0 without one */
    bool switches;    /**< sets sp to a stack of its own: nothing of its caller's counts */
    uint32_t enables; /**< address of the last instruction that may enable interrupts (mstatus.MIE); 0 without one */
    struct call *calls;
    unsigned count, room;
};

/**
 * Follows all paths through the `size` bytes of `code`, a function at `address`, with the depth of the stack; where
 * paths meet, the deeper counts. `table`: the compiler says that the function calls through no pointer, so that a
 * computed jump is a switch. -1 and `err` ("at 0x..: ..") when a depth is not known: sp is set to something that is no
 * constant away, it grows in a loop, or an instruction is none.
 * sp may be switched (csrrw, lui, auipc, a load) where `switching`: in the assembly of boot and traps.
 */
int frame_walk(struct frame *f, const uint8_t *code, uint32_t address, uint32_t size, bool table, bool switching,
               struct mh_error *err);
void frame_free(struct frame *f);

#endif
