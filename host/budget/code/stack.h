/* How much stack an image needs. */
#ifndef HOST_BUDGET_CODE_STACK_H
#define HOST_BUDGET_CODE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memhelm/error.h"

/** The caller has `depth` bytes on the stack when it calls or jumps to function `callee`, at address `at`. */
struct stack_edge {
    unsigned callee;
    uint32_t depth, at;
};

struct stack_function {
    const char *name;
    uint32_t bytes;      /**< its own frame */
    bool switches;       /**< has a stack of its own: its callers' paths end before it */
    const char *problem; /**< why nothing is known of it; NULL: it is. An error only where a path leads to it */
    struct stack_edge *edges;
    unsigned count, room;
};

enum { PATH_FUNCTIONS = 32 };

/** The functions on the stack at its deepest, and what each has there. Longer than PATH_FUNCTIONS: the first ones. */
struct stack_path {
    uint32_t bytes;
    unsigned count;
    struct {
        const char *name;
        uint32_t bytes;
    } at[PATH_FUNCTIONS];
};

/** -1 and `err`: recursion, with the cycle of calls; a function with a problem, with its caller. */
int stack_deepest(const struct stack_function *functions, unsigned count, unsigned root, struct stack_path *path,
                  struct mh_error *err);

/** "trap_entry 80, fw_irq 80", cut to `size`. */
void stack_path_text(const struct stack_path *path, char *text, size_t size);

/* What a function of the linked image does with the stack, read off its instructions. */

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
