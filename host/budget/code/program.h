/* How much stack an image needs. */
#ifndef HOST_BUDGET_CODE_PROGRAM_H
#define HOST_BUDGET_CODE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "build_files.h"
#include "mcu/code.h"
#include "mcu/image.h"
#include "memhelm/error.h"

/* The deepest stack that a call graph can need. */

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

/*
 * Static properties of an image: bytes by owner, and the worst-case depth of the stack.
 *
 * The stack has three users, none on top of another: boot, the trap handler, and what reports a fault
 * (firmware/boot/start.S). The mcu sleeps in _start, so the handler comes on top of what _start has there (`asleep`).
 * Interrupts are off except in that sleep, so handlers do not nest. A fault starts the stack afresh and does not come
 * back, also one in the handler, which finds mscratch zero.
 */

enum stack_root { ROOT_BOOT, ROOT_HANDLER, ROOT_FAULT, ROOTS };
extern const char *const stack_root_names[ROOTS];

/** What the compiler said of a function. */
enum frame_source {
    FRAME_AGREED,  /**< frame of the compiler and of the instructions, which are the same */
    FRAME_DECODED, /**< of the instructions alone: assembly, libgcc, an image without .ci files */
};

struct program {
    const struct image *image;
    struct functions symbols;
    struct hooks hooks;
    struct map_file map;
    bool mapped;                      /**< a map and .ci files lie next to the ELF */
    struct stack_function *functions; /**< symbols.count of them, in their order */
    enum frame_source *sources;
    uint32_t asleep; /**< bytes that stay on the stack while the mcu sleeps */
    struct stack_path paths[ROOTS];
    struct stack_path *hook_paths; /**< of the hooks, in their order: from the hook down, its own frame included */
    uint32_t stack;                /**< the deepest that the stack gets */
    enum stack_root deepest;
};

/**
 * -1 and `err` for what has no bound or is not known, with the function: recursion (newlib's stdio has one, __sinit), a
 * frame that depends on run time, a call through a pointer that is no hook of the policy table, frames of compiler and
 * code that differ, interrupts that come while boot, a handler or a policy has something on the stack.
 */
int program_open(struct program *p, const struct image *image, struct mh_error *err);
void program_close(struct program *p);

/** Number of the hook of `policy` that takes most stack, the first of several; hooks.count when it has none. */
unsigned program_deepest_hook(const struct program *p, const char *policy);

#endif
