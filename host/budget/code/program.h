/*
 * Static properties of an image: bytes by owner, and the worst-case depth of the stack.
 *
 * The stack has three users, none on top of another: boot, the trap handler, and what reports a fault
 * (firmware/boot/start.S). The mcu sleeps in _start, so the handler comes on top of what _start has there (`asleep`).
 * Interrupts are off except in that sleep, so handlers do not nest. A fault starts the stack afresh and does not come
 * back, also one in the handler, which finds mscratch zero.
 */
#ifndef HOST_BUDGET_CODE_PROGRAM_H
#define HOST_BUDGET_CODE_PROGRAM_H

#include "mcu/code.h"
#include "mcu/image.h"
#include "build_files.h"
#include "stack.h"

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
