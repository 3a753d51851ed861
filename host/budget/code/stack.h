/* The deepest stack that a call graph can need. */
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

#endif
