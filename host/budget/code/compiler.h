/* The .ci files of the objects that an image is linked from. */
#ifndef HOST_BUDGET_CODE_COMPILER_H
#define HOST_BUDGET_CODE_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "memhelm/error.h"

/* What the compiler says of an object's functions (-fcallgraph-info=su): their stack frames and calls. */

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

/** What the compiler says of one function. */
struct compiled {
    bool known; /**< false: assembly, libgcc */
    uint32_t frame;
    bool bounded, indirect;
};

/** Call graphs by object, read when asked for. */
struct compiler {
    char build[HOST_PATH]; /**< the folder with firmware/obj and newlib/ci; empty: no .ci files */
    struct object_graph {
        const char *object;
        struct callgraph graph;
    } * objects;
    unsigned count, room;
};

/** `elf`: path of the image; .ci files are looked for in the build that it lies in. */
void compiler_init(struct compiler *c, const char *elf);
void compiler_free(struct compiler *c);

/**
 * Function `name` of `object`, as the linker's map names it; both outlive `c`. -1 and `err` when the .ci file of a C
 * file is missing or damaged. Members of libc.a do not say from which of its folders they are: where several define the
 * function, the frame is the largest.
 */
int compiler_find(struct compiler *c, const char *object, const char *name, struct compiled *out, struct mh_error *err);

#endif
