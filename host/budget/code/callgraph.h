/* What the compiler says of an object's functions (-fcallgraph-info=su): their stack frames and calls. */
#ifndef HOST_BUDGET_CODE_CALLGRAPH_H
#define HOST_BUDGET_CODE_CALLGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memhelm/error.h"

/** A function that the object defines. */
struct callgraph_function {
    char *name;     /**< as in the symbol table: without the file of a static one */
    uint32_t frame; /**< bytes of stack */
    bool bounded;   /**< false: the frame depends on what happens at run time (alloca, a VLA) */
    bool indirect;  /**< calls through a pointer */
};

struct callgraph {
    struct callgraph_function *functions;
    unsigned count, room;
};

/**
 * Adds the functions of one .ci file; `name` is for errors. -1 and `err` (file, line) for what is none; the graph is
 * then as it was, or freed when it was empty.
 */
int callgraph_parse(struct callgraph *g, const char *name, const char *text, size_t length, struct mh_error *err);
void callgraph_free(struct callgraph *g);

/** The n-th function `name` (several files may define one): NULL when there are fewer. */
const struct callgraph_function *callgraph_find(const struct callgraph *g, const char *name, unsigned n);

#endif
